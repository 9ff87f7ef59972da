"""Axes out of range, repeated, sizes below zero; how floating-point errors are to be handled."""
import numpy as np

x, m = np.ones(2), np.arange(6.0).reshape(2, 3)


def tried(*functions):
    for function in functions:
        try:
            print(repr(function()))
        except Exception as error:
            print(type(error).__name__, error)


tried(lambda: np.expand_dims(x, 5), lambda: np.expand_dims(x, (0, 0)), lambda: np.expand_dims(x, (0, -1)).shape, lambda: np.expand_dims(m, -4))
tried(lambda: np.roll(m, 1, axis=2), lambda: np.roll(m, 1, axis=-1), lambda: np.roll(m, (1, 2), axis=(0, 1)))
tried(lambda: np.flip(x, 1), lambda: np.flip(m, (0, 0)), lambda: np.flip(m, (0, 1)), lambda: np.moveaxis(m, 0, 3), lambda: np.moveaxis(m, (0, 0), (0, 1)))
tried(lambda: np.stack([x], axis=5), lambda: np.stack([x, x], axis=-1), lambda: np.concatenate([x], axis=5), lambda: np.squeeze(x, axis=3))
tried(lambda: np.take(x, 0, axis=3), lambda: np.take(m, 1, axis=-1), lambda: np.repeat(x, 2, axis=4), lambda: np.delete(m, 1, axis=-1), lambda: np.delete(m, 1, axis=2))
tried(lambda: np.take_along_axis(m, np.array([[0], [2]]), axis=-1), lambda: np.take_along_axis(m, np.array([[0], [2]]), axis=2))
tried(lambda: np.eye(-1), lambda: np.identity(-2), lambda: np.eye(2, -1), lambda: np.zeros(-1), lambda: np.tri(2, 3, 1))
tried(lambda: np.cross([1, 0, 0], [0, 1, 0]), lambda: np.cross([1], [2]), lambda: np.cross(m, m[::-1]), lambda: np.cross(m.T, m[::-1].T, axis=0), lambda: np.cross([1, 2, 3], [4, 5, 6], axisa=3))

print(np.geterr())
before = np.seterr(over="ignore")
print(before["over"], np.geterr()["over"])
with np.errstate(all="ignore", invalid="warn"):
    print(np.geterr())
    with np.errstate(divide="ignore"):
        print(np.float32(1) / np.float32(0), np.log(np.array([0.0])))
print(np.geterr())
np.seterr(**before)
tried(lambda: np.geterr(), lambda: np.seterr(over="never"))


@np.errstate(divide="ignore")
def reciprocal(v):
    return 1 / np.asarray(v)


print(reciprocal([0.0, 2.0]), np.geterr()["divide"])
