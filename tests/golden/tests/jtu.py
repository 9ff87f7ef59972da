# cmd: test {} -v
# status: 1
# Cases as the suites of JAX write them.
import jax, jax.numpy as jnp, numpy as np
from absl.testing import absltest, parameterized
from jax._src import test_util as jtu
from jax.experimental import pallas as pl
jax.config.parse_flags_with_absl()
@jtu.with_config(jax_numpy_dtype_promotion="standard")
class T(jtu.JaxTestCase):
    def setUp(self):
        super().setUp()
        if not jtu.is_device_tpu_at_least(5): self.skipTest("old")
    @parameterized.product(n=[8, 16], dtype=[jnp.float32, jnp.bfloat16, jnp.int8])
    def test_a(self, n, dtype):
        x = jtu.rand_default(self.rng())((n, 128), dtype)
        y = pl.pallas_call(lambda a, o: o.__setitem__(..., a[...] + a[...]), out_shape=jax.ShapeDtypeStruct(x.shape, dtype))(x)
        self.assertAllClose(y, x + x)
        self.assertArraysEqual(y, y)
    @jtu.sample_product(n=[1, 2, 3], m=[[1, 2], [3]])
    def test_s(self, n, m): self.assertEqual(n, n)
    @jtu.skip_if_mosaic_gpu_exceeds_shared_memory(device_patterns="A GPU")
    @jtu.with_explicit_mesh((1,), ("x",))
    def test_names(self, mesh):
        self.assertFalse(jtu.SKIP_SLOW_TESTS.value)
        self.assertEqual(mesh.shape["x"], 1)
        self.assertEqual(jtu.to_default_dtype(np.ones(3, np.float16)).dtype, np.float32)
        some = jtu.rand_some_equal(self.rng())((64,), np.float32)
        self.assertGreater((some == some[0]).sum(), 8)
        self.assertEqual(sorted(jtu.rand_unique_int(self.rng())((4,), np.int32).tolist()), [0, 1, 2, 3])
        with jtu.with_mesh([("y", 1)]): jtu.BufferDonationTestCase().assertNotDeleted(jnp.ones(3))
    def test_fail(self): self.assertAllClose(jnp.ones(3), np.zeros(3, np.float32))
    def test_print(self):
        with jtu.capture_stdout() as get:
            print("hi")
            jax.debug.print("x {}", 3)
        self.assertIn("x 3", get())
if __name__ == "__main__": absltest.main(testLoader=jtu.JaxTestLoader())
