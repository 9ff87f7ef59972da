# Classes that derive from OrderedDict and have a __setitem__ of their own: it is what puts all items.
from collections import OrderedDict
class O(OrderedDict):
    def __setitem__(self, k, v):
        super().__setitem__(k, v * 2)
o = O(a=1); o["b"] = 2; o.update(c=3); print(o, dict(o)); o.setdefault("d", 4); print(o); print(O([("x", 1)]), o.copy(), O.fromkeys("ab", 3))
class D(dict):
    def __setitem__(self, k, v): super().__setitem__(k, v * 2)
d = D(a=1); d["b"] = 2; d.update(c=3); print(d)
