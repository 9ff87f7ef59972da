# cmd: test {} -v
# Files as JAX's suites of Pallas write them: cases by classes of theirs, a base without tests, hypothesis, strict promotion, prints.
import functools
import logging
import hypothesis as hp
import hypothesis.extra.numpy as hnp
import hypothesis.strategies as hps
import jax
import jax.numpy as jnp
import numpy as np
import warnings
from absl.testing import absltest, parameterized
from jax import lax
from jax._src import config, dtypes, hijax
from jax._src import core as jax_core
from jax._src import test_util as jtu
from jax._src.pallas import mpmd, pallas_call
from jax._src.pallas import pallas_test_util as ptu
from jax._src.pallas.mosaic import error_handling
from jax._src.state import indexing
from jax._src.state.primitives import pin, unpin
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
import jax.experimental.mosaic.gpu as mgpu

config.parse_flags_with_absl()
jtu.setup_hypothesis(max_examples=10)
intx, floatx = dtypes.default_int_dtype(), dtypes.default_float_dtype()


class Pair(hijax.HiType):
    def __init__(self, first: jax_core.ShapedArray):
        self.first = first


hijax.register_hitype(complex, lambda z: Pair(jax.typeof(1.0)))


class Base(jtu.JaxTestCase):
    INTERPRET = False

    def pallas_call(self, *args, **kwargs):
        return pl.pallas_call(*args, **kwargs, interpret=self.INTERPRET)


class CallTest(ptu.PallasTest):
    def setUp(self):
        super().setUp()
        self.enter_context(pallas_call._PALLAS_USE_MOSAIC_GPU(False))
        self.enter_context(mgpu.core.artificial_shared_memory_limit(jtu._SMEM_SIZE_BOUND_FOR_TESTS))

    @parameterized.product(core_type=[*pltpu.CoreType])
    def test_members(self, core_type):
        self.assertIs(pltpu.CoreType(core_type.value), core_type)
        self.assertLen(pltpu.CoreType, 3)

    def test_strict(self):
        with self.assertRaisesRegex(jax.dtypes.TypePromotionError, "no available implicit dtype promotion path"):
            jnp.ones(2) + jnp.ones(2, jnp.int32)

    def test_print(self):
        def kernel(x_ref, o_ref):
            pl.debug_print("x {}", x_ref[0])

        with jtu.capture_stderr() as get:
            jax.block_until_ready(self.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((1,), intx),
                                                   in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM)])(jnp.array([7])))
        self.assertIn("x 7", get())

    def test_pinned(self):
        def call(x, **options):
            return pl.pallas_call(lambda *refs: None, out_shape=x, in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
                                  out_specs=pl.BlockSpec(memory_space=pl.ANY), **options)(x)

        x = jnp.arange(3.0)
        self.assertArraysEqual(jax.jit(lambda x: unpin(call(pin(x), input_output_aliases={0: 0})))(x), x)
        with self.assertRaisesRegex(ValueError, "pinned buffers without"):
            call(pin(x))

    def test_memory(self):
        def kernel(x_ref, o_ref):
            o_ref[...] = x_ref[...] + 1

        @functools.partial(jax.jit, donate_argnums=(0,))
        def f(x):
            return self.pallas_call(kernel, out_shape=x, input_output_aliases={0: 0})(x)

        found = f.lower(jnp.ones((8, 128))).compile().memory_analysis()
        self.assertEqual((found.alias_size_in_bytes, found.temp_size_in_bytes), (4096, 0))

    def test_warns(self):
        with self.assertWarnsRegex(UserWarning, "look.*"):
            warnings.warn("look out")
        with self.assertRaises(AssertionError):
            with self.assertWarns(UserWarning):
                pass

    def test_logs(self):
        with self.assertLogs(level="ERROR") as log:
            logging.error("seen %s", 3)
            logging.warning("below")
        self.assertEqual(log.output, ["ERROR:root:seen 3"])
        with self.assertNoLogs("other"):
            pass
        with self.assertRaisesRegex(AssertionError, "no logs of level INFO or higher triggered on other"):
            with self.assertLogs("other"):
                pass

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "`in_specs` must be a tuple or a list"):
            self.pallas_call(lambda x_ref, o_ref: None, out_shape=jnp.ones(4), in_specs=pl.BlockSpec((4,), lambda: 0))
        with self.assertRaises(error_handling.MosaicError):
            raise error_handling.VerificationError("of a chip's compiler")


class DrawnTest(Base):
    @parameterized.product(doubled=[False, True])
    @hp.given(hps.integers(0, 3), hnp.arrays(np.int32, hnp.array_shapes(max_dims=2)))
    @hp.example(3, np.ones(2, np.int32))
    def test_drawn(self, doubled, n, array):
        hp.assume(n != 1)
        self.assertIn(n, (0, 2, 3))
        self.assertArraysEqual(jnp.asarray(array) * (2 if doubled else 1), np.asarray(array) * (2 if doubled else 1))

    @hp.given(hps.data())
    def test_data(self, data):
        shape = data.draw(hps.lists(hps.integers(1, 4), min_size=2, max_size=3))
        index = data.draw(hps.integers(0, shape[0] - 1))
        found = indexing.NDIndexer.from_indices_shape((index, indexing.ds(0, 1)), tuple(shape))
        self.assertEqual(found.get_indexer_shape(), (1, *shape[2:]))

    def test_semaphores(self):
        def kernel(o_ref, copied, counted):
            self.assertTrue(jnp.issubdtype(copied.dtype, pltpu.dma_semaphore) and jnp.issubdtype(counted.dtype, pl.semaphore))
            self.assertFalse(jnp.issubdtype(copied.dtype, pl.semaphore) or jnp.issubdtype(counted.dtype, jnp.integer))
            o_ref[...] = jnp.ones_like(o_ref)
        scratch = [pltpu.SemaphoreType.DMA((4,)), pltpu.SemaphoreType.REGULAR]
        pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), scratch_shapes=scratch)()

    def test_refs_as_indices(self):
        ref = jax.new_ref(jnp.arange(8) % 4)
        self.assertEqual(indexing.NDIndexer.from_indices_shape((slice(0, 1), ref), (4, 2)).get_indexer_shape(), (1, 8))
        for indices, words in (((ref, ref), "Multiple Ref indexers"), ((ref, 0), "cannot be mixed with other")):
            with self.assertRaisesRegex(NotImplementedError, words):
                indexing.NDIndexer.from_indices_shape(indices, (4, 2))


if __name__ == "__main__":
    absltest.main(testLoader=jtu.JaxTestLoader())
