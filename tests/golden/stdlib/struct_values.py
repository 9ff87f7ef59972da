# struct: each code at its limits, in both byte orders, packed and unpacked from where the bytes lie.
import struct


def tell(call, *args):
    try:
        return call(*args)
    except (struct.error, OverflowError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


values = [0, -1, 127, 128, 255, -32768, 65535, 2**31 - 1, 2**32 - 1, 2**63 - 1, -2**63, 2**64 - 1, True, 1.5, 65504.0, b"a", b"abc", bytearray(b"xy")]
for order in ("<", ">", "@", "="):
    for code in "bBhHiIlLqQ?cefd":
        print(order + code, [tell(struct.pack, order + code, value) for value in values if not (code in "ef" and value in (2**64 - 1,))])
    print(order, struct.pack(order + "b2xh3sq4p?", 1, 2, b"abcd", 3, b"pascal", False), struct.calcsize(order + "b2xh3sq4p?"))
data = bytes(range(200, 256)) + bytes(range(56))
for code in ("b", "B", "h", "H", "i", "I", "q", "Q", "e", "f", "d", "3s", "4p", "?", "c", "2H", "x", "0i", "bxi"):
    print(code, [tell(struct.unpack_from, order + code, source, at) for order in "<>" for source in (data, memoryview(data)) for at in (0, 3, -8)][:6])
print(tell(struct.unpack, "<i", b"abc"), tell(struct.pack, "<i"), tell(struct.pack, "<i", 1, 2), tell(struct.pack, "z", 1), tell(struct.unpack, "<i", "text"))
print(tell(struct.pack, "<f", 1e300), tell(struct.pack, "f", 1e300), tell(struct.pack, "<e", 1e6), struct.pack(b"<h", 5))
big = bytearray(8 * 20000)
for i in range(20000):
    struct.pack_into("<If", big, 8 * i, i, i * 0.5)
print(sum(a + b for a, b in struct.iter_unpack("<If", big)), sum(struct.unpack_from("<If", big, 8 * i)[0] for i in range(20000)))
