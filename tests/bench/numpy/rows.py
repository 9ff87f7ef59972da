# SPDX-License-Identifier: Apache-2.0
# Rows of NumPy's functions, run by CPython with NumPy and by `pallasc run` (ratios).
import numpy as np
from timing import report

rng = np.random.default_rng(7)
big = rng.standard_normal(1 << 20).astype(np.float32)
other = rng.standard_normal(1 << 20).astype(np.float32)
wide = big.astype(np.float64)
square = big.reshape(1024, 1024)
ints = rng.integers(0, 1000, 1 << 20)
narrow = ints.astype(np.int32)
mask = big > 0
a32 = rng.standard_normal((512, 512)).astype(np.float32)
a64 = a32.astype(np.float64)
index = rng.integers(0, 1024, 4096)
small = rng.standard_normal(64).astype(np.float32)
tiny = np.arange(10)
spread = rng.standard_normal(1 << 20)
near = big + np.float32(1e-7)
positive = np.abs(wide) + 1
few = np.linspace(0, 1, 64)
eight = few.reshape(8, 8)
true = small > 0
picks = rng.integers(0, 1 << 20, 100000)

ROWS = [
    ("add f32 1M", lambda: big + other),
    ("mul f64 1M", lambda: wide * wide),
    ("add i64 1M", lambda: ints + ints),
    ("divide f32 1M", lambda: big / other),
    ("compare f32 1M", lambda: big < other),
    ("where f32 1M", lambda: np.where(mask, big, other)),
    ("exp f32 1M", lambda: np.exp(big)),
    ("exp f64 1M", lambda: np.exp(wide)),
    ("sqrt f32 1M", lambda: np.sqrt(np.abs(big))),
    ("tanh f32 1M", lambda: np.tanh(big)),
    ("sin f64 1M", lambda: np.sin(wide)),
    ("log f64 1M", lambda: np.log(positive)),
    ("log1p f64 1M", lambda: np.log1p(positive)),
    ("log10 f64 1M", lambda: np.log10(positive)),
    ("expm1 f64 1M", lambda: np.expm1(wide)),
    ("exp2 f64 1M", lambda: np.exp2(wide)),
    ("sin f32 1M", lambda: np.sin(big)),
    ("tanh f64 1M", lambda: np.tanh(wide)),
    ("arctan f64 1M", lambda: np.arctan(wide)),
    ("square by ** f32 1M", lambda: big ** 2),
    ("cube by ** f32 1M", lambda: big ** 3),
    ("power f64 1M", lambda: positive ** 1.5),
    ("hypot f32 1M", lambda: np.hypot(big, other)),
    ("isnan f32 1M", lambda: np.isnan(big)),
    ("maximum f32 1M", lambda: np.maximum(big, 0)),
    ("floor_divide i32 1M", lambda: narrow // np.int32(7)),
    ("broadcast row 1M", lambda: square + square[0]),
    ("broadcast column 1M", lambda: square * square[:, :1]),
    ("strided add 512K", lambda: big[::2] + other[::2]),
    ("transpose copy 1M", lambda: np.ascontiguousarray(square.T)),
    ("sum f32 1M", lambda: big.sum()),
    ("sum axis 0", lambda: square.sum(axis=0)),
    ("sum axis 1", lambda: square.sum(axis=1)),
    ("max f32 1M", lambda: big.max()),
    ("argmax axis 1", lambda: square.argmax(axis=1)),
    ("mean f64 1M", lambda: wide.mean()),
    ("std f32 1M", lambda: big.std()),
    ("any bool 1M", lambda: (big > 100).any()),
    ("cumsum f32 1M", lambda: np.cumsum(big)),
    ("matmul f32 512", lambda: a32 @ a32),
    ("matmul f64 512", lambda: a64 @ a64),
    ("einsum ij,jk->ik 512", lambda: np.einsum("ij,jk->ik", a32, a32)),
    ("dot f32 1M", lambda: big @ other),
    ("sort f32 1M", lambda: np.sort(big)),
    ("sort i64 1M", lambda: np.sort(ints)),
    ("argsort f64 1M", lambda: np.argsort(spread)),
    ("unique i64 1M", lambda: np.unique(ints)),
    ("take rows 4096x1024", lambda: square[index]),
    ("mask select 1M", lambda: big[mask]),
    ("put rows", lambda: np.add.at(np.zeros(1024), index, 1.0)),
    ("bincount 1M", lambda: np.bincount(ints)),
    ("take 100k of 1M", lambda: big[picks]),
    ("take columns", lambda: square[:, index[:512]]),
    ("nonzero 1M", lambda: np.nonzero(mask)[0]),
    ("count_nonzero 1M", lambda: np.count_nonzero(mask)),
    ("repeat 1M", lambda: np.repeat(big, 2)),
    ("maximum.accumulate 1M", lambda: np.maximum.accumulate(big)),
    ("arange 1M", lambda: np.arange(1 << 20)),
    ("concatenate 2M", lambda: np.concatenate([big, other])),
    ("stack 2M", lambda: np.stack([big, other], axis=1)),
    ("astype f32 to i32", lambda: big.astype(np.int32)),
    ("astype f32 to f16", lambda: big.astype(np.float16)),
    ("random f64 1M", lambda: np.random.default_rng(1).random(1 << 20)),
    ("normal f64 1M", lambda: np.random.default_rng(2).standard_normal(1 << 20)),
    ("integers 1M", lambda: np.random.default_rng(3).integers(0, 1000, 1 << 20)),
    ("allclose 1M", lambda: np.testing.assert_allclose(near, big, rtol=1e-3, atol=1e-5)),
    ("array of a list 1000", lambda: np.array(list(range(1000)))),
    ("clip f32 1M", lambda: np.clip(big, -1, 1)),
    ("roll f32 1M", lambda: np.roll(big, 5)),
    ("pad 1M", lambda: np.pad(square, 1)),
    ("small add 64", lambda: small + small),
    ("small sum 64", lambda: small.sum()),
    ("small exp 64", lambda: np.exp(small)),
    ("small index 10", lambda: tiny[3]),
    ("small slice 10", lambda: tiny[2:5]),
    ("small zeros 10", lambda: np.zeros(10)),
    ("small reshape 64", lambda: small.reshape(8, 8)),
    ("small matmul 8x8", lambda: small.reshape(8, 8) @ small.reshape(8, 8)),
    ("small where 64", lambda: np.where(small > 0, small, 0)),
    ("small np.add 64", lambda: np.add(small, small)),
    ("small add 1", lambda: small + 1),
    ("small compare 64", lambda: small > 0),
    ("small mean 64", lambda: small.mean()),
    ("small argmax 64", lambda: small.argmax()),
    ("small sin 64", lambda: np.sin(few)),
    ("small astype 64", lambda: small.astype(np.float64)),
    ("small copy 64", lambda: small.copy()),
    ("small asarray 64", lambda: np.asarray(small)),
    ("small array of a list 3", lambda: np.array([1.0, 2.0, 3.0])),
    ("small concatenate 64", lambda: np.concatenate([small, small])),
    ("small stack 64", lambda: np.stack([small, small])),
    ("small arange 10", lambda: np.arange(10)),
    ("small sum axis 8x8", lambda: eight.sum(axis=0)),
    ("small index 8x8", lambda: eight[1, 2]),
    ("small mask 64", lambda: small[true]),
    ("small isnan 64", lambda: np.isnan(small)),
    ("small logical_and 64", lambda: np.logical_and(true, true)),
    ("small sort 64", lambda: np.sort(small)),
    ("small clip 64", lambda: np.clip(small, -1, 1)),
    ("small scalars add", lambda: few[0] + few[1]),
    ("small sqrt of a float", lambda: np.sqrt(2.0)),
    ("small float of a scalar", lambda: float(few[3])),
    ("small einsum 8x8", lambda: np.einsum("ij,jk->ik", eight, eight)),
    ("small allclose 64", lambda: np.allclose(small, small)),
]

report(ROWS)
