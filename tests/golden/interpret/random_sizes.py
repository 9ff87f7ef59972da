# Sizes of a shape may be values of the program, as in Pallas's own page on sparse kernels.
import jax
import jax.numpy as jnp

count = jnp.sum(jnp.ones(3, bool))
key = jax.random.key(0)
for made in (jax.random.uniform(key, (count, 2)), jax.random.normal(key, (2, count)), jax.random.bits(key, (count,)), jax.random.split(key, (count,))):
    print(made.shape)
