# What is inside of another container is shown as it is alone.
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple
from types import MappingProxyType, SimpleNamespace

inner = defaultdict(list, k=5)
for x in (inner, Counter("aab"), OrderedDict(a=inner), deque([inner], 3), ChainMap({1: inner}), UserDict(a=inner), UserList([inner]),
          MappingProxyType({"a": inner}), SimpleNamespace(a=inner), namedtuple("N", "x")(inner)):
    print(x)
    print([x], (x,), {"a": x}, deque([x]))
