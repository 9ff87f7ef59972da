# Weights of the axes that are reduced, in the order in which these are named; lists are no weights.
import jax.numpy as jnp

a = jnp.arange(24.0).reshape(2, 3, 4)
w = jnp.arange(8.0).reshape(4, 2)
for axis in ((2, 0), (-1, 0), (-1, -3)):
    print(jnp.quantile(a, jnp.array([0.5, 0.1]), axis=axis, weights=w, method="inverted_cdf").tolist())
print(jnp.nanquantile(a, 0.3, axis=(0, 2), weights=w.T, method="inverted_cdf").tolist())
v = jnp.array([3.0, 1.0, 4.0])
for f in (jnp.quantile, jnp.nanquantile, jnp.percentile, jnp.nanpercentile):
    try:
        print(f(v, 0.5, weights=[1.0, 1.0, 1.0], method="inverted_cdf"))
    except TypeError as error:
        print(error)
