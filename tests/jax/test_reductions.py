# SPDX-License-Identifier: Apache-2.0
"""Reductions whose function is the program's own."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl

import pallasc.jax

X = np.sin(np.arange(4 * 8 * 16, dtype=np.float32)).reshape(4, 8, 16)


def longer(x, y):
    return jnp.where(jnp.abs(x) > jnp.abs(y), x, y) * 1.0


def later(x, y):
    """Of two values with their places, the larger one; of two that are equal, the one behind."""
    is_first = (x[0] > y[0]) | (x[0] == y[0]) & (x[1] > y[1])
    return jnp.where(is_first, x[0], y[0]), jnp.where(is_first, x[1], y[1])


def of_kernel(function):
    shapes = jax.eval_shape(function, X)

    def kernel(x_ref, *out_refs):
        for ref, value in zip(out_refs, jax.tree.leaves(function(x_ref[...]))):
            ref[...] = value
    results = [jax.jit(pl.pallas_call(kernel, out_shape=jax.tree.leaves(shapes), interpret=interpret))(X) for interpret in (False, True)]
    for ours, expected in zip(*results):
        np.testing.assert_array_equal(ours, expected)


def test_of_one_array():
    for dimensions in ((1,), (0, 2), (0, 1, 2)):
        of_kernel(lambda x: lax.reduce(x, np.float32(0), longer, dimensions))


def test_of_two_arrays():
    def places(x, dimension):
        return lax.reduce((x, lax.broadcasted_iota(jnp.int32, x.shape, dimension)), (-jnp.inf, np.int32(-1)), later, (dimension,))
    for dimension in range(3):
        of_kernel(functools.partial(places, dimension=dimension))


def test_of_windows():
    of_kernel(lambda x: lax.reduce_window(x, np.float32(0), longer, (1, 2, 4), (1, 2, 2), 'SAME'))
