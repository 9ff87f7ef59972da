# Views of an OrderedDict, of a class derived from one, and of a dict that only has its name.
import collections


class Derived(collections.OrderedDict):
    pass


def named():
    class OrderedDict(dict):
        pass
    return OrderedDict


for make in (dict, collections.OrderedDict, Derived, named(), collections.Counter):
    d = make(a=1, b=2)
    print(d.keys(), d.values(), d.items())
