# Results lie in memory as their operands do.
import numpy as np

for order in "CF":
    a = np.array(np.arange(24.0).reshape(2, 3, 4), order=order)
    for x in (a, a.transpose(1, 0, 2), a[::-1], a[:, ::2]):
        made = [np.add.accumulate(x, axis=1), np.maximum.accumulate(x, axis=2), np.cumsum(x, axis=0), np.cumprod(x, axis=2), np.stack([x, x]), np.stack([x, x], axis=1),
                np.stack([x, x], axis=-1), np.concatenate([x, x], axis=-1), np.concatenate([x, x]), np.delete(x, 1, axis=1), np.insert(x, 1, 5, axis=2),
                np.nan_to_num(x), np.sort(x, axis=1), np.roll(x, 1, axis=1), np.pad(x, 1), np.gradient(x, axis=2), np.nancumsum(x, axis=1)]
        print([m.strides for m in made])
        print([float((m * np.arange(m.size).reshape(m.shape)).sum()) for m in made])
print(repr(np.isclose(1 + 1j, 1 + 1j)), repr(np.isclose(np.inf + 0j, np.inf + 0j)), repr(np.einsum("i,i", np.ones(3, np.float16), np.ones(3, np.float16))))
narrow = np.array([1, 2, 4], np.int8)
print(repr(np.ediff1d(narrow, to_end=300)), repr(np.ediff1d(narrow, to_begin=-1, to_end=[7, 8])), repr(np.ediff1d(np.array([1, 2], np.float32), to_begin=np.nan)))
for f in (lambda: np.ediff1d(narrow, to_begin=1.5), lambda: np.ediff1d([True, False]), lambda: np.fromiter([[1.0], [2.0]], float)):
    try:
        print(f())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
print(np.reciprocal(np.array([1 + 0j, 2j, 3 - 4j])))
