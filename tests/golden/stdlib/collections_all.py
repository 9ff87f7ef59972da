from collections import *
import collections
P = namedtuple('P', 'x y')
p = P(1, y=2)
print(p, p.x, p[1], p._asdict(), p._replace(x=5), P._fields, P._make([3,4]), p == (1,2), isinstance(p, tuple), len(p))
x, y = p
print(x, y, P.__doc__, P.__name__, P.__module__, hash(p)==hash((1,2)), P.x.__doc__)
for f in [lambda: P(1), lambda: P(1,2,3), lambda: P(1,2,z=3), lambda: P(1,x=2), lambda: namedtuple('A','a a'), lambda: namedtuple('A','1a'), lambda: namedtuple('A','_a'), lambda: namedtuple('A','class'), lambda: p._replace(q=1), lambda: P._make([1]), lambda: setattr(p,'x',1), lambda: P()]:
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
Q = namedtuple('Q', ['a','b','c'], defaults=[1,2])
print(Q(0), Q._field_defaults, Q(0, c=9), namedtuple('R', 'a def a _x', rename=True)._fields)
try: Q(1,2,3,4)
except TypeError as e: print(e)
class S(namedtuple('S', 'u v')):
    def s(self): return self.u + self.v
    @property
    def t(self): return self.u * 10
s = S(1,2); print(s, s.s(), s.t, s._replace(u=4))
match s:
    case S(a, b): print('m', a, b)
d = defaultdict(list); d['a'].append(1); d['b'].append(2); print(d, dict(d), d['zz'], len(d), d.default_factory)
d2 = defaultdict(int, {'q': 3}, z=4); d2['q'] += 1; print(d2, d2.copy(), d2 | {'n': 1}, d2.get('nope'))
try: defaultdict(None)['x']
except KeyError as e: print('KeyError', e)
try: defaultdict(3)
except TypeError as e: print(e)
c = Counter('abracadabra'); print(c, c.most_common(2), c['zz'], c + Counter('ab'), c - Counter('aaa'), c & Counter('abz'), c | Counter('z'*9), sorted(c.elements()), c.total())
c.update('zzz'); c.subtract({'a': 10}); print(c, -c, +c, Counter(a=1) < Counter(a=2), Counter(a=1)==Counter(a=1,b=0))
o = OrderedDict([('a',1),('b',2),('c',3)]); o.move_to_end('a'); print(o, o.popitem(last=False), list(o), o == OrderedDict([('c',3),('a',1)]), o == {'c':3,'a':1}, o==OrderedDict([('a',1),('c',3)]))
o.move_to_end('a', last=False); print(o, o.keys(), list(reversed(o)), OrderedDict.fromkeys('xy', 0), o | {'n': 1})
q = deque([1,2,3], maxlen=3); q.append(4); q.appendleft(0); print(q, q.maxlen, list(q), q[0], q[-1], len(q), 2 in q)
q = deque('abcde'); q.rotate(2); print(q, q.pop(), q.popleft(), q.index('a'), q.count('b')); q.extend('xy'); q.extendleft('12'); print(q); q.remove('x'); q.insert(1,'I'); q.reverse(); print(q, list(reversed(q)), q + deque('z'), q*2 == q+q, q == deque(q)); del q[0]; q[0]='Z'; print(q)
for f in [lambda: deque().pop(), lambda: deque()[0], lambda: deque([1]).remove(5), lambda: deque([1]).index(5), lambda: deque('ab')['a'], lambda: deque([1],maxlen=-1)]:
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
m = ChainMap({'a':1},{'a':2,'b':3}); print(m['a'], m['b'], sorted(m), len(m), m.new_child({'c':1}), m.parents, 'z' in m, m.get('z', 9))
print(type(P(1,2)), P, collections.deque, defaultdict[str,int], deque[int])
