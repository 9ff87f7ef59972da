import functools, pytest
import jax, jax.numpy as jnp, numpy as np
from jax import random as jr
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax._src.pallas.mosaic import random as plrandom
from jax.experimental.pallas.ops.tpu.random import threefry as _t, philox as _p
S = jax.ShapeDtypeStruct; eq = np.testing.assert_array_equal
SM = pl.BlockSpec(memory_space=pltpu.SMEM); VM = pl.BlockSpec(memory_space=pltpu.VMEM)
PK = lambda impl="rbg", s=0: pltpu.to_pallas_key(jr.key(s, impl=impl))
@pytest.mark.parametrize("legacy", [0, 1])
def test_batched(legacy):
    k = jr.split(jr.PRNGKey(42) if legacy else jr.key(42, impl="rbg"), 10)
    eq(jr.key_data(pltpu.to_pallas_key(k)), jr.key_data(jax.vmap(pltpu.to_pallas_key)(k)))
def test_outside():
    with pytest.raises(NotImplementedError, match="MLIR translation rule .* not found"): jr.uniform(PK(), shape=(1,))
def test_seeded():
    def f(s):
        def b(o): pltpu.prng_seed(s); o[...] = pltpu.prng_random_bits(o.shape)
        return pl.pallas_call(b, out_shape=S((8, 128), jnp.int32))()
    eq(f(0), f(0)); assert not (f(0) == f(1)).all()
@pytest.mark.parametrize("sh", [(32, 256), (8, 16)])
def test_shapes(sh):
    def b(o): pltpu.prng_seed(0); o[...] = pltpu.prng_random_bits(o[...].shape)
    r = pl.pallas_call(b, out_shape=S(sh, jnp.int32))(); assert len(jnp.unique(r)) / np.prod(sh) > .99
@pytest.mark.parametrize("g", [pltpu.stateful_uniform, pltpu.stateful_normal])
def test_stateful(g):
    def b(k, o): pltpu.prng_seed(k[...]); o[...] = g(shape=o[...].shape)
    r = pl.pallas_call(b, in_specs=[SM], out_shape=S((8, 128), jnp.float32))(PK()); assert len(jnp.unique(r)) > 900
@pytest.mark.parametrize("g,dt,ks", [(jr.uniform, jnp.float32, None), (jr.uniform, jnp.float32, (1, 1)), (jr.normal, jnp.float32, None), (jr.bits, jnp.uint32, None)])
def test_stateless(g, dt, ks):
    def b(k, o):
        if ks: k = k.at[(0,) * len(ks)]
        o[...] = g(k[...], shape=o[...].shape)
    k = PK() if not ks else jnp.reshape(PK(), ks)
    r = pl.pallas_call(b, in_specs=[SM], out_shape=S((8, 128), dt))(k); assert len(jnp.unique(r)) > 900
def test_key_data():
    def b(k, o): x0, x1 = plrandom.unwrap_pallas_seed(k[...]); o[0, 0] = x0; o[0, 1] = x1
    w = jr.key_data(PK()); eq(pl.pallas_call(b, in_specs=[SM], out_specs=SM, out_shape=S(w.shape, w.dtype))(PK()), w)
def test_squeezed():
    @functools.partial(pl.pallas_call, grid=(), in_specs=[pl.BlockSpec((pl.squeezed,), lambda: (0,), memory_space=pltpu.SMEM)], out_specs=pl.BlockSpec((8, 128)), out_shape=S((8, 128), jnp.float32))
    def k(key, o): o[...] = jr.uniform(key[...], shape=o.shape)
    k(PK()[None])
def test_fold_in():
    def b(k, o):
        key = k[...]; o[0, ...] = jr.uniform(key, shape=o[0, ...].shape); key = jr.fold_in(key, jnp.uint32(2)); o[1, ...] = jr.uniform(key, shape=o[1, ...].shape)
    r = pl.pallas_call(b, in_specs=[SM], out_shape=S((2, 8, 128), jnp.float32))(PK()); assert not (r[0] == r[1]).any() or (r[0] != r[1]).mean() > .99
def test_core_map():
    def main(refs):
        kh, o = refs
        @pl.core_map(pltpu.create_tensorcore_mesh("core"))
        def _():
            @functools.partial(pl.run_scoped, ks=pltpu.SMEM((), kh.dtype), v=pltpu.VMEM(o.shape, o.dtype))
            def _(ks, v): pltpu.sync_copy(kh, ks); v[...] = jr.uniform(ks[...], shape=o.shape); pltpu.sync_copy(v, o)
    @jax.jit
    def f(k): return pl.run_state(main)((k, jnp.zeros((8, 128))))[1]
    assert len(jnp.unique(f(PK()))) > 900
def test_out_key():
    key = PK("threefry2x32")
    f = jax.jit(lambda x: pl.pallas_call(lambda x, o: pltpu.sync_copy(x, o), out_shape=S((), jax.typeof(x).dtype), in_specs=[SM], out_specs=SM)(x))
    eq(jr.key_data(key), jr.key_data(f(key)))
def test_block_invariance():
    def mk(im):
        def b(k, o): o[...] = pltpu.sample_block(jr.uniform, k[...], block_size=o[...].shape, tile_size=(16, 128), total_size=(64, 512), block_index=im(pl.program_id(0), pl.program_id(1)), minval=0.0, maxval=1.0)
        return b
    k = jr.key(0, impl="pallas_tpu"); o = jnp.ones((64, 512))
    a = pl.pallas_call(mk(lambda i, j: (i, j)), out_shape=o, in_specs=[SM], out_specs=pl.BlockSpec((16, 128), lambda i, j: (i, j)), grid=(4, 4))(k)
    b = pl.pallas_call(mk(lambda i, j: (j, i)), out_shape=o, in_specs=[SM], out_specs=pl.BlockSpec((32, 256), lambda i, j: (j, i)), grid=(2, 2))(k)
    eq(a, b)
@pytest.mark.parametrize("sh", [(8, 128), (32, 256), (4, 16, 128)])
@pytest.mark.parametrize("g,dt", [(jr.uniform, jnp.float32), (jr.normal, jnp.float32), (jr.bits, jnp.uint32)])
def test_threefry(sh, g, dt):
    k = jr.key(0, impl="threefry2x32")
    with jax.threefry_partitionable(True):
        r = pl.pallas_call(lambda k, o: o.__setitem__(..., g(k[...], shape=o[...].shape)), in_specs=[VM], out_shape=S(sh, dt))(k)
        eq(r, g(k, shape=sh))
@pytest.mark.parametrize("sh", [(512, 512), (137, 275), (4, 512, 512), (34,), ()])
def test_threefry_kernel(sh):
    with jax.threefry_partitionable(True): eq(jr.bits(jr.key(0, impl="threefry2x32"), shape=sh), jr.bits(jr.key(0, impl="pallas_threefry2x32"), shape=sh))
@pytest.mark.parametrize("sh", [(256, 256), (35, 113), (331,)])
def test_threefry_sharded(sh):
    n = jax.device_count(); P = jax.sharding.PartitionSpec("x"); mesh = jax.make_mesh((n,), ("x",), axis_types=(jax.sharding.AxisType.Auto,)); s = jax.sharding.NamedSharding(mesh, P)
    with jax.threefry_partitionable(True):
        kj, kp = (jax.device_put(jr.split(jr.key(0, impl=i), n), s) for i in ("threefry2x32", "pallas_threefry2x32"))
        gen = jax.shard_map(lambda x: jr.bits(x[0], shape=sh), mesh=mesh, in_specs=P, out_specs=P, check_vma=False)
        eq(gen(kj), gen(kp))
@pytest.mark.parametrize("sh", [(512, 512), (137, 275), (4, 512, 512), (34,), ()])
def test_philox(sh):
    v = jr.uniform(jr.key(0, impl="pallas_philox4x32"), shape=sh); assert (v >= 0).all() and (v <= 1).all() and (v.size < 2 or len(jnp.unique(v)) > .9 * min(v.size, 1 << 20))
def test_philox_keys():
    from jax._src.pallas.mosaic import random
    k = jr.key(0, impl="pallas_philox4x32"); a, b = jr.split(k); d = [jr.key_data(x) for x in (k, a, b, jr.fold_in(k, 1), jr.fold_in(k, 2))]
    assert len({np.asarray(x).tobytes() for x in d}) == 5
