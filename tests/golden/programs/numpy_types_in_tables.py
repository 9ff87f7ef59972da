import numpy as np
def table(rows, head):
    widths = [max(len(str(r[i])) for r in [head, *rows]) for i in range(len(head))]
    sep = "+".join("-" * (w + 2) for w in widths); print(sep)
    for r in [head, *rows]: print("|".join(f" {str(c):>{w}} " for c, w in zip(r, widths)))
    print(sep)
rows = []
for dt in (np.float16, np.float32, np.float64, np.int8, np.uint16, np.complex64):
    a = np.arange(10).astype(dt); rows.append((np.dtype(dt).name, a.itemsize, a.sum(), a.mean(), a.dtype.kind, a.dtype.char, a.dtype.str, a.dtype.num))
table(rows, ("name", "size", "sum", "mean", "kind", "char", "str", "num"))
for dt in (np.float16, np.float32, np.float64):
    f = np.finfo(dt); print(dt.__name__, f.eps, f.max, f.tiny, f.bits, f.nmant, f.smallest_normal, f.resolution)
print(np.iinfo(np.int16), np.iinfo("u1").max, np.finfo(np.float32))
np.set_printoptions(precision=3, suppress=True, linewidth=60, threshold=20)
print(np.arange(100) / 7, np.random.default_rng(1).random((3, 3)) * 1e-5, np.array([1e10, 1.]))
with np.printoptions(precision=8, formatter={"float": "{:.1e}".format}): print(np.array([1.5, 2e5]))
print(np.array2string(np.arange(5.), separator=", ", prefix="a = "), np.array_repr(np.ones(2)), np.format_float_positional(1e-7), np.format_float_scientific(12345.6, precision=2), np.array_str(np.eye(2)))
print(np.get_printoptions()["precision"], repr(np.float32(1.1)), np.float64(2.5), repr(np.int8(3)), repr(np.bool_(True)), repr(np.complex64(1 + 2j)), [np.float32(.1)], {"a": np.int64(3)})
print(repr(np.array([[1.5, np.nan], [np.inf, -0.0]])), repr(np.array([], np.float32)), repr(np.zeros((0, 3))), repr(np.array([True, False])), repr(np.array(5)), repr(np.arange(3, dtype=np.uint8)), repr(np.array([1 + 2j, 3])))
