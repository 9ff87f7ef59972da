# A dict takes what a derived one holds, unless that iterates in its own way.
import collections


class Loud(dict):
    def __getitem__(self, key):
        return "asked"


class Own(dict):
    def __iter__(self):
        return iter(["x"])

    def keys(self):
        return ["x"]

    def __getitem__(self, key):
        return "own"


d = {}
d.update(Loud(a=1))
print(dict(Loud(a=1)), d, {**Loud(a=1)}, dict(Own(a=1)), {**Own(a=1)}, dict(collections.Counter("aab")), dict(collections.OrderedDict(b=1)))
