# SPDX-License-Identifier: Apache-2.0
"""A small character model, and one step of its training, as objects that a C program links: train.c.

The attention is a Pallas kernel with a backward kernel of its own under custom_vjp; grad and Adam are JAX's part. The parameters
are one vector, so that the C program has three of them to keep: the parameters and Adam's two moments.
"""
import math
import sys

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.flatten_util import ravel_pytree

import pallasc.jax

CHARACTERS, WIDTH, LENGTH, BATCH, HEADS, LAYERS = 128, 64, 32, 8, 2, 2
HEAD = WIDTH // HEADS


# ---- attention -----------------------------------------------------------------------------------------------------------------

def _weights(q, k):
    scores = jnp.dot(q, k.T, preferred_element_type=jnp.float32) / math.sqrt(HEAD)
    row, column = (lax.broadcasted_iota(jnp.int32, scores.shape, d) for d in (0, 1))
    return jax.nn.softmax(jnp.where(column <= row, scores, -1e30))


def forward_kernel(q_ref, k_ref, v_ref, o_ref):
    o_ref[...] = jnp.dot(_weights(q_ref[...], k_ref[...]), v_ref[...])


def backward_kernel(q_ref, k_ref, v_ref, g_ref, dq_ref, dk_ref, dv_ref):
    p, g = _weights(q_ref[...], k_ref[...]), g_ref[...]
    dv_ref[...] = jnp.dot(p.T, g)
    dp = jnp.dot(g, v_ref[...].T)
    ds = p * (dp - jnp.sum(dp * p, 1, keepdims=True)) / math.sqrt(HEAD)
    dq_ref[...] = jnp.dot(ds, k_ref[...])
    dk_ref[...] = jnp.dot(ds.T, q_ref[...])


@jax.custom_vjp
def attention(q, k, v):
    return pl.pallas_call(forward_kernel, out_shape=q)(q, k, v)


def _forward(q, k, v):
    return attention(q, k, v), (q, k, v)


def _backward(kept, g):
    return tuple(pl.pallas_call(backward_kernel, out_shape=[g] * 3)(*kept, g))


attention.defvjp(_forward, _backward)


# ---- model ----------------------------------------------------------------------------------------------------------------------

def initial(key):
    keys = iter(jax.random.split(key, 3 + 4 * LAYERS))

    def normal(*shape):
        return jax.random.normal(next(keys), shape) / math.sqrt(shape[0])
    return {'embed': normal(CHARACTERS, WIDTH) * 3, 'place': normal(LENGTH, WIDTH), 'out': normal(WIDTH, CHARACTERS),
            'layers': [{'qkv': normal(WIDTH, 3 * WIDTH), 'mix': normal(WIDTH, WIDTH), 'up': normal(WIDTH, 4 * WIDTH),
                        'down': normal(4 * WIDTH, WIDTH)} for _ in range(LAYERS)]}


def _normed(x):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)


def logits(params, text):
    """(LENGTH, CHARACTERS): what comes behind each character."""
    x = params['embed'][text] + params['place']
    for layer in params['layers']:
        parts = (_normed(x) @ layer['qkv']).reshape(LENGTH, 3, HEADS, HEAD)
        heads = jax.vmap(attention)(*parts.transpose(1, 2, 0, 3))
        x = x + heads.transpose(1, 0, 2).reshape(LENGTH, WIDTH) @ layer['mix']
        x = x + jax.nn.gelu(_normed(x) @ layer['up']) @ layer['down']
    return _normed(x) @ params['out']


START, UNRAVEL = ravel_pytree(initial(jax.random.key(0)))


def loss(theta, texts):
    """texts: (BATCH, LENGTH + 1)."""
    predicted = jax.vmap(lambda text: logits(UNRAVEL(theta), text))(texts[:, :-1])
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(predicted), texts[:, 1:, None], -1))


def step(theta, mean, square, count, texts):
    """One step of Adam, the loss before it, and the next count."""
    value, g = jax.value_and_grad(loss)(theta, texts)
    count = count + 1
    mean, square = 0.9 * mean + 0.1 * g, 0.99 * square + 0.01 * g * g
    theta = theta - 3e-3 * (mean / (1 - 0.9 ** count)) / (jnp.sqrt(square / (1 - 0.99 ** count)) + 1e-8)
    return theta, mean, square, count, value


def start():
    return START


def predict(theta, text):
    return logits(UNRAVEL(theta), text)


def main(folder):
    theta, texts, text = START, jnp.zeros((BATCH, LENGTH + 1), jnp.int32), jnp.zeros((LENGTH,), jnp.int32)
    pallasc.jax.export(step, theta, theta, theta, jnp.float32(0), texts, out=f'{folder}/step.o', header=f'{folder}/step.h')
    pallasc.jax.export(predict, theta, text, out=f'{folder}/predict.o', header=f'{folder}/predict.h')
    pallasc.jax.export(start, out=f'{folder}/start.o', header=f'{folder}/start.h')


if __name__ == '__main__':
    main(sys.argv[1] if len(sys.argv) > 1 else '.')
