# What may be cast to what, and what two types become: narrow floats beside those of NumPy, and beside each other.
import numpy as np
import ml_dtypes

bf16, e4, e5, e8 = (np.dtype(getattr(ml_dtypes, n)) for n in ('bfloat16', 'float8_e4m3fn', 'float8_e5m2', 'float8_e8m0fnu'))
types = [np.dtype(n) for n in ('bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'float16', 'float32', 'complex64')] + [bf16, e4, e5, e8]
for casting in ('safe', 'same_kind'):
    for f in types:
        print(casting, f, ''.join('.x'[bool(np.can_cast(f, t, casting))] for t in types))
for f in types:
    row = []
    for t in types:
        try:
            row.append(str(np.promote_types(f, t)))
        except TypeError as e:
            row.append('-')
    print(f, *row)
names = ['float8_e4m3fn', 'float8_e4m3', 'float8_e4m3b11fnuz', 'float8_e3m4', 'int4', 'uint4', 'bfloat16', 'float8_e5m2']
for a in names:
    row = []
    for b in names:
        try:
            row.append(str(np.concatenate([np.ones(1, getattr(ml_dtypes, a)), np.ones(1, getattr(ml_dtypes, b))]).dtype))
        except TypeError:
            row.append('-')
    print(a, *row)
