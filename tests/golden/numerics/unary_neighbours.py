# What a function gives for an element does not depend on the elements beside it, nor on where they lie.
import numpy as np

names = ("exp", "exp2", "sin", "cos", "tan", "log", "log2", "log10", "expm1", "log1p")
for dtype in (np.float32, np.float64):
    x = np.linspace(0.01, 60, 400).astype(dtype)
    far = {"exp": 1000, "exp2": 2000, "sin": 1e30, "cos": 1e30, "tan": 1e30, "expm1": 1000, "log1p": 0}
    for name in names:
        function = getattr(np, name)
        with np.errstate(all="ignore"):
            alone = function(x)
            mixed = np.append(x, np.array([far.get(name, np.inf)], dtype))
            wide = np.repeat(mixed, 3)
            print(name, dtype.__name__, *[bool((got == alone).all()) for got in (function(mixed)[:-1], function(wide[::3])[:-1])])
    zeros = np.zeros(4, dtype) * -1
    print([bool(np.signbit(getattr(np, name)(zeros)).all()) for name in ("sin", "tan", "expm1", "log1p")])
