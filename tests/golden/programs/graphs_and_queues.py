import heapq, collections, bisect, functools, math
G = {'A': {'B': 4, 'C': 1}, 'B': {'D': 1}, 'C': {'B': 2, 'D': 5}, 'D': {}, 'E': {'A': 1}}
def dijkstra(g, s):
    dist = {s: 0}; prev = {}; pq = [(0, s)]
    while pq:
        d, u = heapq.heappop(pq)
        if d > dist[u]: continue
        for v, w in g[u].items():
            if (nd := d + w) < dist.get(v, math.inf): dist[v] = nd; prev[v] = u; heapq.heappush(pq, (nd, v))
    return dist, prev
print(dijkstra(G, 'A'))
def topo(g):
    indeg = collections.Counter(v for u in g for v in g[u]); q = collections.deque(sorted(u for u in g if not indeg[u])); out = []
    while q:
        u = q.popleft(); out.append(u)
        for v in g[u]:
            indeg[v] -= 1
            if not indeg[v]: q.append(v)
    return out
print(topo(G))
import graphlib; ts = graphlib.TopologicalSorter({'D': {'B', 'C'}, 'C': {'A'}, 'B': {'A'}}); print(list(ts.static_order())[0::3])
class UF:
    def __init__(self, n): self.p = list(range(n))
    def find(self, x):
        while self.p[x] != x: self.p[x] = self.p[self.p[x]]; x = self.p[x]
        return x
    def union(self, a, b): a, b = self.find(a), self.find(b); self.p[a] = b; return a != b
edges = sorted([(7, 0, 1), (5, 1, 2), (8, 0, 2), (9, 1, 3), (7, 2, 3), (5, 3, 4)]); u = UF(5); print(sum(w for w, a, b in edges if u.union(a, b)))
@functools.lru_cache(maxsize=None)
def lcs(a, b): return '' if not a or not b else (lcs(a[1:], b[1:]) and a[0] + lcs(a[1:], b[1:]) or a[0]) if a[0] == b[0] else max(lcs(a[1:], b), lcs(a, b[1:]), key=len)
print(lcs('AGGTAB', 'GXTXAYB'), lcs.cache_info().misses > 10); h = [5, 1, 8, 3]; heapq.heapify(h); print(h, heapq.nsmallest(2, h), heapq.nlargest(2, h, key=lambda x: -x), heapq.heappushpop(h, 0), heapq.heapreplace(h, 9), h, list(heapq.merge([1, 4], [2, 3], reverse=False)))
a = [1, 3, 3, 7]; print(bisect.bisect_left(a, 3), bisect.bisect(a, 3), bisect.insort(a, 5), a, bisect.bisect_left([('a', 1), ('c', 2)], 'b', key=lambda t: t[0]))
def nqueens(n, row=0, cols=(), d1=(), d2=()):
    if row == n: yield cols; return
    for c in range(n):
        if c not in cols and row + c not in d1 and row - c not in d2: yield from nqueens(n, row + 1, cols + (c,), d1 + (row + c,), d2 + (row - c,))
print(len(list(nqueens(6))), next(nqueens(8))); life = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for _ in range(4): n = collections.Counter((x + dx, y + dy) for x, y in life for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy); life = {p for p, k in n.items() if k == 3 or k == 2 and p in life}
print(sorted(life)); cm = collections.ChainMap({'a': 1}, {'a': 2, 'b': 3}); print(cm['a'], dict(cm), cm.new_child({'b': 9})['b'], cm); od = collections.OrderedDict(a=1, b=2); od.move_to_end('a'); print(od, od.popitem(last=False)); P = collections.namedtuple('P', 'x y', defaults=[5]); print(P(1), P(1)._replace(y=2), P._fields, P(1)._asdict(), P._make([3, 4])); dq = collections.deque([1, 2, 3], maxlen=3); dq.appendleft(0); dq.rotate(1); print(dq, dq.index(1), collections.UserDict(a=1))
