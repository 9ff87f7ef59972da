# Where results go (out=), of which elements they are (where=), types that are checked (strict=), streams that are placed (Philox).
import ml_dtypes
import numpy as np

a = np.arange(6.0).reshape(2, 3)
sums = np.zeros(3, np.int32)
print(np.cumsum([3, 0, 5], out=sums), sums, a.cumprod(0, out=np.empty((2, 3))), a.cumsum(out=np.empty(6)))
for f in (np.var, np.std):
    print(f(a, axis=0, out=np.zeros(3)), f(a, where=a > 1), f(a, axis=1, where=[[True, False, True]], keepdims=True), f(a, correction=1), f(a, mean=a.mean()))
    try:
        f(a, ddof=1, correction=1)
    except ValueError as error:
        print(error)
print(a.var(0, None, None, 1), a.std(ddof=1, keepdims=True), np.round([1.25, 2.35], 1, out=np.zeros(2)), a.round(out=np.empty((2, 3))), a.clip(1, 2, out=np.empty((2, 3))))
print(np.take(a, [0, 5, 9], out=np.zeros(3), mode="clip"), a.take([1], 1, None, "wrap"), np.compress([True, False], a, 0), np.trace(np.ones((2, 3, 3)), 1, 1, 2), a.trace(dtype=np.float32).dtype,
      a.dot(a.T, out=np.zeros((2, 2))), np.hstack(([1], [2.5]), dtype=np.float32).dtype, np.vstack(([1], [2]), dtype=np.int8).dtype)
for check in (lambda: np.testing.assert_allclose(np.ones(2, np.float32), np.ones(2), strict=True), lambda: np.testing.assert_allclose(np.ones(2), 1, strict=True),
              lambda: np.testing.assert_array_less(np.zeros(2), 1, strict=True), lambda: np.testing.assert_equal(np.zeros(2), 0, strict=True), lambda: np.testing.assert_array_less(np.zeros(2), np.ones(2), strict=True)):
    try:
        check()
        print("holds")
    except AssertionError as error:
        print(error)
stream = np.random.Generator(np.random.Philox(key=5, counter=3))
print(stream.random(2), stream.integers(1 << 40, size=2), np.random.Generator(np.random.Philox(7, counter=[1, 2, 3, 4])).random(), np.random.Generator(np.random.Philox(key=2 ** 100 + 1)).random())
for wrong in (dict(seed=1, key=2), dict(key=1 << 128), dict(counter=-1), dict(key=[1, 2, 3])):
    try:
        np.random.Philox(**wrong)
    except ValueError as error:
        print(error)
x = np.arange(3)
x.resize((2, 2))
print(x, x.flags.owndata, x[0].flags.owndata)
for wrong in (lambda: x[0].resize(5), lambda: x.T.view(np.int32), lambda: np.matmul(1, x), lambda: np.einsum("ij", x, x)):
    try:
        print(wrong())
    except ValueError as error:
        print(error)
np.seterr(all="raise")
for value, kind in ((1e39, np.float32), (7e4, np.float16), (np.inf, np.float32), (3.4e38, np.float32), (np.nan, int)):
    try:
        print(np.array([value]).astype(kind))
    except FloatingPointError as error:
        print(error)
print(ml_dtypes.finfo(ml_dtypes.bfloat16).max, ml_dtypes.iinfo(ml_dtypes.int4).max)
