# Exceptions as classes: derived, with own state, args, str, notes, hierarchy.
class AppError(Exception):
    """Base."""


class Coded(AppError):
    def __init__(self, code, message='no message'):
        super().__init__(message)
        self.code = code

    def __str__(self):
        return f'[{self.code}] {super().__str__()}'


class Quiet(AppError):
    def __init__(self, a, b):
        self.a = a


try:
    raise Coded(404, 'missing')
except AppError as e:
    print(e, repr(e), e.args, e.code, isinstance(e, Exception), e.__class__.__name__)
try:
    raise Coded(1)
except Coded as e:
    print(e)
q = Quiet(1, 2)
print(q.args, str(q), repr(q), q.a)
e = AppError('a', 2)
print(str(e), e.args, repr(e), AppError().args, str(AppError()), repr(AppError()))
e.args = ('changed',)
print(e)
e.extra = 1
print(e.__dict__, e.extra)
print(issubclass(KeyError, LookupError), issubclass(ModuleNotFoundError, ImportError), IOError is OSError)
print(KeyError.__mro__)
try:
    {}['missing']
except LookupError as e:
    print(e, e.args)
try:
    [][1]
except LookupError as e:
    print(e)
try:
    int('x')
except ValueError as e:
    print(e)
try:
    [].nothing
except AttributeError as e:
    print(e, e.name, e.obj)
try:
    undefined_name
except NameError as e:
    print(e, e.name)
e = ValueError('noted')
e.add_note('first note')
e.add_note('second')
print(e.__notes__)
e2 = ValueError('with tb').with_traceback(None)
print(e2, e2.__traceback__, e2.__cause__, e2.__context__)
e2.__cause__ = e
print(e2.__cause__ is e, e2.__suppress_context__)


class Multi(KeyError, AttributeError):
    pass


try:
    raise Multi('both')
except AttributeError as m:
    print(m, isinstance(m, KeyError))


class Stop(StopIteration):
    pass


class It:
    def __iter__(self):
        return self

    def __next__(self):
        raise Stop('over')


print(list(It()))
print(StopIteration(5).value, SystemExit(3).code, ImportError('m', name='n').name)


def validate(x):
    if not isinstance(x, int):
        raise TypeError(f'expected int, got {type(x).__name__}')
    if x < 0:
        raise ValueError(f'{x} is negative')
    return x


for v in (1, -1, 'a'):
    try:
        print(validate(v))
    except (TypeError, ValueError) as err:
        print(type(err).__name__, err)
try:
    assert 1 == 2, 'math works'
except AssertionError as err:
    print(err, err.args)
try:
    assert False
except AssertionError as err:
    print(repr(str(err)), err.args)
try:
    assert [], [1, 2]
except AssertionError as err:
    print(err.args)
try:
    raise NotImplementedError('later')
except RuntimeError as err:
    print(err)
try:
    ValueError(x=1)
except TypeError as err:
    print(err)
