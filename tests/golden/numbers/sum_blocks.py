# own: bits are compared with those of the same sums, written out
"""A product sums blocks of 512 terms, or of those that its grid has, from zero each, and adds their sums up: whatever its shape, its layout and what follows it."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

rng = np.random.default_rng(0)


def arrays(m, k, n, dtype):
    return jnp.asarray(rng.random((m, k), np.float32), dtype), jnp.asarray(rng.random((k, n), np.float32), dtype)


def product(x, y, dims=((1,), (0,))):
    return lax.dot_general(x, y, (dims, ((), ())), preferred_element_type=jnp.promote_types(x.dtype, jnp.float32))


def added(x, y, block, start=None):
    """What the rule says: no term of this has more than 512."""
    for k in range(0, x.shape[1], block):
        part = product(x[:, k : k + block], y[k : k + block])
        start = part if start is None else start + part
    return start


def same(x, y):
    return x.dtype == y.dtype and bool((np.asarray(x) == np.asarray(y)).all())


def whole(m, k, n, dtype=jnp.float32):
    x, y = arrays(m, k, n, dtype)
    wanted = np.asarray(added(x, y, 512))
    found = [
        same(jax.jit(product)(x, y), wanted),
        same(jax.jit(lambda x, y: product(x, y, ((1,), (1,))))(x, y.T), wanted),  # along k
        same(jax.jit(lambda x, y: product(x, y, ((0,), (0,))))(x.T, y), wanted),
        same(jax.jit(lambda x, y: jnp.maximum(product(x, y) * 2, 1))(x, y), np.maximum(wanted * 2, 1)),
        same(jax.jit(lambda x, y: product(x, y).astype(jnp.bfloat16))(x, y), jnp.asarray(wanted).astype(jnp.bfloat16)),
    ]
    print("whole", m, k, n, jnp.dtype(dtype).name, found)


def added_to(m, k, n):
    """The sums go on from what is there; of a carried value, a Ref, and an output."""
    x, y = arrays(m, k, n, jnp.float32)
    start = jnp.asarray(rng.random((m, n), np.float32))

    def kernel(x_ref, y_ref, s_ref, o_ref):
        o_ref[...] = s_ref[...]
        o_ref[...] += product(x_ref[...], y_ref[...])
    found = pl.pallas_call(kernel, out_shape=start)(x, y, start)
    carried = jax.jit(lambda x, y, s: lax.fori_loop(0, 2, lambda i, s: s + product(x, y), s))(x, y, start)
    wanted = added(x, y, 512, start)
    print("added to", m, k, n, same(found, wanted), same(carried, added(x, y, 512, wanted)))


def cut(m, k, n, block, dtype=jnp.float32, fused=False):
    """A grid along k adds the products of its steps up."""
    x, y = arrays(m, k, n, dtype)
    sums = jnp.promote_types(dtype, jnp.float32)

    def kernel(x_ref, y_ref, o_ref, *sum_ref):
        s_ref = sum_ref[0] if fused else o_ref

        @pl.when(pl.program_id(0) == 0)
        def _():
            s_ref[...] = jnp.zeros_like(s_ref)
        s_ref[...] += product(x_ref[...], y_ref[...])
        if fused:
            @pl.when(pl.program_id(0) == pl.num_programs(0) - 1)
            def _():
                o_ref[...] = s_ref[...] * 2 + 1
    found = pl.pallas_call(
        kernel, grid=(k // block,), out_shape=jax.ShapeDtypeStruct((m, n), sums),
        in_specs=[pl.BlockSpec((m, block), lambda i: (0, i)), pl.BlockSpec((block, n), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((m, n), lambda i: (0, 0)), scratch_shapes=[pltpu.VMEM((m, n), sums)] if fused else [])(x, y)
    wanted = None
    for at in range(0, k, block):
        part = added(x[:, at : at + block], y[at : at + block], 512, wanted)
        wanted = part
    print("cut", m, k, n, "in", block, jnp.dtype(dtype).name, same(found, wanted * 2 + 1 if fused else wanted))


for shape in (1, 600, 40), (1, 1100, 300), (3, 1536, 700), (7, 2048, 33), (13, 1027, 90), (70, 1300, 130), (200, 2600, 150):
    whole(*shape)
    added_to(*shape)
whole(40, 1100, 70, jnp.bfloat16)
whole(2, 1601, 70, jnp.bfloat16)
for block in 1, 2, 8, 30, 100, 128, 256, 384, 512, 513, 600, 1024, 1536:
    cut(40, 3 * block, 70, block)
    cut(3, 3 * block, 300, block, fused=block % 256 == 0)
for block in 32, 128, 130, 512, 640:
    cut(24, 4 * block, 128, block, jnp.bfloat16)
