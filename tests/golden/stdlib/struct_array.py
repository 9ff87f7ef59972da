# Numbers as bytes, and lists of numbers of one C type.
import array, struct, sys
a = array.array("i", [1, 2, 3]); a.append(4); a.extend([5, 6]); print(a, len(a), a[1:3], a.itemsize, a.typecode)
a.insert(0, 9); a.remove(3); print(a.pop(), a.pop(0), a.index(4), a.count(2), a.tolist())
b = array.array("d", (x / 2 for x in range(4))); print(b, sum(b), b[::-1], b * 2, b + b)
print(a.tobytes(), array.array("h", b"\x01\x00\x02\x00"))
c = array.array("B"); c.frombytes(b"abc"); print(c, bytes(c), c.tobytes())
c.fromlist([1, 2]); c.reverse(); print(c)
try: array.array("b", [300])
except OverflowError as e: print(e)
try: array.array("i", [1.5])
except TypeError as e: print(e)
try: array.array("z")
except ValueError as e: print(e)
print(array.array("u", "hello").tounicode() if sys.version_info < (3, 13) else "", a == array.array("i", [2, 4, 5]), a < array.array("i", [3]))
for x in array.array("f", [1.5, 2.25]): print(x)
a[0] = 7; a[1:2] = array.array("i", [8, 9]); del a[0]; print(a, 9 in a, 100 in a)
s = struct.Struct("<ihf"); p = s.pack(1, -2, 3.5); print(p, s.size, s.unpack(p), struct.calcsize(">bq"))
print(struct.pack(">4sI?", b"ab", 7, True), struct.unpack("!2H", b"\x00\x01\x00\x02"), list(struct.iter_unpack("<h", b"\x01\x00\x02\x00")))
try: struct.pack("b", 200)
except struct.error as e: print(e)
try: struct.unpack("i", b"abc")
except struct.error as e: print(e)
print(array.typecodes)
import copy, pickle
print(copy.copy(a) == a, copy.deepcopy(b) == b); print(repr(array.array("d")), bool(array.array("d")))
a.byteswap(); print(a); a.byteswap(); print(sorted(a, reverse=True), max(a), list(map(str, a)))

def tell(f):
    try:
        print(f())
    except (struct.error, TypeError, ValueError, OverflowError, IndexError) as e:
        print(type(e).__name__, e)


for code in "bBhHiIlLqQ":
    for order in ("", "<", ">"):
        for value in (-1, 200, 70000, 2**40, -2**40, 2**63, "x", 1.5):
            tell(lambda: struct.pack(order + code, value))
    for value in (-1, 200, 2**40, 2**63, 2**64, -2**63 - 1, "x"):
        tell(lambda: array.array(code, [value]))
for given in (("f", "a"), ("c", b"ab"), ("s", "a"), ("3s", b"abcdef"), ("5p", b"abc"), ("i",), ("i", 1, 2), ("z", 1), ("3",), ("e", 1e9), ("e", 1.5),
              ("?", 5), ("2x",), ("<n", 1), ("P", 5), ("i 2h", 1, 2, 3), ("bi", 1, 2), ("ib", 1, 2), ("ib0i", 1, 2)):
    tell(lambda: struct.pack(*given))
for given in (("i", b"abcd1"), ("i", b"abc", 0), ("i", b"abcdefgh", 6), ("i", b"abc", -1), ("h", b"abcd", -2)):
    tell(lambda: struct.unpack_from(*given))
tell(lambda: list(struct.iter_unpack("h", b"abc")))
tell(lambda: struct.pack_into("i", bytearray(3), 0, 5))
data = bytearray(8)
struct.pack_into("<hh", data, 2, 1, 2)
print(data, struct.calcsize("@bq"), struct.calcsize("@qb"), struct.calcsize("@bqb"), struct.unpack("5p", b"\3abcd"), struct.unpack("<e", b"\0\x3e"))
one = array.array("i", [1])
for f in (lambda: one[5], lambda: array.array("i").pop(), lambda: one.index(9), lambda: one.remove(9), lambda: one + [1], lambda: one + array.array("f", [1]),
          lambda: array.array("i", b"abc"), lambda: one.extend(array.array("d", [1.])), lambda: array.array("i").__setitem__(0, 1), lambda: array.array("ab"),
          lambda: array.array(5), lambda: array.array("i", 5), lambda: one.__setitem__(slice(0, 1), [5]), lambda: hash(one), lambda: one == [1],
          lambda: one == array.array("d", [1.0]), lambda: one.frombytes(b"abc"), lambda: array.array("f", [0.1])[0], lambda: array.array("i", "abc")):
    tell(f)
