# own: a kernel that prints
# What kernels and jitted functions print goes where sys.stdout is, in order.
import jax, jax.numpy as jnp, io, contextlib
print("a")
jax.debug.print("x {}", jnp.ones(3))
print("b")
f = jax.jit(lambda x: (jax.debug.print("in jit {}", x), x + 1)[1])
y = f(jnp.float32(2))
print("c")
z = f(jnp.float32(3))
print("d")
s = io.StringIO()
with contextlib.redirect_stdout(s):
    jax.debug.print("captured {}", jnp.ones(2))
    f(jnp.float32(5))
print("got", repr(s.getvalue()))


def body(x_ref, o_ref):
    o_ref[0] = x_ref[0] + 1
    jax.experimental.pallas.debug_print("kernel {}", o_ref[0])


import jax.experimental.pallas
from jax.experimental.pallas import tpu as pltpu
s = io.StringIO()
with contextlib.redirect_stdout(s):
    spec = jax.experimental.pallas.BlockSpec(memory_space=pltpu.SMEM)
    jax.block_until_ready(jax.experimental.pallas.pallas_call(body, out_shape=jax.ShapeDtypeStruct((4,), jnp.int32), in_specs=[spec], out_specs=spec)(jnp.arange(4)))
print(repr(s.getvalue()))
