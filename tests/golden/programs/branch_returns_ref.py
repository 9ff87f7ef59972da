# A branch cannot return a Ref.
# own: JAX says that branches differ before it sees what they return.
import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl


def first(x_ref, y_ref, o_ref):
    o_ref[...] = lax.cond(x_ref[0, 0] > 0, lambda: x_ref, lambda: y_ref)[...]

def second(x_ref, y_ref, o_ref):
    o_ref[...] = lax.switch(1, [lambda: 1.0, lambda: {'ref': y_ref}])

x = jnp.ones((8, 128))
for kernel in (first, second):
    try:
        pl.pallas_call(kernel, out_shape=x)(x, x)
    except ValueError as error:
        print(error)
