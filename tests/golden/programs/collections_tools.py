# collections: Counter, defaultdict, OrderedDict, deque, namedtuple, ChainMap, UserDict.
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple

c = Counter("mississippi")
print(c, c.most_common(2), c["z"], c.total(), sorted(c.elements())[:4], c - Counter("miss"), c & Counter("mmss"), c + Counter(a=1), c | Counter(m=9))
c.update("zz")
c.subtract({"i": 5})
print(c, +c, -c, Counter(a=1) == Counter(a=1, b=0), Counter([1, 1, 2]) <= Counter([1, 1, 2, 3]))
d = defaultdict(list)
for k, v in [("a", 1), ("b", 2), ("a", 3)]:
    d[k].append(v)
print(d, d["zz"], dict(d), d.get("q"), d.default_factory)
tree = lambda: defaultdict(tree)
t = tree()
t["a"]["b"]["c"] = 1
print(list(t["a"]), t["a"]["b"]["c"])
o = OrderedDict(a=1, b=2, c=3)
o.move_to_end("a")
o.move_to_end("c", last=False)
print(o, o.popitem(), o.popitem(last=False), o, o == {"b": 2}, OrderedDict([(1, 2), (3, 4)]) == OrderedDict([(3, 4), (1, 2)]))
q = deque([1, 2, 3], maxlen=4)
q.append(4), q.append(5), q.appendleft(0)
print(q, q.maxlen, q.popleft(), q.pop(), q.rotate(1), q, q.index(2), q.count(2), 3 in q, q[0], deque("abc") + deque("d"))
q.extend([7, 8]), q.extendleft([9]), q.insert(1, "x") if len(q) < 4 else None
print(q, list(reversed(q)), q.copy() == q, deque([1, 2]) < deque([1, 3]))
P = namedtuple("P", "x y z", defaults=[0])
p = P(1, 2)
print(p, p._asdict(), p._replace(x=9), P._fields, P._field_defaults, p[1], p == (1, 2, 0), P._make([4, 5, 6]), *p)
print(namedtuple("R", ["def", "a", "a"], rename=True)._fields)
m = ChainMap({"a": 1}, {"a": 2, "b": 3})
m["c"] = 5
print(m, m["b"], dict(m), m.maps[0], m.new_child({"a": 0})["a"], m.parents, len(m), list(m))


class Lower(UserDict):
    def __setitem__(self, k, v):
        super().__setitem__(k.lower(), v)


u = Lower(A=1)
u.update(B=2)
print(u, u["a"], "B" in u, "b" in u, UserList([3, 1]) + [2])
for bad in (lambda: P(1), lambda: P(1, 2, 3, 4), lambda: setattr(p, "x", 1), lambda: deque().pop(), lambda: deque(maxlen=-1), lambda: namedtuple("X", "a a"), lambda: OrderedDict().popitem(), lambda: q.remove(99), lambda: m.pop("zzz")):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
