# cmd: test {} -v
# What suites ask of calls of Pallas: lowerings, costs under vmap, texts of MLIR, a grid that an array of one element tells, a kernel of JAX's own.
import jax
import jax.numpy as jnp
import numpy as np
from absl.testing import absltest
from jax._src import test_util as jtu
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas.ops.tpu import example_kernel


def copied(x_ref, o_ref):
    o_ref[...] = x_ref[...]


class CallTest(jtu.JaxTestCase):
    def test_chip(self):
        self.assertTrue(jtu.is_libtpu_at_least("0.0.46"))
        self.assertArraysEqual(example_kernel.double(jnp.arange(8.0)), 2 * jnp.arange(8.0))

    def test_lower(self):
        call = pl.pallas_call(copied, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))
        x = jnp.arange(1024.0).reshape(8, 128)
        self.assertArraysEqual(call.lower(x).compile()(x), x)
        self.assertIsNotNone(call.trace(x).jaxpr)

    def test_static(self):
        f = jax.jit(lambda x, n, *, k: pl.pallas_call(copied, out_shape=x, name="named")(x) * n + k, static_argnums=1, static_argnames="k")
        lowered = f.lower(jnp.ones((8, 128)), 3, k=2)
        self.assertIn("named", lowered.as_text())
        self.assertIn("named", lowered.compile().as_text())
        self.assertEqual(lowered.cost_analysis()["flops"], 2 * 1024)
        self.assertEqual(lowered.compile().memory_analysis().argument_size_in_bytes, 4096)

    def test_costs(self):
        cost = pl.CostEstimate(flops=1234, transcendentals=21, bytes_accessed=12345)
        call = pl.pallas_call(copied, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), cost_estimate=cost)
        twice = jax.vmap(jax.vmap(call))
        found = jax.jit(lambda x: (twice(x), call(x[0, 0]))).lower(jnp.ones((2, 3, 8, 128))).compile().cost_analysis()
        self.assertEqual((found["flops"], found["transcendentals"], found["bytes accessed"]), (7 * 1234, 7 * 21, 7 * 12345))
        text = pl.lower_as_mlir(call, jnp.ones((8, 128)))
        for part in "tpu_custom_call", r"flops\22:1234", r"transcendentals\22:21":
            self.assertIn(part, text)

    def test_grid(self):
        def counted(n_ref, o_ref):
            o_ref[0] = jax.lax.cond(pl.program_id(0) == 0, lambda: 1, lambda: o_ref[0] + 1)

        smem = pl.BlockSpec(memory_space=pltpu.SMEM)
        found = jax.jit(lambda n: pl.pallas_call(counted, out_shape=pltpu.SMEM((1,), jnp.int32), grid=(n,), in_specs=[smem], out_specs=smem)(n))(
            jnp.array([5]))
        np.testing.assert_array_equal(found, [5])


if __name__ == "__main__":
    absltest.main(testLoader=jtu.JaxTestLoader())
