# Heaps of what only knows <, the order of equals, errors, lists that change while they are compared; merging what has no end.
import heapq
import itertools
import random


class Task:
    def __init__(self, cost, name):
        self.cost, self.name = cost, name

    def __lt__(self, other):
        return self.cost < other.cost


r = random.Random(5)
h = []
for i in range(40):
    heapq.heappush(h, Task(r.randrange(6), i))
print([heapq.heappop(h).name for _ in range(20)], [t.name for t in h])
x = [r.randrange(100) for _ in range(25)]
heapq.heapify(x)
print(x, heapq.heapreplace(x, 50), heapq.heappushpop(x, -1), heapq.heappushpop(x, 99), x)
print([heapq.heappop(x) for _ in range(len(x))], heapq.heappushpop([], 3))
mixed = [(2, "b"), (1, "z"), (1, "a"), (2.5, "c"), (True, "t")]
heapq.heapify(mixed)
print(mixed, heapq.nsmallest(2, mixed), heapq.nlargest(2, mixed, key=lambda p: p[1]))
print(list(itertools.islice(heapq.merge(itertools.count(0, 3), itertools.count(1, 2)), 9)), list(heapq.merge([1, 3], [], [1, 2], [0])),
      list(heapq.merge(["bb", "a"], ["ccc", "c"], key=len, reverse=True)), list(heapq.merge()))
for f in (lambda: heapq.heappop([]), lambda: heapq.heapreplace([], 1), lambda: heapq.heappush((), 1), lambda: heapq.heappush([1], "a"), lambda: heapq.heapify({}),
          lambda: heapq.heappush([]), lambda: heapq.heapify([1, None])):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)


class Grows:
    def __lt__(self, other):
        changing.append(self)
        return True


changing = [Grows(), Grows(), Grows()]
try:
    heapq.heappush(changing, Grows())
except RuntimeError as e:
    print(e)


class Text(list):
    pass


t = Text([3, 1, 2])
heapq.heapify(t)
print(t, type(t).__name__, heapq.heappop(t), t)
