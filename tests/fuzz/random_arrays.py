#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random expressions of NumPy arrays, run by pallasc and by NumPy: types, shapes, bytes, texts and kinds of errors are compared.

    build/oracle-venv/bin/python tests/fuzz/random_arrays.py --count 10000 --seed 1

A case makes arrays (element types, shapes, strides, broadcast and reversed views) and an expression of functions, operators, reductions,
indexing and changes in place that are drawn from the tables below. Many cases are one program. `--seed S --count 1 --keep FOLDER` leaves it.
Numbers that functions of libm or sums in another order give may differ in their last digits, the zero of np.unique in its sign; everything else
is the same to the bit.
The last line is `N passed, N failed, N skipped`.
"""
import argparse
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

HEAD = '''import warnings
import numpy as np
warnings.simplefilter("ignore")
np.seterr(all="ignore")


def steps(x):
    return tuple([s if n > 1 else 0 for s, n in zip(np.shape(x) and x.strides, np.shape(x))]) if np.size(x) else ()


def show(i, make):
    try:
        v = make()
        v = v if isinstance(v, (tuple, list)) else (v,)
        for part in v:
            x = np.asarray(part)
            kind = "array" if isinstance(part, np.ndarray) else "scalar" if isinstance(part, np.generic) else type(part).__name__
            print(i, kind, x.dtype, "x".join(map(str, x.shape)), x.tobytes().hex(), repr(part).replace(chr(10), chr(92)), sep="|", flush=True)
    except Exception as e:
        names = [c.__name__ for c in type(e).__mro__]
        kinds = ("IndexError", "OverflowError", "ZeroDivisionError", "ValueError", "TypeError", "AttributeError", "NotImplementedError", "MemoryError")
        print(i, "error", next((k for k in kinds if k in names), names[0]), str(e).replace(chr(10), chr(92)), sep="|", flush=True)


'''
INTS = ('int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64')
FLOATS = ('float16', 'float32', 'float64')
COMPLEX = ('complex64', 'complex128')
DTYPES = ('bool',) + INTS + FLOATS * 2 + ('float32', 'float64', 'int64', 'int32') + COMPLEX
SHAPES = ((), (1,), (3,), (4,), (7,), (0,), (2, 3), (3, 4), (3, 1), (1, 4), (4, 4), (2, 0), (2, 3, 4), (2, 1, 4), (1, 3, 1), (3, 3, 3), (40,), (9, 17), (130,))
UNARY = ('np.negative', 'np.absolute', 'np.sign', 'np.square', 'np.floor', 'np.ceil', 'np.trunc', 'np.rint', 'np.invert', 'np.logical_not', 'np.isnan',
         'np.isfinite', 'np.isinf', 'np.conj', 'np.real', 'np.imag', 'np.positive', 'np.signbit', 'np.ravel', 'np.transpose', 'np.squeeze', 'np.flip',
         'np.atleast_2d', 'np.isreal', 'np.fabs', 'np.copy', 'np.nan_to_num', 'np.atleast_1d', 'np.atleast_3d')
LIBM = ('np.sqrt', 'np.exp', 'np.log', 'np.sin', 'np.cos', 'np.tanh', 'np.exp2', 'np.log2', 'np.log10', 'np.log1p', 'np.expm1', 'np.arctan', 'np.cbrt', 'np.sinh',
        'np.arcsinh', 'np.deg2rad', 'np.angle', 'np.tan')
OPERATORS = ('+', '-', '*', '/', '//', '%', '**', '&', '|', '^', '<<', '>>', '==', '!=', '<', '<=', '>', '>=')
BINARY = ('np.add', 'np.subtract', 'np.multiply', 'np.divide', 'np.floor_divide', 'np.remainder', 'np.fmod', 'np.maximum', 'np.minimum', 'np.fmax', 'np.fmin',
          'np.logical_and', 'np.logical_or', 'np.logical_xor', 'np.bitwise_and', 'np.left_shift', 'np.right_shift', 'np.equal', 'np.less', 'np.copysign', 'np.gcd',
          'np.lcm', 'np.heaviside', 'np.divmod')
BINARY_LIBM = ('np.arctan2', 'np.hypot', 'np.logaddexp', 'np.power', 'np.float_power')
REDUCTIONS = ('sum', 'prod', 'max', 'min', 'any', 'all', 'argmax', 'argmin', 'cumsum', 'cumprod', 'mean', 'std', 'var', 'ptp', 'count_nonzero', 'median', 'nansum', 'nanmax',
              'nanmean', 'average')
MATH = ('sum', 'prod', 'mean', 'std', 'var', 'cumsum', 'cumprod', 'nansum', 'nanmean', 'average', 'median')
UFUNCS = ('add', 'subtract', 'multiply', 'divide', 'floor_divide', 'remainder', 'power', 'maximum', 'fmin', 'hypot', 'arctan2', 'logical_xor', 'bitwise_and', 'left_shift', 'greater',
          'equal', 'gcd', 'logaddexp', 'copysign', 'heaviside', 'nextafter', 'float_power', 'fmod', 'lcm')
EXACT_UFUNCS = ('subtract', 'maximum', 'fmin', 'logical_xor', 'bitwise_and', 'left_shift', 'greater', 'equal', 'gcd', 'copysign', 'heaviside', 'nextafter', 'lcm')
# Words of functions that add in an order of their own, or ask libm.
SUMMING = ('mean', 'std', 'var', 'prod', 'average', 'cov', 'corr', 'norm', 'fft', 'poly', 'hist', 'sinc', 'i0', 'det', 'space', 'unwrap', 'sum', 'dot', 'einsum', 'angle', 'linear', 'divmod',
           'roots', 'matrix_power', 'matvec', 'trace')


class Case:
    """One expression, and whether its numbers may differ in their last digits."""

    def __init__(self, rng):
        self.rng, self.loose, self.either_zero, self.lines = rng, False, False, []

    def number(self, dtype):
        r = self.rng
        if dtype == 'bool':
            return r.choice(('True', 'False'))
        if dtype in INTS:
            low = 0 if dtype[0] == 'u' else -9
            return str(r.randint(low, 12) if r.random() < 0.9 else r.choice((127, 100, 0 if low == 0 else -128)))
        value = r.choice((0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.25, 1e-3, 1e4, 7.0)) if r.random() < 0.7 else round(r.uniform(-10, 10), 3)
        if r.random() < 0.02:
            return r.choice(('np.nan', 'np.inf', '-np.inf'))
        return repr(value) if dtype in FLOATS else f'({value!r}{r.choice((1.0, -0.5, 0.0, 3.0)):+}j)'

    def leaf(self, dtype=None, shape=None):
        r = self.rng
        dtype = dtype or r.choice(DTYPES)
        shape = r.choice(SHAPES) if shape is None else shape
        size = 1
        for n in shape:
            size *= n
        if size > 30:
            text = f'((np.arange({size}) * {r.choice((7, 3, 11))}) % {r.choice((13, 29, 5))} - {0 if dtype[0] in "ub" else r.randint(0, 9)}).astype(np.{dtype}).reshape({shape})'
        else:
            text = f'np.array([{", ".join(self.number(dtype) for _ in range(size))}], dtype=np.{dtype}).reshape({shape})'
        return self.view(text, shape)

    def view(self, text, shape):
        r = self.rng
        for _ in range(r.choice((0, 0, 1, 1, 2))):
            kind = r.randrange(6)
            if kind == 0 and len(shape) >= 1:
                text, shape = f'{text}[::-1]', shape
            elif kind == 1 and len(shape) >= 2:
                text, shape = f'{text}.T', shape[::-1]
            elif kind == 2 and len(shape) >= 1:
                text, shape = f'{text}[..., ::2]', shape[:-1] + ((shape[-1] + 1) // 2,)
            elif kind == 3:
                text, shape = f'{text}[None]', (1,) + shape
            elif kind == 4 and len(shape) == 1:
                text, shape = f'np.broadcast_to({text}, {(2,) + shape})', (2,) + shape
            elif kind == 5 and len(shape) >= 1 and shape[0] > 1:
                text, shape = f'{text}[1:]', (shape[0] - 1,) + shape[1:]
        return text

    def scalar(self):
        return self.rng.choice(('2', '3', '-1', '1.5', '0', 'True', '0.25', '1j', 'np.float32(1.5)', 'np.int8(3)', 'np.float64(2.0)', 'np.uint8(7)', '200', '-3', '1000'))

    def axis(self):
        r = self.rng
        return r.choice(('', 'axis=0', 'axis=-1', 'axis=1', 'axis=None', 'axis=0, keepdims=True', 'axis=(0, 1)', 'keepdims=True', 'axis=-1, keepdims=True'))

    def index(self):
        r = self.rng
        return r.choice(('0', '-1', '1:', ':-1', '::2', '::-1', '..., 0', 'None', ':, None', '[0, -1]', '[True]', 'np.array([0, 0, -1])', '1:3, ::-1', '..., -1:', '0, 1', '0, ..., 0',
                         '[[0], [-1]], [0, 0]', ':, [0, -1]', 'np.array([], dtype=int)', '5', '(0,)', '...', '2::-1', '[0], None', '1, [0]', 'np.array(0)', 'np.array([[0, 1], [1, 0]])', '100:',
                         '-2:', ':0', '0, :, 0', '[0, 1], :, [0, 0]'))

    def expression(self, depth):
        r = self.rng
        if depth == 0:
            return self.leaf()
        kind = r.random()
        if kind < 0.13:
            return f'{r.choice(UNARY)}({self.expression(depth - 1)})'
        if kind < 0.19:
            self.loose = True
            return f'{r.choice(LIBM)}({self.expression(depth - 1)})'
        if kind < 0.42:
            op = r.choice(OPERATORS)
            self.loose |= op == '**' or op in '//%' or op == '*'
            a, b = self.expression(depth - 1), self.expression(depth - 1) if r.random() < 0.6 else self.scalar()
            return f'({a} {op} {b})' if r.random() < 0.8 else f'({b} {op} {a})'
        if kind < 0.50:
            name = r.choice(BINARY if r.random() < 0.75 else BINARY_LIBM)
            self.loose |= name in BINARY_LIBM or name in ('np.multiply', 'np.divide', 'np.remainder', 'np.floor_divide', 'np.divmod')
            if name == 'np.divmod' and depth > 1:
                name = 'np.add'
            return f'{name}({self.expression(depth - 1)}, {self.expression(depth - 1)})'
        if kind < 0.66:
            name = r.choice(REDUCTIONS)
            self.loose |= name in MATH
            axis = self.axis()
            if name.startswith('cum') or name in ('argmax', 'argmin', 'median', 'average', 'ptp', 'count_nonzero', 'nansum', 'nanmax', 'nanmean'):
                axis = r.choice(('', 'axis=0', 'axis=-1', 'axis=1'))
            return f'np.{name}({self.expression(depth - 1)}{", " + axis if axis else ""})'
        if kind < 0.82:
            return f'{self.expression(depth - 1)}[{self.index()}]'
        return self.function(depth)

    def function(self, depth):
        r = self.rng
        x = self.expression(depth - 1)
        small = self.leaf(shape=(3,))
        forms = (
            f'np.where({x} > 0, {x}, {self.scalar()})', f'np.clip({x}, 0, 3)', f'np.concatenate([{x}, {x}])', f'np.stack([{x}, {x}], axis=-1)',
            f'np.sort({x})', f'np.argsort({x}, kind="stable")', f'np.unique({x})', f'np.nonzero({x})', f'np.diff({x})', f'np.roll({x}, 1)',
            f'np.repeat({x}, 2)', f'np.tile({x}, 2)', f'{x}.reshape(-1)', f'np.take({x}, [0, 0])', f'np.expand_dims({x}, 0)', f'np.swapaxes({x}, 0, -1)',
            f'np.isin({x}, [0, 1, 2.5])', f'np.pad({x}, 1)', f'np.outer({small}, {self.leaf(shape=(4,))})', f'np.searchsorted([0, 1, 2, 5], {x})',
            f'np.flatnonzero({x})', f'np.round({x}, 1)', f'np.argwhere({x})', f'np.array_equal({x}, {x})', f'np.broadcast_to({x}, (2, 3, 4))',
            f'np.vstack([{small}, {small}])', f'np.full_like({x}, 2)', f'np.zeros_like({x})', f'np.triu({x})', f'np.moveaxis({x}, 0, -1)',
            f'np.unique({x}, return_counts=True, return_inverse=True)' if depth == 1 else f'np.rot90({x})', f'np.result_type({x}, {self.scalar()}).name == "x"',
            f'np.full((2, 2), {self.scalar()})', f'np.delete({small}, 1)', f'np.sort(np.partition({x}, 0))', f'np.partition({x}, -1, axis=0)[-1]',
            f'np.unique({x}, return_counts=True)[1]', f'np.quantile({x}, {r.choice(("0.25", "[0.5, 1.0]", "np.float32(0.5)", "1"))}, axis={r.choice((None, 0, -1))})')
        if r.random() < 0.12:
            self.loose = True
            a, b = r.choice((((3, 4), (4, 2)), ((4,), (4,)), ((2, 3, 4), (4, 3)), ((3,), (3, 2)), ((2, 3), (3,)), ((9, 17), (17, 40))))
            return f'np.matmul({self.exact(a)}, {self.exact(b)})'
        if r.random() < 0.06:
            self.loose = True
            a, b = r.choice((((3, 4), (4, 2)), ((2, 3, 4), (2, 4, 3)), ((4,), (2, 4, 3)), ((2, 4), (4,)), ((), (2, 3)), ((2, 3), (2, 3))))
            return f'np.{r.choice(("dot", "inner"))}({self.exact(a)}, {self.exact(b)})'
        if r.random() < 0.4:
            return self.seldom(x, small) if r.random() < 0.6 else self.rare(x, small)
        form = r.choice(forms)
        self.either_zero |= form.startswith('np.unique')
        return form

    def seldom(self, x, small):
        """Functions that are used less, most of which are made of others."""
        r = self.rng
        axis, start = r.choice((0, -1, None)), r.choice(('2', '2.5', '-1', 'np.float32(1.5)'))
        exact = (
            f'np.{r.choice(("add", "maximum", "minimum", "subtract", "logical_or", "bitwise_xor"))}.reduce({x}, axis={axis or 0}, initial={start})',
            f'np.{r.choice(("max", "min"))}({x}, axis={axis}, initial={start})', f'np.max({x}, initial={start}, where=np.asarray({x}) > 1)',
            f'np.{r.choice(("maximum", "minimum", "logical_and", "bitwise_or", "subtract"))}.accumulate({x}, axis={axis or 0})', f'np.isclose({x}, {x})',
            f'np.isclose({x}, {self.scalar()}, equal_nan=True)', f'np.ediff1d({x})', f'np.ediff1d({small}, to_end={self.scalar()}, to_begin=[1, 2])', f'np.modf({x})',
            f'np.insert({x}, 0, {self.scalar()}, axis={axis})', f'np.insert({small}, [0, -1, 2], {self.scalar()})', f'np.insert({small}, np.array([True, False, True]), 7)',
            f'np.delete({x}, [0, -1], axis={axis})', f'np.delete({x}, slice(None, None, 2), axis={axis})', f'np.nan_to_num({x}, nan={self.scalar()}, posinf=9)',
            f'np.take_along_axis({x}, np.argsort({x}, axis=-1, kind="stable"), axis=-1)', f'np.diag({small}, {r.choice((0, 1, -2))})', f'np.frexp({x})', f'np.trace({x})',
            f'np.select([{small} > 1, {small} < 0], [{small}, {self.scalar()}], 5)', f'np.compress([True, False, True], {x}, axis={axis})', f'np.extract({x} > 0, {x})',
            f'np.choose([0, 1, 1], [{small}, {small} * 2])', f'np.column_stack([{small}, {small}])', f'np.array_split({x}, 2)', f'np.trim_zeros({small})', f'np.setdiff1d({x}, {small})',
            f'np.intersect1d({x}, {small})', f'np.union1d({x}, {small})', f'np.packbits({x})', f'np.unpackbits(np.asarray({x}).astype(np.uint8), axis={axis})', f'np.digitize({x}, [0, 2, 5])',
            f'np.meshgrid({small}, {small}, indexing={r.choice(("&ij&", "&xy&"))})'.replace('&', '"'), f'np.tril({x}, {r.choice((0, 1, -1))})', f'np.rollaxis({x}, -1)',
            f'np.roll({x}, {r.choice((1, -2, 5))}, axis={axis})', f'np.resize({x}, (2, 3))', f'np.lexsort(({small}, {small}))', f'np.block([[{small}, {small}], [{small}, {small}]])',
            f'np.apply_along_axis(np.sort, -1, {x})', f'np.fromiter(np.ravel({small}).tolist(), np.{r.choice(DTYPES)})', f'np.nanmax({x}, axis={axis})', f'np.nancumsum({x}, axis={axis})',
            f'np.{r.choice(("logical_not", "sign", "conjugate"))}({x}, where=np.asarray({x}) > 1, out=np.array({x}))', f'np.dsplit({x}, 1)', f'np.flip({x}, {axis})',
            f'np.count_nonzero({x}, axis={axis})', f'np.packbits({small}, bitorder="little")', f'np.asarray({x}).astype(np.{r.choice(DTYPES)})', f'np.copysign({x}, -1.0)')
        loose = (
            f'np.{r.choice(("sum", "prod"))}({x}, axis={axis}, initial={start})', f'np.gradient({x}, axis={axis or 0})', f'np.interp({small}, [0, 1, 3], [2, 5, -1])', f'np.convolve({small}, {small})',
            f'np.correlate({small}, {small}, "full")', f'np.cross({small}, {small})', f'np.kron({small}, {small})', f'np.vander({small}, 3)', f'np.polyval([1, 2, 3], {x})', f'np.nanmedian({x}, axis={axis})',
            f'np.percentile({x}, 30, axis={axis})', f'np.histogram({x}, 4, range=(-5, 5))', f'np.cov({small}, {small})', f'np.trapezoid({x}, axis=-1)', f'np.add.outer({small}, {small})',
            f'np.multiply.accumulate({x}, axis={axis or 0})', f'np.ptp({x}, axis={axis})', f'np.nanstd({x}, axis={axis})', f'np.reciprocal({x})', f'np.einsum("...i,...i->...", {x}, {x})',
            f'np.add.reduceat({small}, [0, 2, 1])', f'np.ldexp({x}, 3)', f'np.vecdot({x}, {x})', f'np.tensordot({small}, {small}, 1)')
        self.loose |= (is_loose := r.random() < 0.3)
        form = r.choice(loose if is_loose else exact)
        self.either_zero |= any(name in form for name in ('setdiff1d', 'intersect1d', 'union1d'))
        return form

    def rare(self, x, small):
        """Functions and arguments that hardly any program has."""
        form = self.rng.choice(self.rng.choice((self.of_ufuncs, self.of_reductions, self.of_orders, self.of_lists, self.of_linear_algebra, self.of_signals, self.of_types))(x, small))
        self.loose |= any(name in form for name in SUMMING)
        self.either_zero |= 'unique' in form or 'sort' in form
        return form

    def of_ufuncs(self, x, small):
        r, dtype, axis = self.rng, self.dtype(), self.axes()
        ufunc = r.choice(UFUNCS)
        self.loose |= ufunc not in EXACT_UFUNCS
        return (
            f'np.{ufunc}.reduce({x}, axis={axis})', f'np.{ufunc}.reduce({x}, axis={axis}, keepdims=True)', f'np.{ufunc}.accumulate({x}, axis={r.choice((0, -1))})',
            f'np.{ufunc}.reduceat({x}, [0, 2, 1], axis={r.choice((0, -1))})', f'np.{ufunc}.outer({small}, {x})', f'np.{ufunc}({x}, {small}, dtype={dtype})')

    def of_reductions(self, x, small):
        r, dtype, axis = self.rng, self.dtype(), self.axes()
        where = r.choice(('True', f'np.asarray({x}) > 0', 'np.array([True])', 'False'))
        reduction = r.choice(('sum', 'prod', 'mean', 'var', 'std', 'nansum', 'nanprod', 'nanmean', 'nanvar', 'nanstd'))
        return (
            f'np.{reduction}({x}, axis={axis}, dtype={dtype})', f'np.{reduction}({x}, axis={axis}, where={where})',
            f'np.{reduction}({x}, axis={axis}, dtype={r.choice(FLOATS)!r}, keepdims=True)', f'np.asarray({x}).sum(dtype={dtype}, axis={axis})',
            f'np.{r.choice(("max", "min", "nanmax", "nanmin"))}({x}, axis={axis}, initial=2, where={where})',
            f'np.{r.choice(("var", "std", "nanvar", "nanstd"))}({x}, axis={axis}, ddof=1)', f'np.{r.choice(("any", "all"))}({x}, axis={axis}, where={where}, keepdims=True)',
            f'np.add.reduceat({x}, [1, 0], dtype={dtype})', f'np.add.reduce({x}, axis={axis}, dtype={dtype})', f'np.fmax.reduce({x}, axis={axis})',
            f'np.average({x}, axis={axis}, weights={x})', f'np.average({x}, axis=0, returned=True)', f'np.cumulative_sum({x}, axis=0, include_initial=True)',
            f'np.apply_over_axes(np.sum, {x}, [0])', f'np.maximum({x}, {small}, where={where}, out=np.zeros((3, 3)))', f'np.asarray({x}).trace()',
            f'np.cov({x})', f'np.corrcoef({x})', f'np.histogram({x}, bins=3, density=True)', f'np.histogram_bin_edges({x}, 3)',
            f'np.bincount(np.abs(np.ravel({x})).astype(int), minlength=3)')

    def of_orders(self, x, small):
        """In which order results lie in memory."""
        r, dtype = self.rng, self.dtype()
        return (
            f'steps(np.asarray(np.{r.choice(("frexp", "modf"))}({x})[0]))', f'steps(np.asarray({x} + {x}))', f'steps(np.asarray(np.where({x}, {x}, 1)))',
            f'steps(np.asarray(np.{r.choice(("sum", "max", "mean", "cumsum", "argmax"))}({x}, axis={r.choice((0, -1))})))', f'steps(np.asarray(np.clip({x}, 0, 2)))',
            f'steps(np.asarray({x}).copy(order="{r.choice("CFAK")}"))', f'steps(np.asarray({x}).astype({dtype}, order="{r.choice("CFAK")}"))',
            f'np.asarray({x}).reshape(-1, order="{r.choice("CFA")}")', f'np.asarray({x}).ravel(order="{r.choice("CFAK")}")', f'np.asarray({x}).flatten("{r.choice("CFAK")}")',
            f'steps(np.{r.choice(("zeros_like", "ones_like"))}({x}))', f'steps(np.asarray(np.sort({x}, axis={r.choice((0, -1))})))', f'np.asarray({x}).tobytes("{r.choice("CFA")}")',
            f'np.asarray({x}).__array_interface__["shape"]', f'np.asarray({x}).T.__array_interface__["strides"] or 0', f'steps(np.eye(3, 4, -1, dtype={dtype}, order="F"))',
            f'steps(np.asarray({x}).argsort(axis=0, kind="stable"))', f'steps(np.array({x}, dtype={dtype}, order="F", ndmin=2))')

    def of_lists(self, x, small):
        """Elements that are looked for, taken, put and moved."""
        r = self.rng
        return (
            f'{self.scalar()} in {x}', f'{small} in {x}', f'list({x}.flat)[:3]', f'{x}.flat[1:3]', f'np.asarray({x}).item(0)', f'np.asarray({x}).tolist()',
            f'np.asarray({x}).repeat([1, 0, 2], axis=0)', f'np.asarray({x}).diagonal({r.choice((0, 1, -1))})', f'np.searchsorted(np.sort(np.ravel({x})), {small}, side="right")',
            f'np.unique({x}, axis=0)', f'np.unique({x}, return_index=True)[1]', f'np.unique_counts({x})[1]', f'np.argpartition({small}, 1)[1]', f'np.lexsort(np.atleast_2d({x}))',
            f'np.sort_complex({x})', f'np.msort({x})', f'np.isin({x}, {small}, invert=True)', f'np.piecewise({small}, [{small} > 1, {small} < 0], [1, lambda v: v * 2])',
            f'np.fill_diagonal(d := np.array({x}), 1) or d', f'np.put_along_axis(d := np.array({x}), np.array([[0]]), 5, axis=-1) or d', f'np.select([{x} > 1], [{x}], default=2)',
            f'np.pad({x}, {r.choice((1, "(1, 2)"))}, mode="{r.choice(("edge", "reflect", "wrap", "symmetric", "mean", "maximum", "linear_ramp"))}")',
            f'np.lib.stride_tricks.sliding_window_view({x}, 2, axis=0)', f'np.array_equiv({x}, {small})', f'np.array_equal({x}, {x}, equal_nan=True)',
            f'np.rot90({x}, {r.choice((1, 2, 3))}, axes=(0, -1))', f'np.split({x}, [1], axis=-1)', f'np.broadcast_arrays({x}, {small})',
            f'np.ravel_multi_index(([0, 1], [1, 0]), (2, 3))', f'np.vectorize(lambda v: v + 1)({x})', f'np.random.default_rng(3).permutation({x})')

    def of_linear_algebra(self, x, small):
        r = self.rng
        return (
            f'np.einsum("...i->{r.choice(("...", "", "i", "i...", "...i"))}", {x})', f'np.einsum("i{r.choice(("", "j", "..."))},i->{r.choice(("i", "", "..."))}", {x}, {x})',
            f'np.einsum("ii", {x})', f'np.einsum("ij->ji", {x})', f'np.linalg.norm({x}, axis={self.axes()})', f'np.linalg.norm({x}, ord={r.choice(("1", "np.inf", "-1", "0", "3", "None"))})',
            f'np.linalg.matrix_power({self.exact((3, 3))}, 3)', f'np.linalg.vector_norm({x}, axis={self.axes()})', f'np.linalg.outer({small}, {small})',
            f'np.linalg.det({self.exact((3, 3))})', f'np.linalg.trace({x})', f'np.asarray({x}).dot({small})', f'np.vdot({small}, {small})', f'np.matvec({self.exact((2, 3))}, {small})')

    def of_signals(self, x, small):
        """Steps, transforms and polynomials."""
        r = self.rng
        return (
            f'np.sinc({x})', f'np.i0({small})', f'np.unwrap({x})', f'np.diff({x}, n=2, axis={r.choice((0, -1))})', f'np.diff({x}, prepend=0)', f'np.angle({x}, deg=True)',
            f'np.poly({small})', f'np.polyfit([0, 1, 2], {small}, 1)', f'np.polyadd({small}, {small})', f'np.polymul({small}, {small})', f'np.polyder({small})', 'np.roots([1, -3, 2])',
            f'np.fft.fft({x}, axis={r.choice((0, -1))})', f'np.fft.rfft({small})', f'np.fft.fftshift(np.atleast_1d({x}))', f'np.fft.irfft({small})')

    def of_types(self, x, small):
        """Types that are asked for, looked at and made; parts of numbers."""
        r, dtype = self.rng, self.dtype()
        return (
            f'np.{r.choice(("frexp", "modf", "divmod"))}({x}, {small})', f'np.nan_to_num({x})', f'np.bitwise_count({x})', f'np.spacing({x})', f'np.real_if_close({x})', f'np.iscomplex({x})',
            f'np.asarray({x}).view(np.{r.choice(("uint8", "int16", "float32", "int64"))})', f'np.asarray({x}).byteswap()', f'np.asarray({x}).round({r.choice((0, 1, -1))})',
            f'np.asarray({x}).clip({self.scalar()}, {self.scalar()})', f'np.tri(3, 4, 1, dtype={dtype})', f'np.indices((2, 3), dtype={dtype})', f'np.identity(3, dtype={dtype})',
            f'np.logspace(0, 2, 4, dtype={dtype})', f'np.linspace({small}, {self.scalar()}, 4, dtype={dtype}, axis=-1)', 'np.geomspace(1, 100, 4)',
            f'np.min_scalar_type({self.scalar()}).name == "x"', f'np.promote_types({x}.dtype, {dtype}).num', f'np.can_cast({x}.dtype, {dtype})',
            f'np.add({x}, 1, out=np.zeros({x}.shape, {dtype}))', f'np.add({x}, 1, dtype={dtype}, casting="{r.choice(("unsafe", "safe", "same_kind", "no"))}")',
            f'np.concatenate([np.ravel({x}), {small}], dtype={dtype}, casting="{r.choice(("unsafe", "same_kind"))}")', f'np.stack([{small}, {small}], dtype={dtype}, casting="unsafe")',
            f'np.negative({x}, out=np.zeros((3, 4)))', f'np.astype(np.asarray({x}), {dtype})')

    def dtype(self):
        return f'np.{self.rng.choice(DTYPES)}'

    def axes(self):
        return self.rng.choice(('0', '-1', 'None', '(0, 1)', '(0, -1)'))

    def exact(self, shape):
        size = 1
        for n in shape:
            size *= n
        return f'((np.arange({size}) * 7) % 11 - 4).astype(np.{self.rng.choice(DTYPES)}).reshape({shape})'

    def statement(self):
        """A change in place, and the array behind it."""
        r = self.rng
        stores = r.random() < 0.35
        self.lines.append(f'    a = np.array({self.leaf(r.choice(FLOATS + COMPLEX) if stores else None)})')
        target = 'a' if r.random() < 0.5 else f'a[{self.index()}]'
        if stores:
            self.lines.append(f'    {target if target != "a" else "a[...]"} = {self.scalar() if r.random() < 0.5 else self.leaf()}')
        elif r.random() < 0.85:
            op = r.choice(('+', '-', '*', '//', '%', '&', '|', '^', '/', '**'))
            self.loose |= op in ('*', '/', '//', '%', '**')
            self.lines.append(f'    {target} {op}= {self.scalar() if r.random() < 0.5 else self.leaf()}')
        else:
            self.lines.append(f'    np.add(a, {self.scalar()}, out=a)')
        self.lines.append('    return a')

    def text(self, i):
        if self.rng.random() < 0.15:
            self.statement()
            return f'def make():\n' + '\n'.join(self.lines) + f'\n\n\nshow({i}, make)\n'
        return f'show({i}, lambda: {self.expression(self.rng.choice((1, 1, 2, 2, 3)))})\n'


# ---- comparing ------------------------------------------------------------------------------------------------------------------------

CODES = {'float16': 'e', 'float32': 'f', 'float64': 'd', 'complex64': 'f', 'complex128': 'd'}
LOOSE = {'float16': 4e-3, 'float32': 5e-6, 'float64': 1e-12, 'complex64': 2e-5, 'complex128': 1e-11}


def numbers(dtype, text):
    data = bytes.fromhex(text)
    code = CODES[dtype]
    return struct.unpack(f'<{len(data) // struct.calcsize(code)}{code}', data)


def is_near(dtype, a, b, tolerance):
    if dtype not in CODES or len(a) != len(b):
        return False
    x, y = numbers(dtype, a), numbers(dtype, b)
    scale = max([abs(v) for v in y if v == v and abs(v) != float('inf')] + [1e-30])
    step = 2 if dtype.startswith('complex') else 1
    for i in range(0, len(x), step):
        for u, v in zip(x[i:i + step], y[i:i + step]):
            size = max(abs(w) for w in y[i:i + step] if w == w) if any(w == w for w in y[i:i + step]) else 0
            if u != u or v != v:
                if (u == u) != (v == v) and dtype not in COMPLEX:
                    return False
            elif u != v and not abs(u - v) <= tolerance * max(abs(v), size, scale * 1e-3):
                return dtype in COMPLEX and float('inf') in (abs(u), abs(v), size)
    return True


# Which of 0.0 and -0.0 np.unique gives depends on the vectors of the machine that NumPy runs on.
def is_same(ours, theirs, case):
    if ours == theirs:
        return True
    a, b = ours.split('|'), theirs.split('|')
    if 'error' in (a[1], b[1]):
        return a[1] == b[1] and a[2] == b[2]
    if a[1:4] != b[1:4] or len(a) < 6 or len(b) < 6:
        return False
    if a[4] == b[4]:
        return a[5] == b[5]
    loose = case.loose or a[2] in COMPLEX
    return (loose or case.either_zero) and is_near(a[2], a[4], b[4], LOOSE.get(a[2], 0) if loose else 0)


def outputs(command, path):
    try:
        done = subprocess.run([*command, str(path)], capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired as hang:
        return outputs_of((hang.stdout or b'').decode()), 'no end in 120 s'
    return outputs_of(done.stdout), done.stderr


def outputs_of(text):
    found = {}
    for line in text.splitlines():
        head = line.split('|', 1)[0]
        if head.isdigit():
            found.setdefault(int(head), []).append(line)
    return found


def run_batch(options, seed, count, folder):
    cases = [Case(random.Random(f'{seed + i}')) for i in range(count)]
    texts = [case.text(i) for i, case in enumerate(cases)]
    path = pathlib.Path(folder) / f'arrays_{seed}.py'
    path.write_text(HEAD + '\n'.join(texts))
    theirs, _ = outputs([sys.executable], path)
    ours, trouble = outputs([options.pallasc, 'run'], path)
    failed = 0
    for i, case in enumerate(cases):
        a, b = ours.get(i, ['-|nothing|' + trouble[-300:].replace('\n', ' ')]), theirs.get(i, ['-|nothing|'])
        if len(a) == len(b) and all(is_same(x, y, case) for x, y in zip(a, b)):
            continue
        failed += 1
        print(f'seed {seed + i}: {texts[i].strip()}\n  pallasc: {a[0][:300]}\n  NumPy:   {b[0][:300]}')
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--count', type=int, default=10000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--pallasc', default='build/pallasc')
    parser.add_argument('--keep', help='a folder where the programs stay')
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        for begin in range(0, options.count, 500):
            failed += run_batch(options, options.seed + begin, min(500, options.count - begin), folder)
    print(f'{options.count - failed} passed, {failed} failed, 0 skipped')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
