# What NumPy makes of an array of JAX without a copy may not be written: arrays of JAX do not change.
import jax
import jax.numpy as jnp
import numpy as np

y = jnp.arange(4.0)
computed = y + 1
for x in (y, computed, jnp.array([1.0, 2.0]), y.astype(jnp.bfloat16), jnp.float32(1), jnp.zeros((0, 2))):
    same = [np.asarray(x), np.asarray(x, x.dtype), np.ascontiguousarray(x), np.asarray(x)[..., :1] if x.ndim else np.asarray(x), jax.device_get(x), np.ravel(x)]
    print([a.flags.writeable for a in same], [a.flags.writeable for a in (np.array(x), np.asarray(x, np.int32), np.array(np.asarray(x)))])
a = np.asarray(y)
for name, write in (("item", lambda: a.__setitem__(0, 9)), ("fill", lambda: a.fill(0)), ("add", lambda: a.__iadd__(1)), ("out", lambda: np.add(a, 1, out=a)),
                    ("copyto", lambda: np.copyto(a, 0)), ("flag", lambda: a.setflags(write=True))):
    try:
        print(name, write())
    except ValueError as error:
        print(name, error)
b = np.array(y)
b[0] = 9
print(a, b, y)
zero = np.array(1.0).copy()
zero[...] = 2
print(type(zero).__name__, zero, type(np.float64(1).copy()).__name__, np.asarray(jnp.float32(1)).copy().flags.writeable)
