# What takes every keyword takes those, too, that are its own parameters' names in C.
import collections
import types
import typing
import unittest.mock


class D(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)


class E(Exception):
    def __init__(self, *a, **k):
        super().__init__(*a)
        self.k = k


class G(typing.Generic[typing.TypeVar("T")]):
    def __new__(c, **k):
        return super().__new__(c)

    def __init__(s, **k):
        s.k = k


names = dict(cls=1, self=2, args=3, kwargs=4, iterable=5, func=6)
print(names, D(**{n: v for n, v in names.items() if n != "self"}), dict.__new__(dict, **names))
print(collections.OrderedDict(**names), collections.Counter(**names), collections.defaultdict(int, **names), sep="\n")
print(types.SimpleNamespace(**names), E(cls=1, args=2).k, G(**names).k, unittest.mock.Mock(return_value=1)(**names), G(**names).k)
