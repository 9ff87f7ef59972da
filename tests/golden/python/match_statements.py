# match: every kind of pattern.
class Point:
    __match_args__ = ('x', 'y')

    def __init__(self, x, y):
        self.x, self.y = x, y


class Color:
    RED = 1
    GREEN = 2


def describe(v):
    match v:
        case None:
            return 'none'
        case True | False:
            return f'bool {v}'
        case 0:
            return 'zero'
        case Color.RED:
            return 'red'
        case -1 | -2:
            return 'negative'
        case 2.5:
            return 'float literal'
        case int(n) if n > 100:
            return f'big {n}'
        case int():
            return 'int'
        case 'hello' | 'hi' as word:
            return f'greeting {word}'
        case str(s) if not s:
            return 'empty str'
        case str():
            return 'str'
        case []:
            return 'empty sequence'
        case [x]:
            return f'one {x}'
        case [1, 2, *rest]:
            return f'one two {rest}'
        case [x, [y, z]]:
            return f'nested {x} {y} {z}'
        case [first, *_, last] if first == last:
            return f'same ends {first}'
        case (a, b, *_):
            return f'sequence {a} {b}'
        case {'type': 'circle', 'r': r}:
            return f'circle {r}'
        case {'type': t, **rest}:
            return f'type {t} {rest}'
        case {}:
            return 'mapping'
        case Point(x=0, y=0):
            return 'origin'
        case Point(0, y):
            return f'on y axis {y}'
        case Point(x, y) if x == y:
            return f'diagonal {x}'
        case Point():
            return 'point'
        case float() | list():
            return 'float'
        case _:
            return 'other'


values = [None, True, False, 0, 1, 2, -1, -2, 2.5, 500, 50, 'hello', 'hi', '', 'x', [], [9], (9,), [1, 2],
          [1, 2, 3, 4], [0, [1, 2]], [5, 6, 5], [5, 6, 7], range(2), {'type': 'circle', 'r': 3}, {'type': 'sq', 'a': 1},
          {}, {'q': 1}, Point(0, 0), Point(0, 5), Point(3, 3), Point(1, 2), 7.5, object(), 0.0, b'bytes', {1, 2}]
for v in values:
    print(describe(v))


def binding(v):
    match v:
        case [x, y] | [x, y, _] if x:
            pass
        case x:
            y = None
    return x, y


print(binding([1, 2]), binding([1, 2, 3]), binding([0, 1]), binding('z'))


def partial(v):
    a = 'kept'
    match v:
        case [a, 5]:
            return a
    return a


print(partial([1, 5]), partial([1, 6]))


class Base:
    pass


class Child(Base):
    __match_args__ = ('only',)
    only = 'attr'


def classes(v):
    match v:
        case Child('attr'):
            return 'child'
        case Base():
            return 'base'
        case int(x) | float(x):
            return x
        case dict(d):
            return d
        case tuple((a, b)):
            return a + b
        case [Point(x=px), *others]:
            return px, others
        case {'k': [a, {'deep': b}]}:
            return a, b


print(classes(Child()), classes(Base()), classes(4), classes({'z': 1}), classes((1, 2)), classes([Point(8, 9), 1]))


def mapping(v):
    match v:
        case {'k': [a, {'deep': b}]}:
            return a, b
        case {1: one, 'k': None}:
            return one
        case {'x': Point(x, y) as p, **others}:
            return x, y, p.x, others


print(mapping({'k': [1, {'deep': 2, 'more': 3}]}), mapping({1: 'one', 'k': None}), mapping({'x': Point(1, 2), 'z': 0}))
for pattern_error in (1, 2, 3):
    try:
        match Point(1, 2):
            case Point(1, 2, 3) if pattern_error == 1:
                pass
            case Base(1) if pattern_error == 2:
                pass
            case int(1, 2) if pattern_error == 3:
                pass
            case _:
                print('none')
    except TypeError as e:
        print(e)
try:
    match 5:
        case int(1, 2):
            pass
except TypeError as e:
    print(e)
try:
    match Point(1, 2):
        case Point(1, x=1):
            pass
except TypeError as e:
    print(e)
try:
    f = 3
    match 5:
        case f():
            pass
except TypeError as e:
    print(e)


def loop_control(items):
    out = []
    for i in items:
        match i:
            case 0:
                continue
            case 9:
                break
            case n if n % 2:
                out.append(('odd', n))
            case n:
                out.append(('even', n))
    return out


print(loop_control([0, 1, 2, 9, 5]))
match 1, 2:
    case a, b:
        print(a, b)
match [1, 2]:
    case a, b:
        print(a, b)
command = 'go north'
match command.split():
    case ['go', ('north' | 'south') as direction]:
        print(direction)


class Expr: pass


class Num(Expr):
    __match_args__ = ('n',)
    def __init__(self, n): self.n = n


class Bin(Expr):
    __match_args__ = ('op', 'l', 'r')
    def __init__(self, op, l, r): self.op, self.l, self.r = op, l, r


def ev(e):
    match e:
        case Num(n): return n
        case Bin('+', l, r): return ev(l) + ev(r)
        case Bin('*', Num(0), _) | Bin('*', _, Num(0)): return 0
        case Bin('*', l, r): return ev(l) * ev(r)


print(ev(Bin('+', Num(2), Bin('*', Num(3), Num(4)))), ev(Bin('*', Num(0), None)))
