# Natives with *args, called plainly; bytes and ints of few bytes; divmod by sign; pieces between separators.
import copy
import math

for size in range(10):
    for pattern in (b"\x00", b"\xff", b"\x80", b"\x7f\x01"):
        data = (pattern * 10)[:size]
        print(size, [int.from_bytes(data, order, signed=signed) for order in ("little", "big") for signed in (False, True)])
print(bytes([1, 2]), bytes((3,)), bytearray([4]), bytes(3), bytes(b"x"), bytes(range(3)))
print(copy.copy([1]), copy.copy({1}), copy.copy((1,)), copy.copy(int), divmod(7, 2), divmod(-7, 2), divmod(7, -2), divmod(True, 1))
print(max(1, 5, 3), min("b", "a"), max([1], [2]), max((1, 2)), math.gcd(12, 18, 8), math.gcd(), math.hypot(3, 4), math.lcm(4, 6))
for call in (lambda: max(), lambda: max(1), lambda: divmod(1, 0), lambda: math.gcd(1.5, 2), lambda: min(1, "a"), lambda: bytes([300]), lambda: bytes(["a"]), lambda: bytes((1.5,))):
    try:
        call()
    except (TypeError, ValueError, ZeroDivisionError) as error:
        print(type(error).__name__, error)
print(1, "a", 2.5, None)
print(*[1, 2], 3)
print()
print("a,b,,c".split(","), ",".split(","), "".split(","), "a,b,c".split(",", 1), "a,b".split(",", 0), "é,ü".split(","), "aXbX".find("X", 2), "xx".find("xxx"))


class Plain:
    kind = 1


class Asks:
    def __getattr__(self, name):
        if name == "made":
            return 2
        raise AttributeError(name)


plain = Plain()
print(getattr(plain, "missing", 3), getattr(plain, "kind", 3), hasattr(plain, "missing"), getattr(plain, "__class__", None) is Plain, getattr(Asks(), "made", 3), getattr(Asks(), "x", 3))
plain.missing = 4
Plain.late = 5
print(getattr(plain, "missing", 3), hasattr(plain, "late"), getattr(ValueError("a"), "args", 3), getattr(type("E", (OSError,), {})(2, "b"), "errno", 3))
print("%03d|%5d|%-5d|%+d|%x|%#X|%.3d|% d|%o|%5.3d|%s" % (7, -42, 42, 5, 255, 255, 5, 3, 8, 7, -1))
try:
    "é %y" % 1
except ValueError as error:
    print(error)
