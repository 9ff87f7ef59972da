# Classes that derive from numbers and texts without a spec; operands that are asked before a sequence repeats; dicts of classes; b"%s".
class Count(int):
    def __repr__(self):
        return f"Count({int(self)})"


class Real(float):
    def __str__(self):
        return "real"


class Text(str):
    def __str__(self):
        return "text"


print(f"{Count(3)}", format(Count(3)), "{}".format(Count(3)), f"{Count(3):d}", f"{Real(1.5)}", f"{Real(1.5):.1f}", f"{Text('a')}", f"{Text('a'):>3}", "%s" % Text("a"))


class Twice:
    def __rmul__(self, other):
        return "asked", other

    def __index__(self):
        return 2


print("ab" * Twice(), [1] * Twice(), (1,) * Twice(), b"x" * Twice())


class Bad:
    def __format__(self, spec):
        return 3


try:
    f"{Bad()}"
except TypeError as e:
    print(e)
print(type(Text.__dict__), Text.__dict__["__module__"], "__str__" in vars(Text))
try:
    Text.__dict__["x"] = 1
except TypeError as e:
    print(e)
print(b"%s|%b|%5s|%-4b|%.1s|%c%c|%r|%a|%d" % (b"x", bytearray(b"yz"), b"ab", b"c", b"long", 65, b"B", "é", "é", 5), bytearray(b"%s") % b"q")


class Raw:
    def __bytes__(self):
        return b"raw"


print(b"<%s>" % Raw())
for args in ("text", 3, ):
    try:
        print(b"%s" % args)
    except TypeError as e:
        print(e)
for args in (300, b"ab", 1.5):
    try:
        print(b"%c" % args)
    except (TypeError, OverflowError) as e:
        print(type(e).__name__, e)
print([name for name in dir(int) if name.startswith("__")][1:5], "__add__" in dir(3), "__getitem__" in dir([]), "__len__" in dir(""))


class NotIterable:
    def __iter__(self):
        return 5


try:
    1 in NotIterable()
except TypeError as e:
    print(e)
try:
    int("z" * 300)
except ValueError as e:
    print(len(str(e)), str(e)[-10:])
import typing


@typing.final
class Last:
    @typing.override if hasattr(typing, "override") else (lambda f: f)
    def f(self):
        pass


T = typing.TypeVar("T")


class Box(typing.Generic[T]):
    pass


print(Last.__final__, Box[int])
try:
    Box[int, str]
except TypeError as e:
    print(e)
print(b"abcde".hex("-", 2), b"abcde".hex("-", -2), b"abcde".hex(":"), b"abcde".hex(sep="_", bytes_per_sep=3), bytearray(b"abc").hex(b" ", 2), memoryview(b"abcd").hex("-", 2), b"ab".hex("-", 0), b"".hex("-"))
for separator in ("ab", 3, "é", ["x"]):
    try:
        print(b"ab".hex(separator))
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
