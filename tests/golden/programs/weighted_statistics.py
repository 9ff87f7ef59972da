# Quantiles by the inverse of the distribution, with weights; covariances of weighted observations; what lies beyond the points of interp.
import jax.numpy as jnp

a = jnp.array([[1.0, 4.0, 2.0, 9.0], [3.0, jnp.nan, 5.0, 0.0]])
for f in (jnp.quantile, jnp.nanquantile):
    print(f(a, jnp.array([0.0, 0.3, 0.5, 1.0]), axis=1, method="inverted_cdf"))
    print(f(a, 0.6, method="inverted_cdf", keepdims=True))
    print(f(a, 0.6, axis=1, method="inverted_cdf", weights=jnp.array([1.0, 5.0, 1.0, 1.0])))
    print(f(a, 0.4, axis=0, method="inverted_cdf", weights=jnp.array([1, 2])))
print(jnp.percentile(a[0], 40, method="inverted_cdf", weights=jnp.array([1.0, -1.0, 1.0, 1.0])))
for weights, options in ((jnp.ones(4), {}), (jnp.ones(3), {"method": "inverted_cdf", "axis": 1})):
    try:
        jnp.quantile(a, 0.5, weights=weights, **options)
    except (NotImplementedError, ValueError) as error:
        print(type(error).__name__, error)

m = jnp.array([[0.0, 1.0, 2.0, 5.0], [9.0, 16.0, 25.0, 0.0]])
for options in ({"fweights": jnp.array([1, 2, 1, 3])}, {"aweights": jnp.array([0.5, 1.0, 2.0, 1.0])},
                {"fweights": jnp.array([1, 2, 1, 3]), "aweights": jnp.array([0.5, 1.0, 2.0, 1.0])}, {"fweights": jnp.array([1, 2, 1, 3]), "ddof": 0}):
    print(jnp.cov(m, **options).round(3).tolist())
for weights in (jnp.ones(4), jnp.ones((2, 2), int), jnp.ones(3, int)):
    try:
        jnp.cov(m, fweights=weights)
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__, error)

x, xp, fp = jnp.array([0.0, 1.5, 9.0]), jnp.array([1.0, 2.0, 3.0]), jnp.array([10.0, 20.0, 30.0])
print(jnp.interp(x, xp, fp, left="extrapolate", right="extrapolate"), jnp.interp(x, xp, fp, left="extrapolate", right=-1))
try:
    jnp.interp(x, xp, fp, left="flat")
except ValueError as error:
    print(error)
