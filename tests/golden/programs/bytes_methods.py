# Every method of bytes, and what they refuse.
text = b"  Hello, World\tand\r\nmore  \x00\xff"
for name in ("capitalize", "isalnum", "isalpha", "isascii", "isdigit", "islower", "isspace", "istitle", "isupper", "lower", "lstrip", "rstrip", "split", "rsplit", "splitlines", "strip", "swapcase", "title", "upper", "expandtabs", "hex"):
    print(name, [getattr(v, name)() for v in (text, b"", b"abc", b"A1 Bc", b"  ", b"42", b"it's a dog")])
print(text.center(40, b"*"), b"ab".center(5), b"abc".ljust(6, b"."), b"abc".rjust(2), b"-7".zfill(5), b"+".zfill(3), b"x".zfill(0), b"a\tb\n\tc".expandtabs(4))
print(b"a,b,,c".split(b","), b"a,b,,c".rsplit(b",", 1), b" a  b c ".split(None, 1), b" a  b c ".rsplit(None, 1), b"a b".rsplit(maxsplit=0), b"x\ny\r\nz\r".splitlines(True), b"\n\n".splitlines())
print(b"key=val=x".partition(b"="), b"key=val=x".rpartition(b"="), b"none".partition(b"="), b"none".rpartition(b"="), b"prefix_a".removeprefix(b"prefix_"), b"a.py".removesuffix(b".py"), b"a".removesuffix(b""))
print(b"banana".find(b"an"), b"banana".rfind(b"an"), b"banana".rfind(b"an", 0, 4), b"banana".rindex(97), b"banana".count(b"a", 2), b"banana".rfind(b"zz"), b"banana".rfind(b"", 2, 3))
table = bytes.maketrans(b"abc", b"xyz")
print(len(table), b"aabbccdd".translate(table), b"aabbcc".translate(table, b"b"), b"hello".translate(None, delete=b"l"))
for bad in (lambda: b"a".center(5, b"ab"), lambda: b"a".split(b""), lambda: b"a".rindex(b"z"), lambda: bytes.maketrans(b"a", b"ab"), lambda: b"a".translate(b"short"), lambda: b"a".partition(b""), lambda: b"a".removeprefix("a"), lambda: b"a" + "b", lambda: b"a".rfind("a"), lambda: b"abc"[5], lambda: b"a".find(300)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
print(divmod(7.5, 2), [type(e).__name__ + str(e) for e in [None]])
try:
    divmod([], 3)
except TypeError as e:
    print(e)


class Asked:
    count = 0

    def __index__(self):
        self.count += 1
        return 1


for method in (b"abc".startswith, b"abc".endswith, bytearray(b"abc").find, b"abc".count, "abc".startswith):
    start, end = Asked(), Asked()
    print(method(b"b" if not isinstance(method.__self__, str) else "b", start, end), start.count, end.count)
