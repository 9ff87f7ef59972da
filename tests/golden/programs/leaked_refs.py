# What a kernel or a jitted function has kept of its refs knows its type when that has ended, and can be used no more.
# own: JAX runs such kernels on a TPU alone
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

x = jnp.ones((8, 128))
kept = []


def kernel(x_ref, o_ref, s_ref, sem):
    copy = pltpu.make_async_copy(x_ref, s_ref, sem)
    copy.start()
    copy.wait()
    kept[:] = [x_ref, x_ref.at[0], s_ref, sem, copy, x_ref.reshape(4, 256), x_ref[...], pl.program_id(0)]
    o_ref[...] = s_ref[...]


def jitted(x):
    ref = jax.new_ref(x)
    kept[:] = [ref, ref.at[0]]
    return ref[...]


def tell(what, function):
    try:
        print(what, function())
    except Exception as error:
        print(what, type(error).__name__, str(error)[:62])


call = pl.pallas_call(kernel, out_shape=x, grid=(1,), scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), pltpu.SemaphoreType.DMA])
for made in (call, jax.jit(call), jax.jit(jitted)):
    made(x)
    for ref in kept:
        tell("shape", lambda: (ref.shape, ref.dtype, ref.ndim, ref.size))
        tell("read", lambda: ref[...])
        tell("written", lambda: ref.__setitem__(..., 0))
        tell("view", lambda: ref.at[0])
        tell("used", lambda: jnp.sin(ref))
        tell("given", lambda: jax.jit(lambda r: r)(ref))
        tell("text", lambda: repr(ref)[:30] if not hasattr(ref, "start") else "")
        if hasattr(ref, "start"):
            tell("copied", ref.start)
        elif ref.shape == ():
            tell("waited", lambda: pl.semaphore_wait(ref))
tell("returned", lambda: jax.jit(lambda: kept[0])())

# Wherever it is given.
made = jnp.zeros((8, 128))
for ref in [*kept, None]:
    call(made)
    ref = kept[3] if ref is None else ref
    jax.jit(lambda v: v * 3)(made).block_until_ready()
    tell("carried", lambda: jax.lax.scan(lambda c, v: (c, v), ref, x))
    tell("carried", lambda: jax.lax.while_loop(lambda c: c[0] < 1, lambda c: (c[0] + 1, c[1]), (0, ref)))
    tell("of a kernel", lambda: pl.pallas_call(lambda a, o: o.__setitem__(..., ref[...]), out_shape=x)(x))
    bound = lambda held, a, o: o.__setitem__(..., a[...])
    tell("bound", lambda: pl.pallas_call(lambda a, o: bound(ref, a, o), out_shape=x)(x)[0, 0])
    tell("memory", lambda: jax.new_ref(ref))
