# One place of the program that asks for an attribute or calls a method, while what that is changes.
import gc
import weakref


class Base:
    def kind(self):
        return 'base'


class Plain(Base):
    def __init__(self, x):
        self.x = x


class Slotted:
    __slots__ = ('x', 'kind')

    def __init__(self, x):
        self.x = x


def get(o):
    return o.x


def put(o, value):
    o.x = value
    return o.x


def add(o):
    o.x += 1
    return o.x


def call(o):
    return o.kind()


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return f'{type(error).__name__}: {error}'


p, q = Plain(1), Plain(2)
print([get(p), get(q), put(p, 3), add(p), add(q), call(p), call(q)])
# An instance gets a method of its own, and loses it.
p.kind = lambda: 'own'
print([call(p), call(q)])
del p.kind
print([call(p), call(q)])
# The class gets one, another one, and loses it; so does the base.
for which, cls in ('plain', Plain), ('second', Plain), ('other base', Base):
    cls.kind = lambda self, which=which: which
    print([call(p), call(q)])
del Plain.kind
print([call(p), call(q)])
del Base.kind
print([outcome(call, p), get(p)])
Base.kind = staticmethod(lambda: 'static')
print([call(p)])
Base.kind = classmethod(lambda cls: cls.__name__)
print([call(p), call(q)])
Base.kind = 5
print([outcome(call, p)])
Base.kind = Base.__new__(Base).__class__.__init__
print([outcome(call, p)])
Base.kind = lambda self: 'again'
print([call(p)])


# What the class says of x: a default, a property, one that cannot be set, nothing again.
Plain.x = 'default'
print([get(p), put(p, 5)])
del p.x
print([get(p), add(Plain(6)), outcome(add, p)])
p.x = 7
Base.x = property(lambda self: 'base property')
print([get(p), put(p, 8)])
Plain.x = property(lambda self: 'property', lambda self, value: print('set', value))
print([get(p), put(p, 9), outcome(add, p)])
Plain.x = property(lambda self: 10)
print([get(p), outcome(put, p, 9), outcome(add, p)])
del Plain.x, Base.x
print([get(p), put(p, 11), add(p)])


class Data:
    def __get__(self, instance, owner):
        return 'descriptor'

    def __set__(self, instance, value):
        print('to the descriptor:', value)


Plain.x = Data()
print([get(p), put(p, 12)])
del Data.__set__
print([get(p), put(p, 13)])
del Plain.x


# Hooks that come later.
def getattribute(self, name):
    return (name, object.__getattribute__(self, '__dict__').get(name))


Base.__getattribute__ = getattribute
print([get(p), outcome(call, p)])
del Base.__getattribute__
print([get(p), call(p)])
Base.__setattr__ = lambda self, name, value: object.__setattr__(self, name, -value)
print([put(p, 14), add(p)])
del Base.__setattr__
print([put(p, 14), add(p)])
Plain.__getattr__ = lambda self, name: 'lacking ' + name
del p.x
print([get(p), put(p, 15)])


# Another class for the same instance.
class Other:
    x = 'of the other class'

    def kind(self):
        return 'other'


p.__class__ = Other
print([get(p), call(p)])
del p.x
print([get(p), call(p)])
Base.kind = Other.kind
print([call(q), get(q)])

# Slots, and many classes in turn.
s = Slotted(1)
print([get(s), put(s, 2), add(s), outcome(call, s)])
s.kind = lambda: 'slot'
print([call(s)])
del s.x
print([outcome(get, s), put(s, 3)])
many = [type(f'C{i}', (Base,), {'kind': lambda self, i=i: i, 'x': i})() for i in range(5)]
print([(get(o), call(o), add(o), get(o)) for o in many * 2])
print([call(o) for o in (q, s, many[1], p, many[2], q, s)])

# Natives, and classes that derive from them.


def grow(o):
    o.append(1)
    return len(o)


class Louder(list):
    def append(self, item):
        super().append(item)
        super().append(item)


print([grow(o) for o in ([], bytearray(), Louder(), [], Louder([5]))])
Louder.append = lambda self, item: None
print([grow(o) for o in ([], Louder(), Louder([5]))])
del Louder.append
print([grow(o) for o in ([], Louder(), Louder([5]))])


# The place does not keep the class.
def short_lived():
    class Gone:
        def kind(self):
            return 'gone'
    print(call(Gone()), get(type('Gone', (), {'x': 1})()))
    return weakref.ref(Gone)


refs = [short_lived() for _ in range(3)]
garbage = [type(f'T{i}', (), {})() for i in range(50)]
gc.collect()
print(sum(ref() is None for ref in refs) >= 2)
