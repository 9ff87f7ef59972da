# cmd: check {}
# status: 1
import jax
import jax.numpy as jnp
from jax._src.pallas.mosaic.interpret import interpret_pallas_call as mosaic_interpret
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def kernel(x, o, buf, sem):
    copy = pltpu.make_async_copy(x, buf, sem)
    copy.start()
    o[...] = buf[...] * 2.0
    copy.wait()


def fixed(x, o, buf, sem):
    copy = pltpu.make_async_copy(x, buf, sem)
    copy.start()
    copy.wait()
    o[...] = buf[...] * 2.0


def call(body, **keywords):
    return pl.pallas_call(body, jax.ShapeDtypeStruct((64, 128), jnp.float32), in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
                          scratch_shapes=[pltpu.VMEM((64, 128), jnp.float32), pltpu.SemaphoreType.DMA], **keywords)


detecting = pltpu.InterpretParams(detect_races=True)
x = jnp.ones((64, 128))
print(call(kernel)(x).shape, mosaic_interpret.races.races_found)
call(kernel, interpret=detecting)(x)
print(mosaic_interpret.races.races_found)
print(call(fixed, interpret=detecting)(x)[0, 0], mosaic_interpret.races.races_found)
for _ in range(2):
    y = jax.jit(call(kernel, interpret=detecting))(x)
assert mosaic_interpret.races.races_found
with pltpu.force_tpu_interpret_mode(detecting):
    print(call(fixed)(x)[0, 0], mosaic_interpret.races.races_found)
    call(kernel)(x)
    assert mosaic_interpret.races.races_found
pltpu.reset_tpu_interpret_mode_state()
