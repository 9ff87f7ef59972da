#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels under JAX, warm, in microseconds of CPU a call: pallasc, interpret=True, InterpretParams; speed.py [--filter TEXT]

The last lines are what a call costs, of one block on an array of JAX's, and of the same operation without a kernel; and what it costs to lower a
kernel whose code is there.

A call is jitted, run once, and then as often as fits into --seconds, at least three times; the least counts, of all CPUs, so that other
programs of the machine count little.
"""
import argparse
import functools
import os
import pathlib
import sys
import time

os.environ['JAX_PLATFORMS'] = 'cpu'
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'python'))

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import pallasc.jax

F32 = jnp.float32
Shape = jax.ShapeDtypeStruct
BLOCK = pl.BlockSpec((128, 128), lambda i, j: (i, j))
X = np.linspace(-1, 1, 1024 * 1024, dtype=np.float32).reshape(1024, 1024)


def elementwise(f):
    def kernel(x_ref, o_ref):
        o_ref[...] = f(x_ref[...])
    return functools.partial(pl.pallas_call, kernel, grid=(8, 8), in_specs=[BLOCK], out_specs=BLOCK, out_shape=Shape(X.shape, F32)), (X,)


def one_block():
    return functools.partial(pl.pallas_call, lambda x, o: o.__setitem__(..., x[...] + 1), out_shape=Shape((8, 128), F32)), (X[:8, :128],)


def product():
    def kernel(x_ref, y_ref, o_ref):
        @pl.when(pl.program_id(2) == 0)
        def _():
            o_ref[...] = jnp.zeros_like(o_ref)
        o_ref[...] += jnp.dot(x_ref[...], y_ref[...], preferred_element_type=F32)
    specs = [pl.BlockSpec((128, 128), lambda i, j, k: (i, k)), pl.BlockSpec((128, 128), lambda i, j, k: (k, j))]
    return functools.partial(pl.pallas_call, kernel, grid=(4, 4, 4), in_specs=specs, out_specs=pl.BlockSpec((128, 128), lambda i, j, k: (i, j)),
                             out_shape=Shape((512, 512), F32)), (X[:512, :512], X[512:, 512:])


def softmax():
    rows = pl.BlockSpec((8, 1024), lambda i: (i, 0))

    def kernel(x_ref, o_ref):
        o_ref[...] = jax.nn.softmax(x_ref[...])
    return functools.partial(pl.pallas_call, kernel, grid=(128,), in_specs=[rows], out_specs=rows, out_shape=Shape(X.shape, F32)), (X,)


def copies():
    def kernel(x_hbm, o_hbm, buffer, sems):
        def copy(i):
            return pltpu.make_async_copy(x_hbm.at[pl.ds(i * 8, 8)], buffer.at[i % 2], sems.at[i % 2])
        copy(0).start()

        @pl.loop(0, 128)
        def _(i):
            pl.when(i < 127)(lambda: copy(i + 1).start())
            copy(i).wait()
            pltpu.sync_copy(buffer.at[i % 2], o_hbm.at[pl.ds(i * 8, 8)])
    hbm = pl.BlockSpec(memory_space=pl.ANY)
    return functools.partial(pl.pallas_call, kernel, in_specs=[hbm], out_specs=hbm, out_shape=Shape(X.shape, F32),
                             scratch_shapes=[pltpu.VMEM((2, 8, 1024), F32), pltpu.SemaphoreType.DMA((2,))]), (X,)


def small_blocks():
    small = pl.BlockSpec((8, 128), lambda i: (i, 0))
    return functools.partial(pl.pallas_call, lambda x, o: o.__setitem__(..., x[...] * 2), grid=(128,), in_specs=[small], out_specs=small,
                             out_shape=Shape((1024, 128), F32)), (np.ascontiguousarray(X[:, :128]),)


def loop():
    def kernel(x_ref, o_ref):
        o_ref[...] = lax.fori_loop(0, 100, lambda i, x: x * 0.5 + 1, x_ref[...])
    return functools.partial(pl.pallas_call, kernel, grid=(8, 8), in_specs=[BLOCK], out_specs=BLOCK, out_shape=Shape(X.shape, F32)), (X,)


KERNELS = {'one block, x + 1': one_block, 'x + 1': lambda: elementwise(lambda x: x + 1), 'tanh': lambda: elementwise(jnp.tanh),
           'gelu': lambda: elementwise(jax.nn.gelu), 'small blocks': small_blocks, 'softmax': softmax, 'matmul': product,
           'copies, double buffered': copies, 'a loop of 100 in each block': loop}


def microseconds(make, args, seconds, **options):
    call, args = jax.jit(make(**options)), [jnp.asarray(x) for x in args]
    return least_of(lambda: jax.block_until_ready(call(*args)), seconds)


def least_of(call, seconds):
    call()
    times, begin = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - begin < seconds:
        before = time.process_time()
        call()
        times.append(time.process_time() - before)
    return min(times) * 1e6


def cost_of_a_call(seconds):
    """Of a kernel, of XLA's own operation."""
    make, (x,) = one_block()
    return microseconds(make, (x,), seconds), microseconds(lambda: lambda x: x + 1, (x,), seconds)


def cost_of_lowering(seconds):
    """Microseconds that lowering a kernel takes whose code is there, beyond what lowering the program around it does."""
    make, (x,) = one_block()
    calls = {True: jax.jit(make()), False: jax.jit(lambda x: x + 1)}

    def lower(kernel):
        jax.clear_caches()
        traced = calls[kernel].trace(x)
        before = time.process_time()
        traced.lower()
        return time.process_time() - before
    least = {kernel: min(lower(kernel) for _ in range(max(3, int(seconds * 20)))) for kernel in calls}
    return (least[True] - least[False]) * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--filter', default='', metavar='TEXT')
    parser.add_argument('--seconds', type=float, default=1)
    args = parser.parse_args()
    print('| µs of CPU a call | pallasc | interpret=True | InterpretParams |\n|---|---|---|---|')
    for name, kernel in KERNELS.items():
        if args.filter not in name:
            continue
        make, operands = kernel()
        ours = microseconds(make, operands, args.seconds)
        others = [microseconds(make, operands, args.seconds, interpret=way) for way in (True, pltpu.InterpretParams())]
        print(f'| {name} | {ours:,.0f} | ' + ' | '.join(f'{t:,.0f} ({t / ours:,.0f}x)' for t in others) + ' |', flush=True)
    print('\na call: {:.0f} µs; x + 1 of XLA: {:.0f} µs'.format(*cost_of_a_call(args.seconds)))
    print(f'lowering a kernel whose code is there: {cost_of_lowering(args.seconds):.0f} µs')


if __name__ == '__main__':
    main()
