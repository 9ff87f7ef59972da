# Nested data: building, walking, copying, merging, grouping, flattening trees of dicts and lists.
import copy
data = {'users': [{'name': 'a', 'tags': ['x', 'y'], 'age': 3}, {'name': 'b', 'tags': [], 'age': 5}], 'meta': {'n': 2, 'ok': True}}


def walk(node, path=()):
    match node:
        case dict():
            return [leaf for k, v in node.items() for leaf in walk(v, path + (k,))]
        case list() | tuple():
            return [leaf for i, v in enumerate(node) for leaf in walk(v, path + (i,))]
        case _:
            return [(path, node)]


for path, leaf in walk(data):
    print('.'.join(map(str, path)), '=', leaf)


def get(node, path, default=None):
    for part in path.split('.'):
        try:
            node = node[int(part) if isinstance(node, list) else part]
        except (KeyError, IndexError, TypeError, ValueError):
            return default
    return node


print(get(data, 'users.1.name'), get(data, 'users.7.name', 'none'), get(data, 'meta.n.deep', 'none'), get(data, 'users.x', 0))


def merge(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return {k: merge(a[k], b[k]) if k in a and k in b else a.get(k, b.get(k)) for k in {**a, **b}}
    return b


print(merge(data['meta'], {'n': 9, 'new': [1]}), merge({'a': {'b': 1, 'c': 2}}, {'a': {'b': 5}}))
shallow, deep = copy.copy(data), copy.deepcopy(data)
data['users'][0]['tags'].append('z')
data['meta'] = 'replaced'
print(shallow['users'][0]['tags'], deep['users'][0]['tags'], shallow['meta'], deep == shallow)


def tree_map(f, *trees):
    first = trees[0]
    if isinstance(first, dict):
        return {k: tree_map(f, *(t[k] for t in trees)) for k in first}
    if isinstance(first, (list, tuple)):
        return type(first)(tree_map(f, *parts) for parts in zip(*trees))
    return f(*trees)


a = {'w': [1, 2, (3, 4)], 'b': 5}
print(tree_map(lambda v: v * 10, a), tree_map(lambda x, y: x + y, a, a))


def group(items, key):
    out = {}
    for i in items:
        out.setdefault(key(i), []).append(i)
    return out


print(group(range(10), lambda i: i % 3), group('apple bob cat anna'.split(), lambda w: w[0]))
matrix = [[r * 3 + c for c in range(3)] for r in range(3)]
print([list(r) for r in zip(*matrix)], [row[::-1] for row in matrix[::-1]], sum(matrix, []), [matrix[i][i] for i in range(3)])
inverted = {v: k for k, vs in {'even': [0, 2], 'odd': [1, 3]}.items() for v in vs}
print(dict(sorted(inverted.items())), max(inverted, key=inverted.get), sorted(inverted, key=lambda k: (inverted[k], -k)))


def render(node, indent=0):
    pad = '  ' * indent
    if isinstance(node, dict):
        return ''.join(f'{pad}{k}:\n{render(v, indent + 1)}' if isinstance(v, (dict, list)) else f'{pad}{k}: {v!r}\n' for k, v in node.items())
    return ''.join(f'{pad}-\n{render(v, indent + 1)}' if isinstance(v, (dict, list)) else f'{pad}- {v!r}\n' for v in node)


print(render(deep), end='')


class Path:
    def __init__(self, parts=()):
        self.parts = parts

    def __getattr__(self, name):
        return Path(self.parts + (name,))

    def __getitem__(self, i):
        return Path(self.parts + (i,))

    def __call__(self, obj):
        for p in self.parts:
            obj = obj[p]
        return obj

    def __truediv__(self, o):
        return Path(self.parts + tuple(o.split('/')))


p = Path()
print(p.users[1].age(deep), (p / 'meta/n')(deep), p.users[0].tags[1](deep))
d = {'b': 1, 'a': 2}
d['c'] = d.pop('b')
d.update(a=5, z=6)
d |= {'q': 7}
print(d, list(d), d.popitem(), d.setdefault('a', 9), d.setdefault('new', []), {**d} == d, dict.fromkeys('ab', 0), d.get('zz', 'dflt'))
print(sorted(d.items(), key=str), [k for k in d if d[k]], any(v == 5 for v in d.values()), 'a' in d.keys(), ('a', 5) in d.items())
s = {1, 2, 3}
print(s & {2, 3, 4}, s - {1}, s ^ {3, 4}, s | {9}, s <= {1, 2, 3, 4}, s.isdisjoint({7}), {1, 2} < s, s == {3, 2, 1}, frozenset(s) == s)
q = [(1, [2, (3, [4])])]
(x, [y, (z, [w])]), = q
print(x, y, z, w)
