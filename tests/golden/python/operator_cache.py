# Changing classes while instances exist: methods and operators added, replaced and removed later.
class A:
    def f(self):
        return 'first'


a = A()
print(a.f())
A.f = lambda self: 'second'
print(a.f())


class B(A):
    pass


b = B()
print(b.f())
A.f = lambda self: 'third'
print(b.f(), a.f())
B.f = lambda self: 'own'
print(b.f(), a.f())
del B.f
print(b.f())
del A.f
try:
    b.f()
except AttributeError as e:
    print(e)
try:
    len(a)
except TypeError as e:
    print(e)
A.__len__ = lambda self: 42
print(len(a), len(b), bool(b))
A.__bool__ = lambda self: False
print(bool(a), bool(b))
A.__add__ = lambda self, o: ('add', o)
print(a + 1, b + 2)
B.__add__ = lambda self, o: ('badd', o)
print(a + 1, b + 2)
a.__add__ = lambda o: 'instance attributes do not count'
print(a + 3)
A.__getattr__ = lambda self, name: f'dynamic {name}'
print(a.anything, b.other)
del A.__getattr__
print(hasattr(a, 'anything'))
A.__call__ = lambda self, x: x * 2
print(a(21))
A.__eq__ = lambda self, o: True
print(a == 5, a != 5, hash(a) == hash(a))
A.__setattr__ = lambda self, n, v: object.__setattr__(self, n, (n, v))
a.z = 1
print(a.z)
del A.__setattr__
a.z = 1
print(a.z)
A.prop = property(lambda self: 'prop')
print(a.prop, b.prop)
A.prop = 5
a.prop = 6
print(a.prop, b.prop)
A.__repr__ = lambda self: 'A!'
print(a, b, [a])
A.__iter__ = lambda self: iter('it')
print(list(a), [*b])
A.__contains__ = lambda self, x: x == 'in'
print('in' in a, 't' in a)
A.__class_getitem__ = classmethod(lambda cls, k: (cls.__name__, k))
print(A['x'], B['y'])
A.__enter__ = lambda self: 'entered'
A.__exit__ = lambda self, *x: None
with a as v:
    print(v)


class C:
    x = 1


for i in range(3):
    C.x += i
    print(C().x, end=' ')
print()
setattr(C, 'y', 2)
print(C.y, getattr(C, 'z', None), C.__dict__.get('y'))
C.__name__ = 'Renamed'
print(C.__name__, type(C()).__name__)
