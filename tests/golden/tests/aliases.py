# cmd: test --check {} -v
# Without a grid, what a kernel leaves of an output that is an input as well is the input's; with vmap it is so for each call.
import functools
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import pallas as pl


@pytest.mark.parametrize("shape", [(), (8, 128)])
@pytest.mark.parametrize("interpret", [False, True])
def test_sum_in_place(shape, interpret):
    def add(x_ref, _, o_ref):
        o_ref[...] = x_ref[...] + o_ref[...]
    call = pl.pallas_call(add, out_shape=jax.ShapeDtypeStruct(shape, jnp.int32), input_output_aliases={1: 0}, interpret=interpret)
    assert (call(jnp.full(shape, 3), jnp.full(shape, 4)) == 7).all()
    batch = jnp.arange(6).reshape(6, *[1] * len(shape)) + jnp.zeros(shape, jnp.int32)
    np.testing.assert_array_equal(jax.vmap(call, in_axes=(0, None))(batch, jnp.full(shape, 4)), batch + 4)


def test_part():
    @functools.partial(pl.pallas_call, out_shape=jax.ShapeDtypeStruct((16, 128), jnp.float32), input_output_aliases={0: 0})
    def first_row(_, o_ref):
        o_ref[0] = jnp.zeros(128)
    x = jnp.ones((16, 128))
    np.testing.assert_array_equal(first_row(x), x.at[0].set(0.0))


@pytest.mark.parametrize("block, index", [((8, 4), (1, 0)), ((16, 4), (0, 0)), ((None, 4), (3, 0))])
def test_other_blocks(block, index):
    def first(_, o_ref):
        o_ref[0, 0] = 100.0
    call = pl.pallas_call(first, out_shape=jax.ShapeDtypeStruct((16, 4), jnp.float32), in_specs=[pl.BlockSpec(block, lambda: index)],
                          out_specs=pl.BlockSpec((8, 4), lambda: (0, 0)), input_output_aliases={0: 0}, interpret=True)
    x = jnp.arange(64.0).reshape(16, 4)
    np.testing.assert_array_equal(call(x), x.at[0, 0].set(100.0))
    batch = jnp.stack([x, -x])
    np.testing.assert_array_equal(jax.vmap(call)(batch), batch.at[:, 0, 0].set(100.0))
