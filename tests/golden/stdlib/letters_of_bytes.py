# base64 in groups that are whole, padded, damaged; keys by a comparison.
import base64
import functools

for size in range(8):
    data = bytes(range(250, 250 + min(size, 6))) + b"?" * max(size - 6, 0)
    text = base64.b64encode(data)
    print(text, base64.urlsafe_b64encode(data), base64.b64decode(text) == data == base64.urlsafe_b64decode(base64.urlsafe_b64encode(data)))
for text in [b"YQ", b"YQ=", b"YQ==", b"Y", b"YQ==YQ==", b"Y Q = =", b"YWJj\n", "YWI=", "YWI=x", b"====", b"YWJjZ"]:
    try:
        print(text, base64.b64decode(text))
    except ValueError as error:
        print(text, type(error).__name__, error)
for wrong in ("x", 5):
    try:
        base64.b64encode(wrong)
    except TypeError as error:
        print(error)
print(base64.b64encode(bytearray(b"abc")), base64.b64encode(memoryview(b"abcd")), base64.b64decode(bytearray(b"YWJj")))

by_length = functools.cmp_to_key(lambda a, b: len(a) - len(b))
print(sorted(["ccc", "a", "bb", "d"], key=by_length), max("ab", "c", key=by_length), by_length("x") == by_length("y"), by_length(obj="x").obj)
for wrong in (lambda: by_length("x") < 3, lambda: hash(by_length("x")), lambda: by_length()):
    try:
        wrong()
    except TypeError as error:
        print(type(error).__name__)
