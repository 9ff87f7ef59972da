# Truth, identity and equality of everything.
class Falsy:
    def __bool__(self):
        return False


class Empty:
    def __len__(self):
        return 0


class Both:
    def __bool__(self):
        return True

    def __len__(self):
        return 0


things = [None, True, False, 0, 1, -1, 0.0, -0.0, 0.1, float('nan'), '', 'a', b'', b'a', [], [0], (), (0,), {}, {0: 0}, set(),
          {0}, range(0), range(1), Falsy(), Empty(), Both(), object(), len, Falsy, ..., NotImplemented is None, frozenset(), 10 ** 30]
print([bool(t) for t in things])
print([1 if t else 0 for t in things] == [int(bool(t)) for t in things], [not t for t in things][:5])
a = [1]
b = a
c = [1]
print(a is b, a is c, a == c, a is not c, id(a) == id(b))
print(None is None, True is True, () == [], 1 == True, 0 == False, '1' == 1, 1.0 == 1, 1 is True)
print(True == 1.0, hash(True) == hash(1) == hash(1.0), {1: 'a', 1.0: 'b', True: 'c'}, len({0, False, 0.0}))
x = y = 'text'
print(x is y, 'a' == 'a', 'a' != 'b', [1, [2]] == [1, [2]], {'a': [1]} == {'a': [1]}, (1, 2) != (1, 2, 3))
f = lambda: None
print(f == f, f == (lambda: None), len == len, int == int, int is int, type(1) is int, type(True) is int, isinstance(True, int))
print(None == 0, None == False, None != None, ... is ..., NotImplemented == NotImplemented)
m1, m2 = 'x'.upper, 'x'.upper
print([].append == [].append, [1, 2] in [[1, 2]], (1,) in {(1,): 0}, 'b' in 'abc', '' in 'abc', 2 in {1: 2}, None in [0])
print(bool(m1), (not a) is False, a and b is a, (a or c) is a, not not a)


class Id:
    def __eq__(self, o):
        return False


i = Id()
print(i == i, i in [i], [i] == [i], [i].index(i), [i].count(i), (i,) == (i,), {1: i} == {1: i})
print(any([0, '', None, 'x']), all([1, 'a', [0]]), sum([True, True, False]))
