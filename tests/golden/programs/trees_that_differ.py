# What jax.tree.map says first of trees that do not fit.
import jax

for a, b in [({"l": [1, 2], "s": 1}, {"l": [1], "s": 1}), ((1, 2), (1,)), ([1], (1,)), ({"a": 1}, {"b": 1}), ({"a": 1}, {"a": 1, "b": 2}), (None, 1), ([1, {"x": (1, 2)}], [1, {"x": 1}])]:
    try:
        print(jax.tree.map(lambda a, b: 0, a, b))
    except ValueError as e:
        print(*str(e).splitlines()[:2], sep="\n")
