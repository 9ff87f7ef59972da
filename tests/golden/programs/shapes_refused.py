# What says no shape, to NumPy and to JAX.
import jax.numpy as jnp
import numpy as np

makers = {
    "zeros": np.zeros,
    "full": lambda v: np.full(v, 1),
    "empty": np.empty,
    "reshape": np.ones(6).reshape,
    "jnp": jnp.zeros,
}
for v in ({1: 2}, {2}, "ab", range(2), np.array([2, 3]), [2.0], 2.0, (2, None), np.int8(3), -1, (3, -2)):
    for name, make in makers.items():
        if name == "reshape" and isinstance(v, str):
            continue
        try:
            print(v, name, make(v).shape)
        except Exception as e:
            print(v, name, type(e).__name__, e)
for make in (np.zeros, np.empty):
    for v in (None, True, (x for x in [1])):
        try:
            print(make(v).shape)
        except Exception as e:
            print(type(e).__name__, str(e).split(" at 0x")[0])
