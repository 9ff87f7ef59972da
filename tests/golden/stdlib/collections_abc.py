from collections.abc import *
import collections.abc as ca
import collections
kinds = [Hashable, Iterable, Iterator, Reversible, Sized, Container, Collection, Callable, Set, MutableSet, Mapping, MutableMapping, Sequence, MutableSequence, KeysView, ItemsView, ValuesView, ByteString, Generator]
values = {'int': 5, 'str': 'a', 'list': [], 'tuple': (), 'dict': {}, 'set': set(), 'frozenset': frozenset(), 'range': range(3), 'bytes': b'', 'iter': iter([]), 'keys': {}.keys(), 'items': {}.items(), 'values': {}.values(), 'func': len, 'lambda': lambda: 1, 'none': None, 'zip': zip(), 'type': int, 'deque': collections.deque(), 'dd': collections.defaultdict(int), 'counter': collections.Counter(), 'nt': collections.namedtuple('N','a')(1)}
for n, v in values.items():
    print(n, [k.__name__ for k in kinds if isinstance(v, k)])
class M(Mapping):
    def __init__(self, d): self.d = d
    def __getitem__(self, k): return self.d[k]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
m = M({'a': 1, 'b': 2})
print(m.get('a'), m.get('z', 9), 'a' in m, 'z' in m, list(m.keys()), list(m.items()), list(m.values()), m == {'a': 1, 'b': 2}, m.keys() & {'a'}, ('a', 1) in m.items(), dict(m), {**m}, len(m.keys()))
class MM(MutableMapping, M):
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
x = MM({}); x.update(a=1); x['b'] = 2; print(x.pop('a'), x.setdefault('q', 5), sorted(x), x.popitem(), x.pop('zz', None)); x.clear(); print(len(x))
class S(Sequence):
    def __len__(self): return 4
    def __getitem__(self, i):
        if isinstance(i, slice): return list(range(4))[i]
        if i >= 4: raise IndexError
        return i * i
s = S(); print(list(s), 4 in s, s.index(4), s.count(1), list(reversed(s)), isinstance(s, Sequence), issubclass(S, Iterable))
try: Sequence()
except TypeError as e: print(e)
try:
    class T(Mapping): pass
    T()
except TypeError as e: print(e)
class Q(Set):
    def __init__(self, it): self.s = list(dict.fromkeys(it))
    def __contains__(self, x): return x in self.s
    def __iter__(self): return iter(self.s)
    def __len__(self): return len(self.s)
print(list(Q([1,2]) | Q([2,3])), list(Q([1,2]) & Q([2])), list(Q([1,2]) - Q([2])), Q([1]) <= Q([1,2]), Q([1]) == Q([1]), Q([1,2]).isdisjoint([3]), list(Q([1,2]) ^ Q([2,3])))
print(Callable[[int], str], Sequence[int], Mapping[str, int], ca.Iterable[int], Callable[..., int])
class Cb:
    def __call__(self): pass
print(isinstance(Cb(), Callable), isinstance(Cb, Callable), issubclass(list, Sequence), issubclass(dict, Mapping), isinstance(5, (Sequence, int)))
class Unh: __hash__ = None
print(isinstance(Unh(), Hashable), isinstance(object(), Hashable))
