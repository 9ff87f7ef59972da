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

# With a mask: once, whatever is left out; truth values and types that are asked for.
x=np.arange(1,7).reshape(2,3); w=x%2>0
for u in (np.add,np.multiply,np.bitwise_xor,np.maximum,np.minimum,np.logical_or):
    print(u.__name__, u.reduce(x,axis=0,initial=7,where=w), u.reduce(x,initial=7,where=w), u.reduce(x,axis=1,initial=7))
for u in (np.hypot,np.logaddexp,np.subtract,np.power,np.left_shift,np.remainder,np.floor_divide,np.divide):
    print(u.__name__, u.reduce(x,axis=0,initial=7,where=w), u.reduce(x,axis=1,initial=7), u.reduce(x,axis=0,initial=2))
print(np.sum(x,axis=0,initial=7,where=w), np.prod(x,initial=2,where=w), np.max(x,axis=0,initial=2,where=w), x.sum(where=w), np.mean(x,where=w))
print(np.add.reduce(x, where=w), np.add.reduce(x.astype(np.float32), axis=(0,1), where=w, keepdims=True), np.add.accumulate(x,dtype=np.int8).dtype, np.multiply.accumulate(x,dtype=np.int8).dtype)
print(np.logical_and.reduceat(np.array([3,0,5]),[0,1,0]), np.logical_and.reduceat(np.array([3,0,5]),[0,1,0]).dtype)
