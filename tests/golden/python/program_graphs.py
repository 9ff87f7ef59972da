# Graph searches, topological order, shortest paths, union-find.
class Graph:
    def __init__(self, edges=()):
        self.edges = {}
        for a, b, *w in edges:
            self.add(a, b, *(w or [1]))

    def add(self, a, b, w=1):
        self.edges.setdefault(a, {})[b] = w
        self.edges.setdefault(b, {})

    def bfs(self, start):
        seen, queue, order = {start}, [start], []
        while queue:
            node = queue.pop(0)
            order.append(node)
            for n in sorted(self.edges[node]):
                if n not in seen:
                    seen.add(n)
                    queue.append(n)
        return order

    def dfs(self, node, seen=None):
        seen = [] if seen is None else seen
        if node in seen:
            return seen
        seen.append(node)
        for n in sorted(self.edges[node]):
            self.dfs(n, seen)
        return seen

    def topological(self):
        state, out = {}, []

        def visit(n):
            if state.get(n) == 'done':
                return
            if state.get(n) == 'busy':
                raise ValueError(f'cycle through {n!r}')
            state[n] = 'busy'
            for m in sorted(self.edges[n]):
                visit(m)
            state[n] = 'done'
            out.append(n)
        for n in sorted(self.edges):
            visit(n)
        return out[::-1]

    def dijkstra(self, start):
        dist, done = {start: 0}, set()
        while True:
            todo = [(d, n) for n, d in dist.items() if n not in done]
            if not todo:
                return dist
            d, n = min(todo)
            done.add(n)
            for m, w in self.edges[n].items():
                if d + w < dist.get(m, float('inf')):
                    dist[m] = d + w


class UnionFind:
    def __init__(self):
        self.parent = {}

    def find(self, x):
        p = self.parent.setdefault(x, x)
        if p != x:
            self.parent[x] = p = self.find(p)
        return p

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        self.parent[b] = a
        return True

    def groups(self):
        out = {}
        for x in self.parent:
            out.setdefault(self.find(x), []).append(x)
        return sorted(sorted(g) for g in out.values())


g = Graph([('a', 'b'), ('a', 'c'), ('b', 'd'), ('c', 'd'), ('d', 'e')])
print(g.bfs('a'), g.dfs('a'), g.topological())
g.add('e', 'a')
try:
    g.topological()
except ValueError as e:
    print(e)
w = Graph([(0, 1, 4), (0, 2, 1), (2, 1, 2), (1, 3, 5), (2, 3, 8), (3, 4, 3)])
print(dict(sorted(w.dijkstra(0).items())))
u = UnionFind()
print([u.union(a, b) for a, b in [(1, 2), (3, 4), (2, 4), (1, 3), (5, 5), (6, 7)]], u.groups())


def queens(n, row=0, cols=(), d1=(), d2=()):
    if row == n:
        return 1
    return sum(queens(n, row + 1, cols + (c,), d1 + (row + c,), d2 + (row - c,))
               for c in range(n) if c not in cols and row + c not in d1 and row - c not in d2)


print([queens(n) for n in range(1, 7)])


def permutations(items):
    if len(items) <= 1:
        return [list(items)]
    return [[x] + rest for i, x in enumerate(items) for rest in permutations(items[:i] + items[i + 1:])]


print(len(permutations([1, 2, 3, 4])), permutations('abc'))


def maze(text):
    grid = text.split()
    start, end = [(r, c) for r, row in enumerate(grid) for c, v in enumerate(row) if v in 'SE']
    if grid[start[0]][start[1]] == 'E':
        start, end = end, start
    frontier, came = [start], {start: None}
    for cell in frontier:
        r, c = cell
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            n = r + dr, c + dc
            if 0 <= n[0] < len(grid) and 0 <= n[1] < len(grid[0]) and grid[n[0]][n[1]] != '#' and n not in came:
                came[n] = cell
                frontier.append(n)
    path = []
    while end is not None:
        path.append(end)
        end = came[end]
    return path[::-1]


print(maze('S.# ..# #.E'), len(maze('S... ###. E... ')))
