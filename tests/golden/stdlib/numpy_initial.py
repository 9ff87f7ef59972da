# What a reduction begins with: in the type of the result, in front of the first element.
import numpy as np

half = np.array([1.1, 2.2, 3.3, 1000.5, 2.25], np.float16)
print(repr(half.sum(initial=1.3)), repr(np.add.reduce(half, initial=5)), repr(half.prod(initial=0.3)))
print(np.add.reduce(np.stack([half, half]), axis=0, initial=0.1))
for kind in (np.int8, np.uint8, np.int32, np.float32, np.complex64):
    a = np.array([1, 2, 3, 4], kind)
    for initial in (2, 2.5):
        for f in (np.sum, np.prod, np.max, np.min):
            print(f.__name__, repr(f(a, initial=initial)), repr(f(a[:0], initial=initial)), repr(f(a, initial=initial, where=[True, False, False, True])))
        for u in (np.add, np.multiply, np.maximum, np.subtract, np.divide, np.logical_or):
            print(u.__name__, repr(u.reduce(a, initial=initial)), u.reduce(a.reshape(2, 2), axis=1, initial=initial), repr(u.reduce(a[:0], initial=initial)))
print(repr(np.add.reduce(np.arange(5, dtype=np.int8), dtype=np.int8)), repr(np.add.reduce(np.zeros(0, np.int32))))
print(np.array([1e308, 1 + 1j, 3], complex).prod(), np.array([np.inf, 1, 2j]).prod())
