# What a kernel prints comes before what the host prints later, and behind what it has printed before.
import sys

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def kernel(x_ref, o_ref):
  pl.debug_print("kernel {}", pl.program_id(0))
  o_ref[...] = x_ref[...]


x = jnp.ones((8, 128))
print("before")
y = pl.pallas_call(kernel, grid=(2,), out_shape=x, interpret=True)(x)
print("between")
z = jax.jit(lambda x: (jax.debug.print("jit {}", x[0, 0]), x + 1)[1])(y)
sys.stdout.write("after\n")


@jax.jit
def f(x):
  print("traced")
  jax.debug.print("run {}", x)
  print("traced, too")
  return x


f(jnp.float32(1))
print("end")
