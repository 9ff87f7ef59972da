import numpy as np, operator as o, warnings
warnings.simplefilter('ignore')
ops = {'+': o.add, '-': o.sub, '*': o.mul, '//': o.floordiv, '%': o.mod, '/': o.truediv, '&': o.and_, '^': o.xor, '>>': o.rshift, '<': o.lt, '==': o.eq, '>=': o.ge}
left = {'i64': np.int64(7), 'i64 array': np.array([1, 2]), 'i8': np.int8(7), 'u64': np.uint64(7), 'u32': np.uint32(7), 'f64': np.float64(7), 'f32': np.float32(7), 'f32 array': np.array([1.5], np.float32), 'f16': np.float16(2), 'c64': np.complex64(2)}
for name, x in left.items():
    for sign, f in ops.items():
        if name == 'c64' and sign in ('//', '%', '<', '>='): continue
        for big in (2 ** 63, -2 ** 63 - 1, 2 ** 64, 10 ** 400):
            for a, b in ((x, big), (big, x)):
                try: r = f(a, b); r = (type(r).__name__, str(r), str(getattr(r, 'dtype', '')))
                except (OverflowError, TypeError) as e: r = (type(e).__name__, str(e))
                print(name, sign, str(big)[:8] + '~' + str(len(str(big))), a is x, r)
for T in (np.int8, np.uint32, np.int64, np.uint64, np.float16, np.float32, np.complex64):
    for v in (2 ** 63, 2 ** 64, -2 ** 63 - 1, -1, 10 ** 400, 300, 2 ** 60 + 2 ** 36 + 1, 2 ** 24 + 1):
        for make in (T, lambda v: np.array([v], T), lambda v: np.full(1, v, T), lambda v: np.zeros(1, T) + v):
            try: print(T.__name__, repr(make(v)))
            except OverflowError as e: print(T.__name__, e)
print(np.uint64(2 ** 64 - 1) == 2 ** 64, np.uint64(2 ** 64 - 1) < 2 ** 64, np.array([2 ** 63 - 1]) < 2 ** 64, np.float64(2) ** 2 ** 64, divmod(np.float64(7), 2 ** 64), np.ones(2, np.int8) / 2 ** 65)
