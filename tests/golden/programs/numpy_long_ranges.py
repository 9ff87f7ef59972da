# np.arange of lengths beyond memory and beyond int64.
import numpy as np


def show(label, f):
    try:
        print(label, repr(f()))
    except Exception as e:
        print(label, type(e).__name__, e)


for args in ((2**63,), (2**64,), (2**65,), (2**63 - 1,), (2**64, 0), (0, 2**64), (-2**63,), (-2**64,), (2**63, 2**63 + 3), (2**63 - 2, 2**63 + 1), (2**62,),
             (0, 2**63, 2**62), (5, 2**64, -1), (-2**64, 0), (0, -2**64), (2**63, 0, -2**62), (0.0, 2**64), (2**64, 0.0), (10**400,), (np.nan,), (np.inf,),
             (0, 1, np.nan), (0, 5, np.inf), (0, -5, np.inf), (5, 5, np.inf), (2**63 - 600,), (-2**63, 2**63 - 1), (2**63 - 1, -2**63), (1e19,), (2.0**63,),
             (2**62, 2**62 + 2), (0, 2**64, 0), (0, 1, 0), (3,), (True,), (2.5,), (5, 1, -2)):
    show(args if max(map(abs, args)) < 10**20 or len(args) > 1 else "big", lambda: np.arange(*args))
for dtype in ("u8", "f8", "f4"):
    for args in ((2**64,), (2**64, 0), (2**63, 2**63 + 3)):
        show((args, dtype), lambda: np.arange(*args, dtype=dtype))
show("floats", lambda: np.arange(2**64, 2**64 + 3, dtype="f8"))
show("too big", lambda: np.zeros(2**62))
