# SPDX-License-Identifier: Apache-2.0
"""Kernels that JAX ships, unchanged, under a live JAX; each against the same computation without a kernel."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.pallas import fuser
from jax.experimental.pallas.ops.tpu import flash_attention, matmul, megablox
from jax.experimental.pallas.ops.tpu.paged_attention import paged_attention_kernel
from jax.experimental.pallas.ops.tpu.random import threefry
from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_kernel, splash_attention_mask

import pallasc.jax

KEYS = jax.random.split(jax.random.key(0), 4)


def close(got, want, tolerance=2e-3):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance), got, want)


def causal(q, k, v):
    scores = jnp.einsum('...qd,...kd->...qk', q, k)
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum('...qk,...kd->...qd', jax.nn.softmax(jnp.where(mask, scores, -1e30)), v)


def test_flash_attention_and_its_gradient():
    q, k, v = (jax.random.normal(key, (1, 2, 256, 128)) for key in KEYS[:3])

    def gradients(f):
        return jax.jit(jax.grad(lambda *x: jnp.sum(f(*x) ** 2), (0, 1, 2)))(q, k, v)
    flash = functools.partial(flash_attention.flash_attention, causal=True)
    close(jax.jit(flash)(q, k, v), causal(q, k, v))
    close(gradients(flash), gradients(causal), 1e-2)


def test_splash_attention():
    q, k, v = (jax.random.normal(key, (2, 256, 128)) for key in KEYS[:3])
    mask = splash_attention_mask.MultiHeadMask([splash_attention_mask.CausalMask((256, 256))] * 2)
    close(jax.jit(splash_attention_kernel.make_splash_mha_single_device(mask))(q, k, v), causal(q, k, v))


def test_matmul_and_grouped_matmul():
    x, y = jax.random.normal(KEYS[0], (256, 128)), jax.random.normal(KEYS[1], (4, 128, 128))
    close(matmul.matmul(x, y[0], block_shape=(128, 128), block_k=128), x @ y[0])
    sizes = jnp.array([60, 68, 0, 128], jnp.int32)
    close(megablox.gmm(x, y, sizes, preferred_element_type=jnp.float32, tiling=(128, 128, 128)), jax.lax.ragged_dot(x, y, sizes))


def test_paged_attention():
    batch, heads, kv_heads, width, page, pages = 2, 8, 4, 128, 16, 4
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal(shape, np.float32)
               for shape in ((batch, heads, width), *((kv_heads, batch * pages, page, width),) * 2))
    lengths, indices = np.array([17, 60], np.int32), random.permutation(batch * pages).astype(np.int32).reshape(batch, pages)
    result = jax.jit(functools.partial(paged_attention_kernel.paged_attention, pages_per_compute_block=2, inline_seq_dim=False))(
        q, k, v, lengths, indices)
    for row, query, of_row, length in zip(np.asarray(result), q, indices, lengths):
        keys, values = (a[:, of_row].reshape(kv_heads, -1, width)[:, :length].repeat(heads // kv_heads, 0) for a in (k, v))
        scores = np.exp(np.einsum("hd,hnd->hn", query, keys).astype(np.float64))
        np.testing.assert_allclose(row, np.einsum("hn,hnd->hd", scores / scores.sum(1, keepdims=True), values), rtol=5e-2,
                                   atol=5e-2)  # the kernel's keys and values are bf16


def test_random_bits():
    key = jax.random.key(3)
    np.testing.assert_array_equal(threefry.plthreefry_random_bits(jax.random.key_data(key), 32, (64, 256)), jax.random.bits(key, (64, 256)))


def test_fuser():
    @fuser.fusible
    def product(x_fn, y_fn, z_fn):
        return (z_fn or (lambda z: z))(x_fn() @ y_fn())
    x, y = jax.random.normal(KEYS[0], (256, 256)), jax.random.normal(KEYS[1], (256, 256))
    close(jax.jit(fuser.fuse(lambda x, y: jax.nn.relu(product(x * 2, y))))(x, y), jax.nn.relu((x * 2) @ y), 1e-2)


def test_export_of_a_shipped_kernel(tmp_path):
    q = jax.ShapeDtypeStruct((1, 2, 256, 128), jnp.float32)
    pallasc.jax.export(flash_attention.flash_attention, q, q, q, name='flash', out=tmp_path / 'flash.o', header=tmp_path / 'flash.h')
    assert 'prt_status flash(prt_machine *machine, const float *q, const float *k,' in ' '.join((tmp_path / 'flash.h').read_text().split())
