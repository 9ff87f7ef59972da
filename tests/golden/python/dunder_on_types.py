# Dunder methods called explicitly, on builtin types and through their classes; unbound calls and their errors.
print(int.__add__(1, 2), (1).__add__(2), (5).__rsub__(7), (1).__add__(1.5), float.__mul__(2.0, 3), (2.0).__radd__(1), 'a'.__add__('b'))
print([1].__len__(), 'abc'.__contains__('b'), {'k': 1}.__getitem__('k'), (1, 2).__getitem__(slice(0, 1)), [3].__eq__([3]), (1).__eq__('a'))
print((1).__lt__(2), 'a'.__gt__('b'), [1].__lt__([2]), (1).__hash__() == hash(1), 'x'.__repr__(), (3).__str__(), (255).__format__('x'))
print(list.__iter__([7]).__next__(), dict.__contains__({1: 2}, 1), str.__mul__('ab', 2), list.__add__([1], [2]), tuple.__mul__((1,), 2))
print((5).__bool__(), (0).__bool__(), (7).__neg__(), (-7).__abs__(), (6).__invert__(), (7).__divmod__(2), (2).__pow__(5), (1.5).__int__(), (2).__float__())
print(object.__repr__(5).startswith('<int object at'), object.__eq__(1, 1), object.__ne__(1, 2), type.__call__(int, '5'), type.__name__)
print([].__class__, (1).__class__.__name__, [].__class__.__class__, str.__doc__ is not None or True, int.__mro__, bool.__bases__)
l = [3, 1]
list.sort(l)
list.append(l, 5)
l.__setitem__(0, 'first')
l.__delitem__(1)
l.__iadd__([9])
print(l, list.__len__(l), list.pop(l), list.index(l, 'first'), dict.get({'a': 1}, 'a'), str.upper('up'), str.join('-', 'ab'), set.union({1}, {2}))
for bad in (lambda: list.append(5, 1), lambda: str.upper(5), lambda: int.__add__('a', 1), lambda: list.append(), lambda: dict.get(1, 2),
            lambda: (1).__add__(), lambda: (1).__add__(1, 2), lambda: [].__getitem__('a'), lambda: {}.__getitem__(1), lambda: object.__new__(),
            lambda: int.__new__(str, 1), lambda: object.__new__(int), lambda: str.__len__(b'a')):
    try:
        print(bad())
    except (TypeError, KeyError, IndexError) as e:
        print(type(e).__name__, e)
map_methods = [str.strip, str.title, len, sorted]
print([m(' b a ') for m in map_methods], list(map(str.lower, 'AB')), list(map(int.__add__, [1, 2], [10, 20])), sorted('Ba', key=str.lower))


class A:
    def __init__(self, v):
        self.v = v

    def __add__(self, o):
        return f'{self.v}+{o}'

    def __eq__(self, o):
        return 'eq'

    def __len__(self):
        return 11

    def __repr__(self):
        return f'A({self.v})'


a = A(1)
print(a.__add__(2), A.__add__(a, 3), A.__len__(a), a.__eq__(1), a.__repr__(), A.__repr__(a), a.__str__(), object.__repr__(a) != repr(a))
print(a.__class__, a.__class__.__name__, A.__init__(a, 5), a, a.__ne__(1), a.__lt__(2), a.__dict__, a.__module__, a.__doc__)
print(hasattr(a, '__iter__'), hasattr(a, '__len__'), hasattr(1, '__add__'), hasattr([], '__radd__'), hasattr('', '__mod__'), hasattr({}, '__or__'))
print(hasattr(a, '__hash__'), a.__hash__, A.__hash__, hasattr(int, '__index__'), callable(a.__eq__), hasattr(5.0, '__or__'), hasattr([], '__sub__'))
add = A.__add__
bound = a.__add__
print(add(a, 1), bound(2), add is A.__add__, bound.__self__ is a, bound.__func__ is add, bound.__name__, bound.__qualname__)
try:
    add(1)
except TypeError as e:
    print(e)
print(A.__add__('any self' and a, 4), (lambda self: self).__get__(7)(), len.__name__, [].append.__name__, 'x'.join.__self__, str.join.__name__)
print(type(a).__add__(a, 'via type'), super(A, a).__repr__().startswith('<__main__.A object'), super(A, a).__eq__(a), super(A, a).__eq__(3))
