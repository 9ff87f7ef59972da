#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels under JAX, warm, in microseconds of CPU a call: pallasc, interpret=True, InterpretParams; speed.py [--filter TEXT]

The last lines are what a call costs, of one block on an array of JAX's, and of the same operation without a kernel; and what it costs to lower a
kernel whose code is there.

A call is jitted, run once, and then as often as fits into --seconds, at least five times, and the median counts: what one call takes of all CPUs
(the least is no measure: the time of a thread that another one has waited for may be reported of late).
"""
import argparse
import functools
import os
import pathlib
import statistics
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


def product(dtype=F32):
    def kernel(x_ref, y_ref, o_ref):
        @pl.when(pl.program_id(2) == 0)
        def _():
            o_ref[...] = jnp.zeros_like(o_ref)
        o_ref[...] += jnp.dot(x_ref[...], y_ref[...], preferred_element_type=F32)
    specs = [pl.BlockSpec((128, 128), lambda i, j, k: (i, k)), pl.BlockSpec((128, 128), lambda i, j, k: (k, j))]
    return functools.partial(pl.pallas_call, kernel, grid=(4, 4, 4), in_specs=specs, out_specs=pl.BlockSpec((128, 128), lambda i, j, k: (i, j)),
                             out_shape=Shape((512, 512), F32)), (X[:512, :512].astype(dtype), X[512:, 512:].astype(dtype))


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


def rows_of(f, *more):
    """f on 8 rows of 1024 at a time; more: operands that every step reads whole."""
    rows = pl.BlockSpec((8, 1024), lambda i: (i, 0))

    def kernel(x_ref, *refs):
        refs[-1][...] = f(x_ref[...], *(ref[...] for ref in refs[:-1]))
    specs = [rows, *(pl.BlockSpec(x.shape, lambda i: (0, 0)) for x in more)]
    return functools.partial(pl.pallas_call, kernel, grid=(128,), in_specs=specs, out_specs=rows, out_shape=Shape(X.shape, F32)), (X, *more)


def layer_norm(x, scale, shift):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-6) * scale + shift


def total():
    def kernel(x_ref, o_ref):
        @pl.when((pl.program_id(0) == 0) & (pl.program_id(1) == 0))
        def _():
            o_ref[...] = jnp.zeros_like(o_ref)
        o_ref[...] += x_ref[...].reshape(16, 8, 128).sum(0)
    return functools.partial(pl.pallas_call, kernel, grid=(8, 8), in_specs=[BLOCK], out_specs=pl.BlockSpec((8, 128), lambda i, j: (0, 0)),
                             out_shape=Shape((8, 128), F32)), (X,)


def transposition():
    def kernel(x_ref, o_ref):
        o_ref[...] = x_ref[...].T
    return functools.partial(pl.pallas_call, kernel, grid=(8, 8), in_specs=[BLOCK], out_specs=pl.BlockSpec((128, 128), lambda i, j: (j, i)),
                             out_shape=Shape(X.shape, F32)), (X,)


def attention():
    """Of 4 heads, 256 x 64, each block of 64 queries with its running maximum."""
    q = np.ascontiguousarray(X[:, :64].reshape(4, 256, 64))

    def kernel(q_ref, k_ref, v_ref, o_ref):
        def step(i, carry):
            top, rows, total = carry
            s = jnp.dot(q_ref[0], k_ref[0, pl.ds(i * 64, 64)].T)
            most = jnp.maximum(top, s.max(-1, keepdims=True))
            p, shrink = jnp.exp(s - most), jnp.exp(top - most)
            return most, rows * shrink + p.sum(-1, keepdims=True), total * shrink + jnp.dot(p, v_ref[0, pl.ds(i * 64, 64)])
        _, rows, total = lax.fori_loop(0, 4, step, (jnp.full((64, 1), -1e30), jnp.zeros((64, 1)), jnp.zeros((64, 64))))
        o_ref[0] = total / rows
    one, whole = pl.BlockSpec((1, 64, 64), lambda h, i: (h, i, 0)), pl.BlockSpec((1, 256, 64), lambda h, i: (h, 0, 0))
    return functools.partial(pl.pallas_call, kernel, grid=(4, 4), in_specs=[one, whole, whole], out_specs=one, out_shape=Shape(q.shape, F32)), (q, q, q)


def rows_by_index():
    """Rows of a table, taken in the order of a prefetched array."""
    order = np.random.default_rng(0).permutation(128).astype(np.int32)
    grid_spec = pltpu.PrefetchScalarGridSpec(1, grid=(128,), in_specs=[pl.BlockSpec((1, 8, 128), lambda i, order: (order[i], 0, 0))],
                                             out_specs=pl.BlockSpec((1, 8, 128), lambda i, order: (i, 0, 0)))

    def kernel(order_ref, x_ref, o_ref):
        o_ref[...] = x_ref[...]
    table = np.ascontiguousarray(X[:128].reshape(128, 8, 128))
    return functools.partial(pl.pallas_call, kernel, grid_spec=grid_spec, out_shape=Shape(table.shape, F32)), (order, table)


def histogram():
    """Of 4,096 numbers in SMEM, one after the other."""
    numbers = np.random.default_rng(0).integers(0, 256, 4096).astype(np.int32)
    smem = pl.BlockSpec(memory_space=pltpu.SMEM)

    def kernel(x_ref, o_ref):
        @pl.loop(0, 256)
        def _(i):
            o_ref[i] = 0

        @pl.loop(0, 4096)
        def _(i):
            o_ref[x_ref[i]] += 1
    return functools.partial(pl.pallas_call, kernel, in_specs=[smem], out_specs=smem, out_shape=Shape((256,), jnp.int32)), (numbers,)


def to_bytes():
    def kernel(x_ref, o_ref):
        o_ref[...] = jnp.clip(jnp.round(x_ref[...] * 127), -127, 127).astype(jnp.int8)
    return functools.partial(pl.pallas_call, kernel, grid=(8, 8), in_specs=[BLOCK], out_specs=BLOCK, out_shape=Shape(X.shape, jnp.int8)), (X,)


def pipeline():
    """emit_pipeline over 64 blocks of arrays in HBM."""
    hbm = pl.BlockSpec(memory_space=pl.ANY)

    def kernel(x_hbm, y_hbm, o_hbm):
        def step(x_ref, y_ref, o_ref):
            o_ref[...] = x_ref[...] * y_ref[...]
        pltpu.emit_pipeline(step, grid=(8, 8), in_specs=[BLOCK, BLOCK], out_specs=[BLOCK])(x_hbm, y_hbm, o_hbm)
    return functools.partial(pl.pallas_call, kernel, in_specs=[hbm, hbm], out_specs=hbm, out_shape=Shape(X.shape, F32)), (X, X)


SCALE = np.linspace(0, 1, 1024, dtype=np.float32)[None]
KERNELS = {'one block, x + 1': one_block, 'x + 1': lambda: elementwise(lambda x: x + 1), 'tanh': lambda: elementwise(jnp.tanh),
           'gelu': lambda: elementwise(jax.nn.gelu), 'small blocks': small_blocks, 'softmax': softmax, 'layer norm': lambda: rows_of(layer_norm, SCALE, SCALE),
           'log sum exp': lambda: rows_of(lambda x: x - jax.nn.logsumexp(x, -1, keepdims=True)), 'running sums': lambda: rows_of(lambda x: jnp.cumsum(x, 1)),
           'causal mask': lambda: rows_of(lambda x: jnp.where(lax.broadcasted_iota(jnp.int32, x.shape, 1) <= pl.program_id(0) * 8 + lax.broadcasted_iota(jnp.int32, x.shape, 0), x, -1e9)),
           'roll': lambda: rows_of(lambda x: pltpu.roll(x, 3, 1)), 'sum of all': total, 'transposition': transposition, 'to int8': to_bytes,
           'rows by index': rows_by_index, 'matmul': product, 'matmul in bf16': lambda: product(jnp.bfloat16), 'attention': attention,
           'histogram': histogram, 'pipeline': pipeline, 'copies, double buffered': copies, 'a loop of 100 in each block': loop}


def microseconds(make, args, seconds, **options):
    call, args = jax.jit(make(**options)), [jnp.asarray(x) for x in args]
    return median_of(lambda: jax.block_until_ready(call(*args)), seconds)


def median_of(call, seconds):
    call()
    times, begin = [], time.perf_counter()
    while len(times) < 5 or time.perf_counter() - begin < seconds:
        before = time.process_time()
        call()
        times.append(time.process_time() - before)
    return statistics.median(times) * 1e6


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
    usual = {kernel: statistics.median(lower(kernel) for _ in range(max(5, int(seconds * 20)))) for kernel in calls}
    return (usual[True] - usual[False]) * 1e6


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
