# SPDX-License-Identifier: Apache-2.0
# Rows of NumPy's functions, timed by the program itself: run by CPython with NumPy and by `pallasc run` (ratios). Prints "name|seconds|checksum" a row,
# the seconds of one call in the fastest of several rounds. A row is (name, statement as a function without arguments).
import time

import numpy as np

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
    ("small allclose 64", lambda: np.allclose(small, small)),
]


def checksum(value):
    if value is None:
        return 0.0
    value = np.asarray(value, dtype=np.float64).ravel()
    return float(value[::997].sum())


for name, call in ROWS:
    try:
        result = call()
        start = time.perf_counter()
        call()
        once = time.perf_counter() - start
        count = max(1, min(2000, int(0.01 / max(once, 1e-9))))
        best = 1e9
        rounds = 5 if once < 1 else 1
        for _ in range(rounds):
            start = time.perf_counter()
            for _ in range(count):
                call()
            best = min(best, (time.perf_counter() - start) / count)
        print(f"{name}|{best:.9f}|{checksum(result):.6g}", flush=True)
    except Exception as error:
        print(f"{name}|nan|{type(error).__name__}: {error}", flush=True)
