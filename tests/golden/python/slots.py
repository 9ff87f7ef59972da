# __slots__: no dict, only the named members.
class P:
    __slots__ = ('x', 'y')

    def __init__(self, x, y):
        self.x = x
        self.y = y


p = P(1, 2)
print(p.x, p.y, hasattr(p, '__dict__'))
try:
    p.z = 3
except AttributeError as e:
    print(e)
try:
    p.__dict__
except AttributeError as e:
    print(e)
del p.x
try:
    p.x
except AttributeError as e:
    print('AttributeError')
p.x = 5
print(p.x, P.__slots__)


class Q(P):
    __slots__ = ('z',)


q = Q(1, 2)
q.z = 3
print(q.x, q.y, q.z)
try:
    q.w = 1
except AttributeError as e:
    print(e)


class R(P):
    pass


r = R(1, 2)
r.w = 9
print(r.w, r.__dict__, r.x)


class S:
    __slots__ = 'only'


s = S()
s.only = 1
print(s.only)
try:
    s.on = 1
except AttributeError as e:
    print(e)

try:
    class T:
        __slots__ = ('x',)
        x = 1
except ValueError as e:
    print(e)


class U:
    __slots__ = ('a', '__dict__')


u = U()
u.a = 1
u.b = 2
print(u.a, u.b, u.__dict__)


class V:
    __slots__ = ()


try:
    V().x = 1
except AttributeError as e:
    print(e)
