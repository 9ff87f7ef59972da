# cmd: test --strict-tpu {} -v
# What the chip's compiler would refuse is an exception of the call, of JAX's type and with its words in front; interpreted kernels are not
# for the chip.
import jax
import jax.numpy as jnp
import pytest
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def copy(x_ref, o_ref):
    o_ref[...] = x_ref[...]


def call(shape, block, **options):
    grid = tuple([-(-n // b) for n, b in zip(shape, block)])
    spec = pl.BlockSpec(block, lambda *indices: indices)
    x = jnp.zeros(shape)
    return pl.pallas_call(copy, out_shape=x, grid=grid, in_specs=[spec], out_specs=spec, **options)(x)


@pytest.mark.parametrize("shape, block, words", [
    ((), (), "The Pallas TPU lowering currently supports only blocks of rank >= 1"),
    ((128,), (64,), "The Pallas TPU lowering currently requires that rank 1 block shapes, either"),
    ((16, 128), (4, 128), "the last two dimensions of your block shape are divisible by 8 and 128"),
])
def test_blocks(shape, block, words):
    with pytest.raises(ValueError, match=words):
        call(shape, block)
    call(shape, block, interpret=True)


@pytest.mark.parametrize("dtype", ["uint8", "uint32"])
def test_unsigned_products(dtype):
    x = jnp.zeros((128, 128), dtype)
    f = lambda **how: pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., pl.dot(x_ref[...], x_ref[...])), out_shape=jax.ShapeDtypeStruct(x.shape, jnp.int32), **how)(x)
    with pytest.raises(NotImplementedError, match=f"^Unsigned integer dtype {dtype} is not supported for dot_general .matmul."):
        f()
    f(interpret=True)


def test_fits():
    assert call((16, 128), (8, 128)).shape == (16, 128)


def test_jitted():
    @jax.jit
    def f(x):
        return pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...][::-1]), out_shape=x)(x)

    with pytest.raises(NotImplementedError, match="Unimplemented primitive in Pallas TPU lowering for tc: rev"):
        f(jnp.zeros((8, 128)))


def test_access():
    def scalar(o_ref):
        o_ref[0, 0] = 1.0

    with pytest.raises(ValueError, match="Cannot store scalars to VMEM"):
        pl.pallas_call(scalar, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))()

    def far(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    with pytest.raises(ValueError, match="only allowed on VMEM and SMEM references"):
        pl.pallas_call(far, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[pl.BlockSpec(memory_space=pl.ANY)])(jnp.zeros((8, 128)))


@pytest.mark.parametrize("dtype", [jnp.int8, jnp.int16, jnp.uint16])
def test_narrow_scalars(dtype):
    spec = pl.BlockSpec(memory_space=pltpu.SMEM)
    x = jnp.array([1, 2], dtype)
    for op in (jnp.add, jnp.maximum, jnp.bitwise_or):
        with pytest.raises(jax.errors.JaxRuntimeError, match="Only i1 and i32 scalars are supported"):
            pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(0, op(x_ref[0], x_ref[1])), out_shape=x, in_specs=[spec], out_specs=spec)(x)


def test_narrow_sums():
    def double(dtype):
        x = jnp.ones((32, 128), dtype)
        return pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...] + x_ref[...]), out_shape=x)(x)
    for dtype in (jnp.int8, jnp.uint8):
        with pytest.raises(jax.errors.JaxRuntimeError, match="Only vector<i16> and vector<i32> are supported"):
            double(dtype)
    assert (double(jnp.int16) == 2).all()
