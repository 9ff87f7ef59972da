# heapq and bisect.
import bisect
import heapq

h = []
for x in [5, 1, 8, 3, 9, 2]:
    heapq.heappush(h, x)
print(h[0], [heapq.heappop(h) for _ in range(3)], heapq.heappushpop(h, 0), heapq.heapreplace(h, 100), sorted(h))
h = [(2, "b"), (1, "z"), (1, "a")]
heapq.heapify(h)
print(heapq.heappop(h), heapq.nlargest(2, [3, 1, 4, 1, 5]), heapq.nsmallest(2, ["ccc", "a", "bb"], key=len), list(heapq.merge([1, 4], [2, 3], [0, 9])), list(heapq.merge([3, 1], [2], reverse=True)))
a = [1, 3, 3, 5]
print(bisect.bisect(a, 3), bisect.bisect_left(a, 3), bisect.bisect_right(a, 9), bisect.insort(a, 4), a, bisect.bisect_left([{"k": 1}, {"k": 5}], 3, key=lambda d: d["k"]), bisect.bisect(a, 3, 2, 3))
def dijkstra(g, s):
    dist, q = {s: 0}, [(0, s)]
    while q:
        d, u = heapq.heappop(q)
        for v, w in g.get(u, {}).items():
            if d + w < dist.get(v, 1e9):
                dist[v] = d + w
                heapq.heappush(q, (d + w, v))
    return dist
print(dijkstra({"a": {"b": 7, "c": 3}, "c": {"b": 1, "d": 8}, "b": {"d": 2}}, "a"))
for bad in (lambda: heapq.heappop([]), lambda: heapq.heappush([1], "a"), lambda: bisect.bisect([1, "a"], 2)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
