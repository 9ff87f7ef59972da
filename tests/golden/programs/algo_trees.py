# Trees: binary search, traversal by generators, tries, union-find, LRU.
class Node:
    __slots__ = "key left right".split()
    def __init__(self, key): self.key, self.left, self.right = key, None, None
def insert(n, k):
    if n is None: return Node(k)
    if k < n.key: n.left = insert(n.left, k)
    elif k > n.key: n.right = insert(n.right, k)
    return n
def walk(n):
    if n:
        yield from walk(n.left)
        yield n.key
        yield from walk(n.right)
root = None
for k in [5, 2, 8, 1, 9, 3, 5]: root = insert(root, k)
depth = lambda n: 0 if n is None else 1 + max(depth(n.left), depth(n.right))
trie = {}
for w in ("to", "tea", "ten", "inn"):
    t = trie
    for c in w: t = t.setdefault(c, {})
    t["$"] = w
def words(t): return [w for k, v in sorted(t.items()) for w in ([v] if k == "$" else words(v))]
parent = list(range(8))
def find(x):
    while parent[x] != x: parent[x] = x = parent[parent[x]]
    return x
for a, b in [(0, 1), (2, 3), (1, 3), (5, 6)]: parent[find(a)] = find(b)
print(list(walk(root)), depth(root), words(trie), len({find(i) for i in range(8)}), find(0) == find(2), words(trie["t"]))
