# What checkify tells: the messages are JAX's.
import jax, jax.numpy as jnp
from jax.experimental import checkify, pallas as pl
def f(x, i):
    checkify.check(i >= 0, "index {i} is negative, x is {x}", i=i, x=x[0])
    return x * 2
e, y = jax.jit(checkify.checkify(f))(jnp.arange(3.) + .5, jnp.int32(-2))
print(e.get(), y)
e, y = jax.jit(checkify.checkify(f))(jnp.arange(3.), jnp.int32(2))
print(e.get(), y, e)
try: checkify.check(jnp.asarray(False), "now {}", jnp.float32(1.5))
except checkify.JaxRuntimeError as x: print(type(x), x)
try: checkify.check(1, "bad")
except TypeError as x: print(x)
def k(x_ref, o_ref):
    checkify.check(jnp.all(x_ref[...] < 9), "block {} has {}", pl.program_id(0), x_ref[0])
    o_ref[...] = x_ref[...]
x = jnp.arange(16, dtype=jnp.int32)
b = pl.BlockSpec((4,), lambda i: (i,))
e, y = checkify.checkify(pl.pallas_call(k, out_shape=x, grid=(4,), in_specs=[b], out_specs=b, interpret=True))(x)
print(e.get()); 
try: e.throw()
except ValueError as x: print(type(x).__name__)
try:
    jax.jit(lambda x: checkify.check(x > 0, "bad"))(jnp.int32(1))
except ValueError as x:
    print(str(x)[:60])
try:
    checkify.checkify(f, errors=checkify.nan_checks)
except NotImplementedError as x:
    print(str(x)[:60])
