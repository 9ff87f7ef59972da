# SPDX-License-Identifier: Apache-2.0
"""Inputs for the entry functions of a case: the same numbers each time, from the names alone.

`# inputs: KIND ARGS` chooses a kind for all arrays of a file, `# input NAME: EXPRESSION` (or FUNCTION.NAME) gives one array
by an expression of numpy over `rng`, `shape` and `dtype`.
"""
import zlib

import ml_dtypes
import numpy as np


def make(case, entry, name, shape, dtype):
    seed = zlib.crc32(f'{case.path.parent.name}/{case.path.stem}.{entry}.{name}'.encode())
    rng = np.random.default_rng(seed)
    expression = case.input_of.get(f'{entry}.{name}', case.input_of.get(name))
    if expression is not None:
        value = np.asarray(eval(expression, {'np': np, 'rng': rng, 'shape': shape, 'dtype': dtype}))
        return cast(np.broadcast_to(value, shape), dtype)
    kind, *args = case.inputs.split() or ['mixed']
    if kind not in KINDS:
        raise ValueError(f'{case.path}: unknown kind of inputs {kind!r}')
    return KINDS[kind](rng, shape, np.dtype(dtype), *map(float, args))


def cast(values, dtype):
    """Whatever does not fit, NaN included, becomes something: which number does not matter here."""
    with np.errstate(invalid='ignore', over='ignore'):
        return values.astype(dtype)


def is_float(dtype):
    return dtype.kind == 'f' or dtype.name in ('bfloat16', 'float8_e4m3fn', 'float8_e5m2')


def limits(dtype):
    info = ml_dtypes.finfo(dtype) if is_float(dtype) else ml_dtypes.iinfo(dtype)
    return info.min, info.max


def sprinkle(rng, values, specials, share=0.1):
    """Put each of the specials somewhere, and more of them where there is room."""
    flat = values.reshape(-1)
    count = min(flat.size, max(len(specials), int(share * flat.size)))
    places = rng.permutation(flat.size)[:count]
    for position, place in enumerate(places):
        flat[place] = specials[position % len(specials)]
    return flat.reshape(values.shape)


def mixed(rng, shape, dtype):
    """Everyday numbers with some of the special ones among them, but neither infinities nor NaN."""
    if dtype == bool:
        return rng.random(shape) < 0.5
    if is_float(dtype):
        return sprinkle(rng, 2 * rng.standard_normal(shape), [0.0, -0.0, 1.0, -1.0, 0.5]).astype(dtype)
    low, high = limits(dtype)
    values = rng.integers(max(low, -100), 101, shape)
    return sprinkle(rng, values, [0, 1, low, high], 0.05).astype(dtype)


def special(rng, shape, dtype):
    """Infinities, NaN, zeros of both signs and the limits of the dtype among everyday numbers."""
    if not is_float(dtype):
        return mixed(rng, shape, dtype)
    info = ml_dtypes.finfo(dtype)
    specials = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, info.max, info.min, info.smallest_normal, 0.5, -2.5]
    return sprinkle(rng, 2 * rng.standard_normal(shape), [float(s) for s in specials], 0.4).astype(dtype)


def integers(rng, shape, dtype, low=-8, high=8):
    """Whole numbers from low to high: sums and products of a few are exact in any float."""
    if dtype == bool:
        return rng.random(shape) < 0.5
    low = max(low, 0) if dtype.kind == 'u' else low
    return rng.integers(int(low), int(high) + 1, shape).astype(dtype)


def exponents(rng, shape, dtype, low=-20, high=20):
    """Either sign, magnitudes spread evenly over the powers of two from low to high."""
    return (rng.choice([-1.0, 1.0], shape) * np.exp2(rng.uniform(low, high, shape))).astype(dtype)


KINDS = {
    'mixed': mixed,
    'special': special,
    'integers': integers,
    'exponents': exponents,
    'normal': lambda rng, shape, dtype, scale=1: (scale * rng.standard_normal(shape)).astype(dtype),
    'positive': lambda rng, shape, dtype, scale=1: np.exp(scale * rng.standard_normal(shape)).astype(dtype),
    'uniform': lambda rng, shape, dtype, low=0, high=1: rng.uniform(low, high, shape).astype(dtype),
    'arange': lambda rng, shape, dtype: np.arange(np.prod(shape)).reshape(shape).astype(dtype),
    'permutation': lambda rng, shape, dtype: rng.permutation(int(np.prod(shape))).reshape(shape).astype(dtype),
}
