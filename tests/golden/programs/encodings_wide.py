# Encodings with units of two and four bytes, marks of byte order, and their errors; sequences that patterns accept.
from array import array
from collections import deque
import textwrap

for name in ("utf-8", "utf-8-sig", "utf_8", "utf-16", "utf-16-le", "UTF-16BE", "utf-32", "utf-32-le", "utf-32-be", "latin-1", "ascii"):
    for text in ("", "ab", "é日", "😀x"):
        try:
            data = text.encode(name)
            print(name, repr(text), data, repr(data.decode(name)))
        except UnicodeError as e:
            print(name, repr(text), type(e).__name__, e)
for data, name in ((b"\xfe\xff\x00a", "utf-16"), (b"a\x00b", "utf-16-le"), (b"\x00\xd8", "utf-16-le"), (b"\x00\xd8a\x00", "utf-16-le"),
                   (b"\x00\xdc", "utf-16-le"), (b"\xff\xff\xff\x7f", "utf-32-le"), (b"\x00\xd8\x00\x00", "utf-32-le"), (b"a\x00", "utf-32"),
                   (b"\xef\xbb\xbfx", "utf-8-sig"), (b"\xef\xbb\xbfx", "utf-8"), (b"\xff\xfea\x00", "utf-16")):
    try:
        print(name, data, repr(data.decode(name)))
    except UnicodeDecodeError as e:
        print(name, data, e)
    print(repr(data.decode(name, "replace")), repr(data.decode(name, "ignore")))
for subject in (deque([4, 5, 6]), array("i", [1, 2]), memoryview(b"xyz"), b"abc", bytearray(b"abc"), "abc", {1, 2}, range(3), iter([1])):
    match subject:
        case [first, *rest]: print(type(subject).__name__, first, rest)
        case _: print(type(subject).__name__, "no sequence")
print(textwrap.wrap("a-b-c dd well-known-names x-1 e-mail", 3), textwrap.wrap("well-known-names of co-operation", 8),
      textwrap.wrap("abcdefgh-ij", 5, break_on_hyphens=False))
