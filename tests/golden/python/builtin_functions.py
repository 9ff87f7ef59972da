# Builtin functions on classes of the program.
class A:
    """Doc of A."""
    x = 1

    def __init__(self):
        self.y = 2

    def method(self):
        pass

    def __dir__(self):
        return ['custom', 'another']

    def __reversed__(self):
        return iter([3, 2, 1])

    def __round__(self, n=0):
        return 10 + n

    def __abs__(self):
        return 99

    def __len__(self):
        return 3

    def __getitem__(self, i):
        if i >= 3:
            raise IndexError
        return i * 10

    def __hash__(self):
        return 7

    def __call__(self, *a):
        return a


a = A()
print(dir(a), list(reversed(a)), round(a), round(a, 5), abs(a), len(a), hash(a), a(1, 2), callable(a), callable(A))
print(getattr(a, 'x'), getattr(a, 'zz', None), hasattr(a, 'y'), vars(a), isinstance(a, A), issubclass(A, object), type(a).__name__)
print(sum(a), max(a), min(a), sorted(a, reverse=True), list(a), tuple(a), set(a) == {0, 10, 20}, dict(enumerate(a)), list(zip(a, a)))
print(list(map(str, a)), list(filter(None, a)), any(a), all(a), 10 in a, 11 in a, [*a], iter(a) is not a)
print(A.__doc__, a.__doc__, A.__init__.__qualname__, a.method.__func__ is A.method)
print('method' in dir(A), '__init__' in dir(A), sorted(n for n in vars(A) if not n.startswith('__')))
print(int('12'), int('ff', 16), float('1e3'), str(12) + '3', bool('False'), list('ab'), tuple([1]), set('aa'), dict([('a', 1)], b=2))
print(ord('a'), chr(8364), hex(255), oct(8), bin(5), divmod(17, 5), pow(2, 10), pow(2, 10, 1000), abs(-3.5), round(3.14159, 2))
print(type(3), type('a'), type([]), type(None), type(int), type(len), type(a.method), type(A.method), type(lambda: 0))
print(repr('a'), ascii('é'), format(3.5, '.2f'), format(255, '#x'), format('a', '>3'), id(a) == id(a), print)
print(min(3, 1, 2), max('b', 'a'), min([3, 1], key=lambda v: -v), max([], default=0), sum([1, 2], start=5), sum([], 0.0))
print(list(range(3)), range(3) == range(0, 3, 1), range(10)[::2], 5 in range(0, 10, 5), range(0).__len__(), repr(range(1, 5, 2)))
print(next(iter([1])), next(iter([]), 'none'), list(enumerate('ab', 1)), list(zip('ab', [1, 2], strict=True)))
print(isinstance(1, (str, int)), isinstance('a', str | None), issubclass(bool, (str, int)), isinstance(A, type))
for bad in (lambda: getattr(a, 'nope'), lambda: getattr(a, 5), lambda: int('x'), lambda: chr(-1), lambda: isinstance(1, 5),
            lambda: issubclass(5, int), lambda: max([]), lambda: sum(['a']), lambda: ord('ab'), lambda: iter(5), lambda: next([]),
            lambda: len(5), lambda: float('x'), lambda: range(1, 2, 0), lambda: min(1), lambda: dict([1]), lambda: round('a'),
            lambda: zip(5), lambda: map(5), lambda: setattr(a, 5, 5), lambda: hash([]), lambda: abs('a'), lambda: reversed(5),
            lambda: vars(5), lambda: enumerate(5), lambda: sorted(None), lambda: int(None), lambda: list(5)):
    try:
        bad()
        print('no error')
    except Exception as e:
        print(type(e).__name__, e)
b = object.__new__(A)
print(hasattr(b, 'y'), b.x, type(b) is A)
delattr(a, 'y')
print(hasattr(a, 'y'))
e = eval_order = [print(i, end=' ') for i in range(3)]
print(e)
