# own: names that pallasc knows and does not support are not there to who only asks for them
import hashlib
import numpy as np

print(hasattr(np, "ma"), getattr(np, "ma", "none"), hasattr(np.random.default_rng(0), "jumped"), hasattr(hashlib, "scrypt"), hasattr(np, "sum"))
try:
    np.ma
except NotImplementedError as e:
    print(e)


class Lazy:
    @property
    def value(self):
        raise NotImplementedError("of the program")

    def __getattr__(self, name):
        if name == "other":
            raise NotImplementedError(name)
        raise AttributeError(name)


for name in ("value", "other", "third"):
    try:
        print(name, hasattr(Lazy(), name), getattr(Lazy(), name, 3))
    except NotImplementedError as e:
        print(name, "raises", e)
