# SPDX-License-Identifier: Apache-2.0
"""Under checks, what several steps may write to one result, or nobody writes there, is reported where the program reads it, and nowhere else."""
import jax
import jax.numpy as jnp
import numpy as np
import pallasc
import pallasc.jax
from jax import lax
from jax.experimental import io_callback
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_kernel, splash_attention_mask
from jax.sharding import Mesh, PartitionSpec as P
from logs import logged

X = jnp.ones((2, 16, 128))
DATAFLOW = pltpu.SideEffectType.DATAFLOW_SIDE_EFFECTING


def sums(x_ref, s_ref, o_ref):
    """Of each step of the parallel dimension; s is its scratch, and all have the same block of it."""
    @pl.when(pl.program_id(1) == 0)
    def _():
        s_ref[...] = jnp.zeros_like(s_ref)
    s_ref[...] += x_ref[...]
    o_ref[...] = s_ref[...]


def both(x, dtype=jnp.float32, **options):
    """s, whose contents are nobody's, and o."""
    return pl.pallas_call(
        sums, grid=(2, 2), out_shape=(jax.ShapeDtypeStruct((8, 128), dtype), jax.ShapeDtypeStruct((2, 8, 128), dtype)),
        in_specs=[pl.BlockSpec((None, 8, 128), lambda i, j: (i, j, 0))],
        out_specs=(pl.BlockSpec((8, 128), lambda i, j: (0, 0)), pl.BlockSpec((None, 8, 128), lambda i, j: (i, 0, 0))),
        compiler_params=pltpu.CompilerParams(dimension_semantics=('parallel', 'arbitrary'), **options))(x)


inner = jax.jit(both)


def double(x, **options):
    return pl.pallas_call(lambda x, o: o.__setitem__(..., x[...] * 2), out_shape=x, compiler_params=pltpu.CompilerParams(**options))(x)


def print_of(s):
    jax.debug.print('here')
    return s[0, 0]


def turns(s, o):
    """A loop that makes so many turns as s says, and gives o back."""
    return lax.while_loop(lambda c: (c[0] < 3) & (s[0, 0] > c[0]), lambda c: (c[0] + 1, c[1] * 2), (0, o))[1]


def later(x):
    s, o = both(x)
    for _ in range(3):
        o = jnp.sin(o) + 1
    return o + s


def on_mesh(f):
    mesh = Mesh(np.array(jax.devices()[:2]), ('x',))
    return lambda x: jax.shard_map(f, mesh=mesh, in_specs=P(), out_specs=P(), check_vma=False)(x)


UNREAD = {
    'dropped': lambda x: both(x)[1],
    'inner': lambda x: inner(x)[1],
    'arithmetic': lambda x: (lambda s, o: (s * 2 + 1, o)[1])(*both(x)),
    'through another jit': lambda x: jax.jit(lambda s, o: (s * 2, o))(*inner(x))[1],
    'through a kernel': lambda x: (lambda s, o: (double(s), o)[1])(*both(x)),
    'vmap': lambda x: jax.vmap(both)(jnp.stack([x, x]))[1],
    'scan': lambda x: lax.scan(lambda c, _: (both(c)[1].repeat(2, 1), None), x, None, length=2)[0],
    'cond': lambda x: lax.cond(x[0, 0, 0] > 0, both, lambda x: (x[0, :8], x[:, :8]), x)[1],
    'carried': lambda x: lax.fori_loop(0, 2, lambda i, c: both(c[1].repeat(2, 1) if c[1].shape[1] == 8 else c[1]), both(x))[1],
    'effects': lambda x: both(x, has_side_effects=True)[1],
    'effects of what may go': lambda x: both(x, has_side_effects=DATAFLOW)[1],
    'what may go': lambda x: (lambda s, o: (lax.dce_sink(double(s, has_side_effects=DATAFLOW)), o)[1])(*both(x)),
    'int4': lambda x: both(x.astype(jnp.int4), jnp.int4)[1],
    'shard_map': on_mesh(lambda x: both(x)[1]),
    'remat': lambda x: jax.checkpoint(lambda x: both(x)[1])(x),
}
READ = {
    'given back': both,
    'alone': lambda x: both(x)[0],
    'later': later,
    'inner': inner,
    'sum': lambda x: both(x)[0].sum(),
    'slice': lambda x: both(x)[0][:4],
    'predicate': lambda x: jnp.where(both(x)[0][:1] > 0, 1, 2),
    'scan': lambda x: lax.scan(lambda c, _: (c, both(c)[0]), x, None, length=2)[1],
    'cond': lambda x: lax.cond(both(x)[0][0, 0] > 0, lambda x: x, lambda x: x * 2, x),
    'turns': lambda x: turns(*both(x)),
    'the next turn': lambda x: lax.fori_loop(0, 3, lambda i, c: (both(x)[0], c[1] + c[0][0, 0]), (x[0, :8], x[0, 0, 0]))[1],
    'through a kernel': lambda x: double(both(x)[0]),
    'vmap': lambda x: jax.vmap(both)(jnp.stack([x, x]))[0],
    'int4': lambda x: both(x.astype(jnp.int4), jnp.int4),
    'shard_map': on_mesh(both),
    'printed': lambda x: (lambda s, o: (jax.debug.print('{}', s[0, 0]), o)[1])(*both(x)),
    'callback': lambda x: (lambda s, o: (io_callback(lambda s: None, None, s), o)[1])(*both(x)),
    'whether it prints': lambda x: (lambda s, o: (lax.cond(s[0, 0] > 0, print_of, lambda s: s[0, 0], s), o)[1])(*both(x)),
}


def checked(f, *arguments):
    """The error of a run with checks, or None."""
    try:
        with pallasc.jax.machine(check=True):
            jax.block_until_ready(jax.jit(f)(*arguments))
            jax.effects_barrier()
    except pallasc.Finding as error:
        return error
    return None


def test_what_nobody_reads_is_not_told():
    for name, f in UNREAD.items():
        error = checked(f, X)
        assert error is None, (name, error)


def test_what_somebody_reads_is_told():
    for name, f in READ.items():
        error = checked(f, X)
        assert type(error) is pallasc.RaceError and "of parallel dimensions" in str(error), (name, error)


def test_each_call_has_readers_of_its_own():
    def f(x):
        return both(x)[1], both(x * 2)[0]
    assert type(checked(f, X)) is pallasc.RaceError
    assert checked(lambda x: f(x)[0], X) is None


def keeps(x_ref, s_ref, o_ref, scratch):
    s_ref[...] = scratch[...]
    o_ref[...] = scratch[...]


def test_what_was_never_written_is_told_of_the_result_that_is_read():
    x = jnp.ones((8, 128))
    call = pl.pallas_call(keeps, out_shape=(x, x), scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32)])
    for i in range(2):
        error = checked(lambda x, i=i: call(x)[i], x)
        assert type(error) is pallasc.UnwrittenError and f"output 'out{i}' depends on it" in str(error), error
    forgets = pl.pallas_call(lambda x, s, o: o.__setitem__(..., x[...]), out_shape=(x, x))
    with logged() as lines:
        assert checked(lambda x: forgets(x)[1], x) is None
    assert lines == [], lines
    assert type(checked(lambda x: forgets(x)[0], x)) is pallasc.UnwrittenError


def test_splash_attention_and_its_gradients():
    heads, size = 2, 256
    mask = splash_attention_mask.MultiHeadMask([splash_attention_mask.CausalMask((size, size)),
                                                splash_attention_mask.LocalMask((size, size), (64, 0), 0)])
    blocks = splash_attention_kernel.BlockSizes(**dict.fromkeys(
        ('block_q', 'block_kv', 'block_kv_compute', 'block_q_dkv', 'block_kv_dkv', 'block_kv_dkv_compute', 'block_q_dq', 'block_kv_dq'), 128))
    attention = splash_attention_kernel.make_splash_mha_single_device(mask, block_sizes=blocks)
    q, k, v = (jax.random.normal(key, (heads, size, 128)) for key in jax.random.split(jax.random.key(0), 3))
    assert checked(attention, q, k, v) is None
    gradients = jax.grad(lambda *x: (attention(*x) ** 2).sum(), (0, 1, 2))
    assert checked(gradients, q, k, v) is None
    assert checked(jax.vmap(attention), *(jnp.stack([x, x + 1]) for x in (q, k, v))) is None
    assert checked(lambda *x: jax.vjp(attention, *x)[1](x[0]), q, k, v) is None
