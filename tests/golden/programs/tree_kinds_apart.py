# Trees whose leaves are equal and whose kinds, classes or orders are not.
import collections
import jax

A, B = collections.namedtuple('A', 'x y'), collections.namedtuple('B', 'x y')
ints = collections.defaultdict(int, b=1, a=2)
lists = collections.defaultdict(list, b=1, a=2)
ordered = collections.OrderedDict(b=1, a=2)
plain = dict(b=1, a=2)
trees = {'ints': ints, 'ints again': collections.defaultdict(int, a=3, b=4), 'lists': lists, 'ordered': ordered, 'other order': collections.OrderedDict(a=1, b=2), 'plain': plain, 'A': A(1, 2), 'B': B(1, 2), 'pair': (1, 2), 'list': [1, 2]}
for name, tree in trees.items():
    leaves, structure = jax.tree.flatten(tree)
    print(name, leaves, [other for other, t in trees.items() if jax.tree.structure(t) == structure], jax.tree.map(lambda x: x + 1, tree))
