# One axis where one is asked for, axes outside of an array, ways to take quantiles, and edges of smaller functions.
import numpy as np

a = np.arange(12.0).reshape(3, 4)


def tell(name, call):
    try:
        print(name, repr(call()))
    except Exception as error:
        print(name, type(error).__name__, error)


for name in ("sort", "argsort", "cumsum", "cumprod"):
    for axis in ((), (0, 1), None):
        tell(name, lambda: getattr(np, name)(a, axis=axis))
tell("sort", lambda: a.copy().sort(axis=(0,)))
tell("concatenate", lambda: np.concatenate([a, a], axis=(0,)))
for name in ("mean", "var", "std"):
    for axis in (2, -3, (0, 5)):
        tell(name, lambda: getattr(np, name)(a, axis=axis))
tell("lcm", lambda: (np.lcm(np.int8(100), np.int8(100)), np.lcm.accumulate(np.array([250, 3, 7], np.uint8)), np.lcm([4, 0, -6], [6, 5, 4])))
tell("heaviside", lambda: (np.heaviside(np.array([1, -1, 0], np.float32), 2.5), np.heaviside(np.array([1, 0], np.uint8), 3), np.heaviside([-1, 0], [2, 3])))
tell("ptp", lambda: (np.ptp(a, axis=1, keepdims=True), np.ptp(a, axis=0, out=np.zeros(4)), np.ptp(np.array([3, 1], np.int8))))
for ends in ((1, 1000), (-1, -8), (1j, 8j), (1, 0), ([1, 2], [8, 16]), (np.float32(1), np.float32(8))):
    tell("geomspace", lambda: np.geomspace(*ends, 4))
tell("geomspace", lambda: (np.geomspace([1, 2], [8, 16], 4, axis=-1), np.geomspace(1, 256, 9, dtype=int), np.geomspace(1, 8, 4, endpoint=False), np.geomspace(1, 8, 0)))
tell("logspace", lambda: (np.logspace(0, 1, 3, base=[2, 3], axis=0), np.logspace(0, 1, 3, base=[2, 3], axis=-1), np.logspace(0, 2, 3, base=2, dtype=int)))
tell("indices", lambda: np.indices((2, 3), sparse=True))
for name, args, kwargs in (("meshgrid", ([1],), {"indexing": "zz"}), ("linspace", (0, 1, 2.5), {}), ("unravel_index", ([1, 5], (2, 3)), {"order": "F"}),
                           ("unravel_index", (4, (2, 3)), {"order": "K"}), ("ravel_multi_index", (([0, 2], [1, 2]), (2, 3)), {"mode": "clip"}),
                           ("ravel_multi_index", (([0, -1], [1, 5]), (2, 3)), {"mode": ("wrap", "clip")}), ("ravel_multi_index", (([0, 1], [1, 2]), (2, 3)), {"order": "F"}),
                           ("ravel_multi_index", ((3, 1), (2, 3)), {}), ("resize", ([1, 2], -1), {}), ("base_repr", (5, 40), {}), ("base_repr", (5, 1), {}),
                           ("binary_repr", (5, 2), {}), ("isin", ([1.5], [1.5]), {"kind": "table"}), ("common_type", (np.array([1j]),), {})):
    tell(name, lambda: getattr(np, name)(*args, **kwargs))

x, y, holes = np.array([3.0, 1, 4, 1, 5, 9, 2, 6]), np.array([[3, 1, 4], [1, 5, 9]]), np.array([1, np.nan, 3, 7.0])
for method in ("inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen weibull linear median_unbiased normal_unbiased lower "
               "higher midpoint nearest").split():
    for q in (0, 0.1, 0.25, 0.3, 0.5, 0.625, 0.9, 1, [0, 0.2, 0.5, 0.99, 1]):
        tell(f"{method} {q}", lambda: (np.quantile(x, q, method=method), np.quantile(y, q, axis=0, method=method), np.nanquantile(holes, q, method=method)))
tell("weights", lambda: np.quantile([1, 2, 3, 4], 0.3, weights=[1, 2, 1, 1]))
for kind in (np.dtype("f4"), np.dtype("i8"), np.dtype(bool)):
    print([getattr(kind, name) for name in "fields names subdtype metadata hasobject isnative isbuiltin base".split()])
