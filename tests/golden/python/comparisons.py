# Comparison: reflection, chains, defaults, hashing rules.
class N:
    def __init__(self, v):
        self.v = v

    def __eq__(self, o):
        if not isinstance(o, N):
            return NotImplemented
        return self.v == o.v

    def __lt__(self, o):
        return self.v < o.v

    def __le__(self, o):
        return self.v <= o.v


print(N(1) == N(1), N(1) != N(1), N(1) == 1, N(1) != 1)
print(N(1) < N(2), N(1) > N(2), N(2) >= N(1), N(1) <= N(1))
try:
    hash(N(1))
except TypeError as e:
    print(e)
try:
    {N(1): 2}
except TypeError as e:
    print(e)
try:
    object() < object()
except TypeError as e:
    print(e)
try:
    1 < 'a'
except TypeError as e:
    print(e)
try:
    [1] >= (1,)
except TypeError as e:
    print(e)


class H(N):
    def __hash__(self):
        return hash(self.v)


print(hash(H(5)) == hash(5), {H(1): 'a'}[H(1)], len({H(1), H(1), H(2)}))


class K(N):
    __hash__ = N.__hash__


try:
    hash(K(1))
except TypeError as e:
    print(e)


class Default:
    pass


d = Default()
print(d == d, d != d, d == Default(), d in [d], hash(d) == hash(d))

print(1 < 2 < 3, 1 < 3 < 2, 3 > 2 >= 2 != 1, 1 == 1.0 == True)
calls = []


def f(x):
    calls.append(x)
    return x


print(f(1) < f(5) < f(3) < f(4), calls)
print(f(9) in [9] == True)


class Weird:
    def __eq__(self, o):
        return 'truthy'

    def __ne__(self, o):
        return ''


w = Weird()
print(w == 1, w != 1, bool(w == 1), [1] == [w])


class A:
    def __lt__(self, o):
        return 'A.lt'

    def __gt__(self, o):
        return 'A.gt'


class B(A):
    def __gt__(self, o):
        return 'B.gt'


print(A() < B(), A() > B(), B() < A(), A() < 3, 3 < A())

print(float('nan') == float('nan'), float('nan') != 1)
nan = float('nan')
print([nan] == [nan], nan in [nan], nan == nan, (nan,) == (nan,))
print(2 ** 53 == 2.0 ** 53, 2 ** 53 + 1 == 2.0 ** 53, 2 ** 70 == 2.0 ** 70, 10 ** 30 < 1e31, 1e31 > 10 ** 30)
print((1, 2) < (1, 3), [1, 2] < [1, 2, 0], 'abc' < 'abd', (1, 'a') == (1, 'a'), {1: 2} == {1: 2.0})
print(1 is 1, None is None, True is not False, [] is [], 'x' is not None)
print(not [] , not 1, not '', not 0.0, not None, not {}, not (0,))


class Both:
    def __eq__(self, o):
        return isinstance(o, Both)

    __hash__ = None


try:
    hash(Both())
except TypeError as e:
    print(e)
print(Both() == Both(), N(1).__eq__(3), N(1).__ne__(N(2)), object().__eq__(1))
