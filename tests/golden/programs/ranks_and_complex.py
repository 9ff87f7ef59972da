# Arrays of as many dimensions as there may be; a complex number goes into complex arrays without a warning.
import warnings

import numpy as np

import jax.numpy as jnp

x = jnp.arange(4).reshape(1, 2, 1, 1, 1, 2)
print(x[None, None, :, 1].shape, x[(None,) * 10].shape, x[(None,) * 10 + (0, 1)].shape, x[(None,) * 9 + (..., None)].shape)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    z = np.zeros(3, complex)
    z[0] = 1 + 2j
    z[1:] = np.array([1j, 2])
    r = np.zeros(3)
    print(len(seen))
    r[:] = z
    print(z, r, [w.category.__name__ for w in seen])
