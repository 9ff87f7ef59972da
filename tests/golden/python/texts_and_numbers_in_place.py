# Texts, numbers and sequences whose methods have ways of their own for what is short, small or plain.
print('aXbXc'.replace('X', '--'), 'abc'.replace('', '-'), 'abc'.replace('', '-', 2), 'abc'.replace('b', '', 0), 'aaa'.replace('a', 'bb', 2), ''.replace('', 'x'), ''.replace('', 'x', 0), 'abc'.replace('abc', ''), 'ααβ'.replace('α', 'γγ'), 'x'.replace('x', 'yy'))
s = ' abc\x1f '
print(repr(s.strip()), repr(s.lstrip()), repr(s.rstrip()), s.strip() is s, 'abc'.strip() is not None, repr('\u2003 a\u2003'.strip()), repr('xxaxx'.strip('x')))

class T(str):
    pass
t = T('abc')
print(type(t.strip()), type(t.replace('q', 'z')), type(t.ljust(1)))
print(sum([0.1] * 10), sum([1, 2.5, True]), sum([2 ** 62, 2 ** 62]), sum([[1], [2]], []), min([3, 1, 2]), max(1.0, 2), max([1, 2.5, 2]), min('b', 'a'), max([True, 2]), min([float('nan'), 1.0]), any([0, 0, 3]), all([]), all((x for x in [1, 0])))

class A:
    k = 1

    @property
    def p(self):
        raise AttributeError('no')

    @property
    def q(self):
        raise KeyError('no')

    def m(self):
        pass
a = A()
a.z = 3
print(hasattr(a, 'k'), hasattr(a, 'p'), hasattr(a, 'm'), hasattr(a, 'z'), hasattr(a, 'nope'), getattr(a, 'nope', 5), getattr(a, 'z', 5), hasattr(3, 'real'), hasattr(3, 'nope'), hasattr(A, 'k'), hasattr(A, 'nn'), hasattr('a', 'upper'))
try:
    hasattr(a, 'q')
except KeyError as e:
    print('KeyError', e)

class G:

    def __getattr__(self, n):
        if n == 'x':
            return 1
        raise AttributeError(n)
print(hasattr(G(), 'x'), hasattr(G(), 'y'))

class S:
    __slots__ = ('u', 'v')
s = S()
s.u = 1
print(hasattr(s, 'u'), hasattr(s, 'v'), getattr(s, 'v', None))
print(5 .bit_length(), 0 .bit_length(), (-5).bit_length(), (2 ** 70).bit_length(), True .bit_length())
print(b'\x00\xffab'.hex(), b'abcd'.hex('-'), b'abcdef'.hex(':', 2), bytearray(b'ab').hex(), [c for c in bytearray(b'ab')], [c for c in b'ab'], [c for c in 'aé€z'])
import math
print(math.gcd(48, 36), math.gcd(-4, 6), math.gcd(0, 0), math.gcd(), math.gcd(2 ** 70, 2 ** 40), math.gcd(True, 3), math.comb(60, 30), math.comb(70, 35), math.comb(5, 7), math.comb(100, 2), math.factorial(20), math.factorial(21), math.factorial(0))
print(2 in {1, 2}, 'a' in {'a', 'b'}, 5 in {1, 2}, [x in {1, 2} for x in (1, 3)], 'ab' in 'cabd', '' in '', 'x' in '', 'abc' in 'ab')
try:
    [] in {1, 2}
except TypeError as e:
    print(e)
print(sorted([3, 1, 2, 1]), sorted([3.5, -1.0, 2.25]), sorted(['b', 'a', 'ab', '', 'é', 'z']), sorted([3, 1.5, True]), sorted('hello world'), sorted([(1, 'b'), (1, 'a')]), sorted([3, 1, 2], reverse=True), sorted(range(50), key=lambda x: -x % 7), sorted([5] * 3), sorted([]))
from collections import namedtuple
N = namedtuple('N', 'x y')
x, y = N(1, 2)
print(x, y)

class M(N):

    def __iter__(self):
        return iter((9, 8))
x, y = M(1, 2)
print(x, y)
try:
    x, y, z = N(1, 2)
except ValueError as e:
    print(e)
a, b, c, d, e = [1, 2, 3, 4, 5]
print(a, e)
l = [1, 2]
l[0], l[1] = l
print(l)
s = 'héllo'
print(s[1], s[-1], 'abc'[2], 'abc'[-3])
try:
    'abc'[3]
except IndexError as e:
    print(e)
try:
    'abc'[-4]
except IndexError as e:
    print(e)
print(abs(-5), abs(-2 ** 63), chr(65), ord('A'), ord('é'), [1] * 3, [1, 2] * 2, [] * 3, [0] * 0)
l = [1, 2, 3]
print(l.pop(), l.pop(0), l.pop(-1), l)
try:
    l.pop()
except IndexError as e:
    print(e)
print(f"{'a'!r} {[1]!r} {3!r:>5} {'é'!a} {4!s}")
