# Arrays of texts and objects: making, looking at, comparing, moving and printing them.
import json

import numpy as np


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


names = np.array(["setosa", "versicolor", "virginica"])
print(names, names.dtype, names.shape, names.itemsize, names.nbytes, len(names), names.size, names.ndim)
print(repr(names), [str(n) for n in names], names.tolist(), names[0], repr(names[1]), type(names).__name__, isinstance(names, np.ndarray))
labels = np.random.default_rng(0).integers(0, 3, 12)
picked = names[labels]
print(picked, picked[::-2], picked.reshape(3, 4).T, picked[labels == 1], sep="\n")
values, counts = np.unique(picked, return_counts=True)
print(values, counts, dict(zip(values.tolist(), counts.tolist())), {str(v): int(c) for v, c in zip(values, counts)})
print(np.unique(["b", "a", "b"]), np.unique(picked, return_index=True, return_inverse=True)[1:], json.dumps(picked[:2].tolist()), json.dumps({"k": names[0]}))
print(names == "setosa", names != "setosa", (picked == names[0]).sum(), names == names[::-1], "setosa" in names, names < "versicolor", names == 3)
print(np.where(labels == 0, "zero", "other"), np.where(labels > 1, names[labels], "small"), np.isin(names, ["setosa", "x"]), np.isin(["a", "b"], ["b"]))
print(np.sort(names[::-1]), np.argsort(names[::-1]), names.argsort(), np.searchsorted(names, "v"), np.searchsorted(names, ["a", "z"]))
print(np.concatenate([names, ["x"]]), np.stack([names, names]).shape, np.vstack([names[:2], names[1:]]), np.hstack([names[:1], names[2:]]), np.repeat(["a", "b"], 2), np.tile(names[:1], 3))
print(np.array(["1.5", "2"]).astype(float) + 1, np.array([1, 22]).astype(str), np.array([1.5, 2.0]).astype("U3"), np.array(["7", "8"]).astype(int), np.array([True, False]).astype(str))
print(np.array([["a", "bb"], ["ccc", "d"]]), np.array([["a", "bb"], ["ccc", "d"]]).T.tolist(), np.array("abc"), np.array(["a", 1, 2.5]), repr(np.array(["a", 1])))
print(np.full(3, "ab"), np.full((2, 2), "x"), np.zeros(2, "U5"), repr(np.empty(2, object)), np.array([b"a", b"bc"]), np.array([b"a"]).dtype)
short = np.array(["aa", "bb"])
short[0] = "longer"
short[1:] = "q"
print(short, short + "!", short.astype(object) + "!", np.array(["it's", 'say "x"']))
view = names[1:]
view[0] = "changed"
print(names, names.copy()[0], names.flatten().shape, names.astype("U3"), np.array(names, dtype=object))
mixed = np.array([1, "b", None, [2, 3], {"k": 1}], dtype=object)
print(mixed, repr(mixed), mixed.dtype, mixed[3], mixed.dtype == object, mixed.dtype.kind, names.dtype.kind, np.dtype("U5"), np.dtype(object), repr(np.dtype(str)), repr(np.dtype("S3")))
numbers = np.array([10**30, 2, 3], dtype=object)
print(numbers * 2, numbers + numbers, numbers.sum(), numbers.max(), -numbers[1], numbers > 2, np.array([[1, 2], [3]], dtype=object), np.array([[1, 2], [3, 4]], dtype=object).sum(axis=0))
table = np.empty((2, 2), dtype=object)
table[0, 0] = {"a": 1}
table[1] = [5, "x"]
print(table, table[0, 0], table.shape, [v for row in table for v in row], np.array([object], dtype=object).shape)
print(np.array_equal(names, names.copy()), np.array_equal(["a"], ["b"]), (names == names).all(), names.any() if False else "", np.array(["b", "a"]).tolist(), sorted(names), max(names), ",".join(names))
print(np.random.default_rng(1).choice(["x", "y", "z"], 4), np.random.default_rng(2).permutation(names), np.random.RandomState(0).choice(["a", "b"], 3))
for i, name in enumerate(names):
    print(i, name, f"{name:>10}|{len(name)}", name.upper(), name + "_x", hash(name) == hash(str(name)))
for index, name in np.ndenumerate(np.array([["p", "q"]])):
    print(index, name)
long_names = np.array([f"item{i:03d}" for i in range(30)])
print(long_names)
print(repr(long_names[:9]), repr(np.array([["alpha", "beta"], ["c", "d"]])), repr(np.array(["a" * 70])))
print(np.array([f"n{i}" for i in range(2000)]))
attempt(lambda: names[7])
attempt(lambda: names.reshape(2, 2))
attempt(lambda: names + 1)
attempt(lambda: names.sum())
attempt(lambda: bool(names))
attempt(lambda: np.array(["a", "b"]).astype(float))
attempt(lambda: hash(names))
attempt(lambda: np.testing.assert_array_equal(np.array(["a", "b"]), np.array(["a", "c"])))
np.testing.assert_array_equal(names, names.copy())
print(np.vectorize(len)(names), np.vectorize(str.upper)(names), np.frompyfunc(lambda a, b: a + b, 2, 1)(np.arange(3), 1), np.s_[1:2], np.index_exp[1])
print(np.append(names, "x"), np.ravel("a"), np.union1d(["b"], ["a"]), np.setdiff1d(names, ["setosa"]), np.select([labels[:2] > 5], ["hi"], "lo"))
