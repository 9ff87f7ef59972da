# SPDX-License-Identifier: Apache-2.0
"""An Equinox model that tells in which direction an image is striped: trained here by JAX, then exported with what it has learned.

The object has the parameters as data: a C program calls classify(machine, images, scores) and needs nothing else (classify.c). The
pooling at the end is a Pallas kernel.
"""
import sys

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

import pallasc.jax

BATCH, SIZE, DIRECTIONS, CHANNELS = 16, 16, 4, 8


def _mean_kernel(x_ref, o_ref):
    o_ref[...] = jnp.mean(x_ref[...], axis=1)


def mean_of_rows(x):
    """(rows, columns) to (rows,)."""
    return pl.pallas_call(_mean_kernel, out_shape=jax.ShapeDtypeStruct(x.shape[:1], x.dtype))(x)


class Classifier(eqx.Module):
    edges: eqx.nn.Conv2d
    parts: eqx.nn.Conv2d
    norm: eqx.nn.LayerNorm
    scores: eqx.nn.Linear

    def __init__(self, key):
        first, second, third = jax.random.split(key, 3)
        self.edges = eqx.nn.Conv2d(1, CHANNELS, 3, padding=1, key=first)
        self.parts = eqx.nn.Conv2d(CHANNELS, CHANNELS, 3, stride=2, key=second)
        self.norm = eqx.nn.LayerNorm(CHANNELS)
        self.scores = eqx.nn.Linear(CHANNELS, DIRECTIONS, key=third)

    def __call__(self, image, pool=lambda x: jnp.mean(x, axis=1)):
        """(SIZE, SIZE) to (DIRECTIONS,)."""
        x = jax.nn.relu(self.parts(jax.nn.relu(self.edges(image[None]))))
        return self.scores(self.norm(pool(x.reshape(CHANNELS, -1))))


def striped(key, direction):
    """Stripes of some width and phase, horizontal, vertical or along a diagonal, in noise."""
    width, phase, noise = jax.random.split(key, 3)
    row, column = jnp.mgrid[:SIZE, :SIZE]
    along = jnp.choose(direction, jnp.stack([row, column, row + column, row - column]), mode='clip')
    wave = jnp.sin(along * jax.random.uniform(width, minval=1.0, maxval=2.0) + jax.random.uniform(phase, maxval=6.0))
    return wave + 0.3 * jax.random.normal(noise, (SIZE, SIZE))


def loss(model, images, directions):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(jax.vmap(model)(images)), directions[:, None], 1))


@eqx.filter_jit
def step(model, key):
    drawn, keys = jax.random.split(key)
    directions = jax.random.randint(drawn, (64,), 0, DIRECTIONS)
    images = jax.vmap(striped)(jax.random.split(keys, 64), directions)
    value, gradient = eqx.filter_value_and_grad(loss)(model, images, directions)
    return jax.tree.map(lambda p, g: p - 0.3 * g, model, gradient), value


def trained(steps=150):
    model = Classifier(jax.random.key(0))
    for i in range(steps):
        model, value = step(model, jax.random.key(i + 1))
    return model, float(value)


def main(folder):
    model, value = trained()
    print(f'loss {value:.3f}')
    pallasc.jax.export(lambda images: jax.vmap(lambda image: model(image, mean_of_rows))(images), jnp.zeros((BATCH, SIZE, SIZE)), name='classify',
                       out=f'{folder}/classify.o', header=f'{folder}/classify.h')


if __name__ == '__main__':
    main(sys.argv[1] if len(sys.argv) > 1 else '.')
