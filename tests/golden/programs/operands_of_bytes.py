# What + and * of bytes take, and what they say of the rest; hashes of what is not finite; a module's own text.
import types

for left in b"ab", bytearray(b"ab"), memoryview(b"ab"), 2, True, "ab", 1.0:
    for right in b"c", bytearray(b"c"), 3, "c":
        for name, do in ("+", lambda a, b: a + b), ("*", lambda a, b: a * b):
            try:
                print(name, left if not isinstance(left, memoryview) else "view", right, do(left, right))
            except TypeError as error:
                print(name, type(left).__name__, type(right).__name__, error)
print(hash(float("inf")), hash(float("-inf")), hash(float("inf")) == hash(complex(float("inf"))), float("-inf") in {float("-inf"): 1})
print(types.ModuleType("m").__doc__, types.ModuleType("m", "text").__doc__)
