# SPDX-License-Identifier: Apache-2.0
"""The flash attention kernel that JAX ships for TPUs, compiled from where pip put it, as an object for a C program (attend.c)."""
import sys

import jax.numpy as jnp
from jax.experimental.pallas.ops.tpu.flash_attention import flash_attention

import pallasc.jax

HEADS, LENGTH, WIDTH = 4, 256, 128


def attend(q, k, v):
    return flash_attention(q[None], k[None], v[None], causal=True, sm_scale=WIDTH ** -0.5)[0]


def main(folder):
    x = jnp.zeros((HEADS, LENGTH, WIDTH))
    pallasc.jax.export(attend, x, x, x, out=f'{folder}/attend.o', header=f'{folder}/attend.h')


if __name__ == '__main__':
    main(sys.argv[1] if len(sys.argv) > 1 else '.')
