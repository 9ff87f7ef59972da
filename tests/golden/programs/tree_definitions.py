# What a tree's definition tells of its first level.
import collections

import jax
from jax import tree_util

Pair = collections.namedtuple("Pair", "a b")
for tree in (1, 2), [1, [2, 3]], {"b": 1, "a": 2}, Pair(1, (2, 3)), None, 5, collections.OrderedDict(z=1, y=2):
    treedef = tree_util.tree_structure(tree)
    data = treedef.node_data()
    print(treedef.num_leaves, treedef.num_nodes, data and (data[0].__name__, data[1] and list(data[1])), treedef.children())
