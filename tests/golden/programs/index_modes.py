# Indices that are no int32 under mode="promise_in_bounds", and the modes of np.take.
import jax, jax.numpy as jnp, numpy as np


def tried(call):
    try:
        print(call())
    except OverflowError:
        print("OverflowError")
    except Exception as e:
        print(type(e).__name__, e)


x = jnp.arange(4.0)
for mode in (None, "promise_in_bounds"):
    for index in (2, -1, 2**31 - 1, 2**31, -2**31 - 1, 2**70):
        tried(lambda: x.at[index].get(mode=mode))
print(jax.jit(lambda i: x.at[i].get(mode="promise_in_bounds"))(2))
for mode in ("foo", None, 0, 1, 2, 7, 1.0, "", "Clip", "c", "wraps", "wrap", "raise"):
    tried(lambda: np.take([1, 2], [5], mode=mode))
print(np.take([1, 2], [-5], mode="clip"), np.take([[1, 2], [3, 4]], [3], 1, mode="wrap"))

# Arrays with slices between them come first, where the slices are a part as well.
x, i = jnp.arange(120).reshape(2, 3, 4, 5), jnp.array([0, 1, 1])
print(x.at[:, i, ::2, i].set(jnp.arange(12).reshape(3, 2, 2))[:, :2, :, :2].tolist())
