# Windows with strides on arrays: the last element may be the array's last, or lie within the last stride.
import jax.numpy as jnp
from jax.experimental import pallas as pl

for length in 5, 6, 7:
    x = jnp.arange(length)
    print(length, x[pl.ds(0, 3, 2)], x[pl.ds(length - 5, 3, 2)], x[pl.ds(length - 4, 2, 3)], x[pl.ds(1, 0, 2)])
