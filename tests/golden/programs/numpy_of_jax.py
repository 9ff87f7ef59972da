# NumPy's functions given arrays of JAX, traced ones too, and other objects: those that ask the argument's own method give what it gives.
import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(6.0).reshape(2, 3)
more = {"clip": (0, 1), "reshape": (-1,), "repeat": (2,), "swapaxes": (0, 1), "dot": (x.T,), "add": (x,), "expand_dims": (0,)}
for name in ("sum mean std var max min prod any all argmax argmin cumsum cumprod sort argsort round clip reshape ravel transpose squeeze repeat "
             "swapaxes diagonal trace ptp amax around dot add sin expand_dims abs median isnan").split():
    r = getattr(np, name)(x, *more.get(name, ()))
    print(name, type(r).__name__, r.dtype, r.shape)
print([np.sum(x), np.max(x), np.argmax(x)], np.sum(x, axis=0, keepdims=True), np.max(x, initial=9.0, axis=1), np.std(x, ddof=1), np.mean(x, axis=(0, 1)))
print(np.sum(x, where=x > 2), np.round(jnp.float32([0.1, 1.31326]), 3), np.reshape(x, (3, 2), order="F"), np.transpose(x, (1, 0)))


@jax.jit
def traced(x):
    return np.sum(x) + np.mean(x, axis=0) * np.max(x), np.reshape(x, -1), np.transpose(x), np.squeeze(x[None], 0), np.cumsum(x)


print(traced(x))


class Money:
    def __init__(self, values):
        self.values = values

    def sum(self, axis=None, dtype=None, out=None, **rest):
        return ("money", sum(self.values), axis, rest)

    def mean(self, axis=None, dtype=None, out=None, **rest):
        return ("mean", axis, rest)

    def round(self, decimals=0, out=None):
        return ("round", decimals)


m = Money([1, 2])
print(np.sum(m), np.sum(m, axis=1, keepdims=True), np.mean(m, 2), np.round(m, 3), np.sum([1, 2]), np.sum((1.5, 2)), np.round(2.567, 1), np.max(np.int8(3)))
