# timeit, statistics, bisect, heapq: what Python prints.
import bisect
import heapq
import statistics
import timeit

calls = []
taken = timeit.timeit(lambda: calls.append(1), number=5)
print(len(calls), taken >= 0, len(timeit.repeat(lambda: None, repeat=3, number=2)), timeit.Timer(lambda: None).timeit(1) >= 0)
print(statistics.mean([1, 2, 3]), statistics.mean([1, 2]), statistics.mean([0.1, 0.2, 0.3]), statistics.fmean([1, 2, 4]), statistics.median([3, 1, 2]),
      statistics.median([4, 1, 2, 3]), statistics.median_low([1, 2, 3, 4]), statistics.median_high([1, 2, 3, 4]), statistics.mode("aabbb"), statistics.multimode([1, 1, 2, 2]))
print(statistics.variance([1, 2, 3, 4]), statistics.pvariance([1, 2, 3]), statistics.stdev([1.5, 2.5, 4]), statistics.pstdev([2, 4, 4, 4, 5, 5, 7, 9]),
      statistics.variance([2.75, 1.75, 1.25, 0.25, 0.5, 1.25, 3.5]), statistics.quantiles([1, 2, 3, 4, 5]), statistics.quantiles(range(9), n=3, method="inclusive"),
      statistics.harmonic_mean([40, 60]), statistics.geometric_mean([54, 24, 36]))
for bad in (lambda: statistics.mean([]), lambda: statistics.stdev([1]), lambda: statistics.median([])):
    try:
        bad()
    except statistics.StatisticsError as e:
        print(type(e).__name__, e)
a = [1, 3, 3, 5]
print(bisect.bisect(a, 3), bisect.bisect_left(a, 3), bisect.bisect_right(a, 9), bisect.bisect_left(a, 4, 1, 3), bisect.bisect_left(["a", "bbb"], 2, key=len))
bisect.insort(a, 4)
bisect.insort_left(a, 0)
print(a)
h = [5, 2, 8, 1, 9, 3]
heapq.heapify(h)
print(h, heapq.heappop(h), h, heapq.heappushpop(h, 0), heapq.heapreplace(h, 7), h)
heapq.heappush(h, 4)
print([heapq.heappop(h) for _ in range(len(h))], heapq.nlargest(2, [1, 5, 3]), heapq.nsmallest(2, "hello", key=ord), list(heapq.merge([1, 4], [2, 3])))
