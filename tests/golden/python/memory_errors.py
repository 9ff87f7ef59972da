# cmd: run --max-memory=256M {}
# status: 3
# own: the limit is that of --max-memory
# An array that does not fit is a MemoryError, which a program can handle; what kernels need counts, too.
import jax
import jax.numpy as jnp
import numpy as np


def told(make):
    try:
        return make()
    except MemoryError as error:
        return f"{type(error).__name__}: {error}"


print(told(lambda: np.zeros((1000, 1000, 1000, 50))))
print(told(lambda: np.ones((100, 1000, 1000), np.int8).nbytes))
print(told(lambda: np.ones((100, 1000, 1000), np.int8).astype(np.float32)))
for i in range(20):  # what nobody holds any more is no obstacle
    x = np.full((10, 1000, 1000), i, np.float32)
print(x[0, 0, 0])
del x
y = jnp.ones((4000, 1000))
print(jax.jit(lambda y: jnp.sort(y[:, :, None] + y[:, None, :100], axis=1).sum())(y))
