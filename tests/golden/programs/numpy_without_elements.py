# numpy: what has no dimensions or no elements, what is stored as another type, choices and edges of complex numbers.
import numpy as np, warnings
warnings.simplefilter("ignore")


def t(text, **names):
    try:
        r = eval(text, {"np": np, **names})
        print(text, "->", type(r).__name__, getattr(r, "dtype", ""), getattr(r, "shape", ""), repr(r)[:90])
    except Exception as e:
        print(text, "->", type(e).__name__, str(e)[:80])


for kind in ("bool", "int16", "float32"):
    a = np.zeros(3, kind)
    for text in ("np.full_like(a, 1j)", "a.fill(1j)", "a.__setitem__(..., 1j)", "a.__setitem__(0, 2j)", "np.put(a, [0], 1j)", "np.array([1j], a.dtype)", "a.__setitem__([0, 1], 1j)",
                 "np.putmask(a, [True, False, False], 1j)"):
        t(text, a=a)
a = np.array([1 + 2j, 3, 0])
for text in ("np.histogram(a, 4)", "np.histogram_bin_edges(a, 3)", 'np.histogram(a.astype("complex64"), 2)'):
    t(text, a=a)
for kind in ("uint64", "uint32", "int8", "bool", "float32"):
    a = np.array([6, 4], kind)
    for text in ("np.gcd(a, 6)", "np.lcm(a, 6)", "np.gcd(6, a)", "np.gcd(a, np.int64(3))"):
        t(text, a=a)
for text in ("np.take(a, [-1, 0, 0], 0)", "np.take(a, np.array([], int), 0)", "np.repeat(a, 2, 0)", "np.compress([True], a, 0)", "np.argmax(a, -1, keepdims=True)", "np.fft.fftshift(a)",
             'np.take_along_axis(a, np.argsort(a, -1, kind="stable"), -1)', "np.put_along_axis(a, np.argmax(a, -1, keepdims=True), 3, -1)", "np.lexsort((a, a))", "np.digitize(1, a)",
             "np.nonzero(a)", "np.ravel_multi_index((), a.shape)", "np.take(a, 0, 1)"):
    t(text, a=np.array(5))
e, m, rng = np.zeros((2, 0), "int8"), np.arange(6.0).reshape(2, 3), np.random.default_rng(1)
t("rng.permuted(a, axis=1)", a=e, rng=rng)
t("rng.permuted(a, axis=-1)", a=np.zeros(0, int), rng=rng)
t("rng.permuted(a, axis=None).tolist()", a=np.arange(12, dtype="uint8").reshape(3, 4).copy(order="F"), rng=rng)
for shape in ((0, 2), (2, 0), (3, 0, 2)):
    t("np.linalg.pinv(a)", a=np.zeros(shape, "uint64"))
t("np.linalg.lstsq(a, b, rcond=None)[0]", a=m.astype("float16"), b=np.zeros(3))
t("np.lexsort((a, b))", a=np.arange(3), b=np.arange(2))
for n in (1, 2, 3):
    t(f'np.arange(0, {n}, 1, "bool")')
t("np.gradient(a)", a=np.array([[0, 1, 1], [1, 0, 0]], bool))
for text in ("np.choose([0, 1], [np.uint8(3), -1])", "np.choose([0, 1], [np.uint8(3), 300])", "np.maximum.at(a, np.array([], int), [5, 6])", "np.add.at(a, [0, 0], np.ones(3))"):
    t(text, a=np.zeros(2))
for text in ("np.round(a, 1)", "np.interp([0.5], [0, 1], [1.0, 2.0])", "np.clip([1], 0, 1)", "np.round(np.arange(3))"):
    r = eval(text, {"np": np, "a": m})
    print(text, r.base is None, r.flags.owndata)
for text in ("np.interp(c, [0, 1], [2, 3])", "np.quantile(c, 0.3, 1)", "np.nanpercentile(c, 30)", "np.packbits(np.array(1, np.uint8), axis=-1)", "np.unpackbits(np.array(1, np.uint8), axis=-1)",
             "np.put(np.zeros(0), [0], 1j)", "np.linalg.inv(np.eye(2)).base is None", "np.linalg.qr(np.eye(2))[0].flags.owndata", "np.vectorize(abs)([1]).base is None"):
    t(text, c=np.array([1 + 2j, 3]))
b = np.arange(6)
b.flags.writeable = False
for text in ("b[1:].setflags(write=True)", "np.frombuffer(b'ab', np.uint8).setflags(write=True)", "b.setflags(write=True)", "np.add.at(b, [0], 1)", "b",
             "np.bincount(np.zeros(0))", "np.bincount([])", "np.gradient(np.zeros((1, 3), bool))", "np.linalg.pinv(np.zeros(3))", "np.linalg.pinv(np.zeros(0))"):
    t(text, b=b)
