import collections, functools, heapq, itertools, threading, time, queue, weakref, bisect, copy
class LRU(collections.OrderedDict):
    def __init__(self, n): super().__init__(); self.n = n; self.hits = self.miss = 0
    def __getitem__(self, k): v = super().__getitem__(k); self.move_to_end(k); return v
    def __setitem__(self, k, v):
        if k in self: self.move_to_end(k)
        super().__setitem__(k, v)
        if len(self) > self.n: self.popitem(last=False)
c = LRU(3); [c.__setitem__(k, k * 2) for k in 'abc']; c['a']; c['d'] = 4; print(list(c), c['a'], 'b' in c, c.get('zz', 0), LRU.__mro__[1].__name__)
@functools.lru_cache(maxsize=4, typed=True)
def sq(x): return x * x
[sq(x) for x in (1, 2, 3, 1, 1.0, 4, 5, 2)]; print(sq.cache_info(), sq.cache_parameters()); sq.cache_clear(); print(sq.cache_info().currsize)
class Bus:
    def __init__(self): self.h = collections.defaultdict(list); self.log = []
    def on(self, name, prio=0):
        def deco(f): bisect.insort(self.h[name], (-prio, len(self.h[name]), f), key=lambda t: t[:2]); return f
        return deco
    def emit(self, name, *a, **k): return [f(*a, **k) for _, _, f in self.h[name]]
bus = Bus()
@bus.on('x')
def low(v, *, scale=1): return ('low', v * scale)
@bus.on('x', prio=5)
def high(v, **k): return ('high', v, k)
print(bus.emit('x', 3, scale=2), bus.emit('nope'))
class Node:
    __slots__ = ('v', 'l', 'r', '__weakref__')
    def __init__(s, v): s.v, s.l, s.r = v, None, None
    def add(s, v):
        side = 'l' if v < s.v else 'r'; ch = getattr(s, side)
        if ch: ch.add(v)
        else: setattr(s, side, Node(v))
    def __iter__(s):
        if s.l: yield from s.l
        yield s.v
        if s.r: yield from s.r
    def depth(s): return 1 + max((n.depth() for n in (s.l, s.r) if n), default=0)
t = Node(50); [t.add(x) for x in (30, 70, 20, 40, 60, 80, 10)]; print(list(t), t.depth(), [*zip(t, itertools.count())][:2])
class Trie(dict):
    def insert(s, w): functools.reduce(lambda d, ch: d.setdefault(ch, Trie()), w, s)['$'] = w
    def words(s, p=''):
        d = s
        for ch in p:
            if ch not in d: return
            d = d[ch]
        for k in sorted(d): 
            if k == '$': yield d[k]
            else: yield from Trie.words(d[k])
tr = Trie(); [tr.insert(w) for w in 'car card care cat dog do'.split()]; print(list(tr.words('car')), list(tr.words()), list(tr.words('x')))
q = queue.PriorityQueue(); [q.put(x) for x in ((2, 'b'), (1, 'a'), (3, 'c'))]; print([q.get() for _ in range(3)], q.empty()); lock = threading.Lock(); tot = [0]
def work(n):
    for _ in range(n):
        with lock: tot[0] += 1
ts = [threading.Thread(target=work, args=(50,)) for _ in range(4)]; [x.start() for x in ts]; [x.join() for x in ts]; print(tot)
import concurrent.futures as cf
with cf.ThreadPoolExecutor(3) as ex: print(list(ex.map(lambda x: x ** 2, range(6))), ex.submit(pow, 2, 5).result())
a = [1, [2, {'k': (3, [4])}]]; b = copy.deepcopy(a); b[1][1]['k'][1].append(5); print(a, b, copy.copy(a)[1] is a[1]); m = [[0] * 3 for _ in range(2)]; m[0][1] = 7; print(m, list(map(list, zip(*m))), sum(m, []), [x for r in m for x in r if x], {(i, j): v for i, r in enumerate(m) for j, v in enumerate(r) if v})
a, (b, *c), d = 1, (2, 3, 4), 5; print(a, b, c, d, *range(3), {**{'x': 1}, 'y': 2}, [*'ab', *c]); x = y = []; x += [1]; print(y, x is y, (lambda *a, k=1, **kw: (a, k, kw))(1, 2, z=3), [i for i in range(10) if i % 2 if i > 3], dict.fromkeys('ab', 0), {1, 2} ^ {2, 3}, frozenset([1]) | {2}, slice(1, 9, 2).indices(5), sorted({'b': 1, 'a': 2}, key={'b': 1, 'a': 2}.get), any(()), all(()), [1, 2, 3][-2:], 'abc'[::-2], list(range(5, 0, -2)), divmod(17, 5), max([], default='none'), (1, 2) < (1, 3), [] == [], 1 < 2 < 3, not [] or 5, 0 or '' or 'z', 1 and 2, ~5, 5 if 0 else 6)
