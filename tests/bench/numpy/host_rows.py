# SPDX-License-Identifier: Apache-2.0
# Rows of what host code of kernel repositories does around kernels: makes, arranges, picks and compares arrays, and goes through their elements.
import io

import ml_dtypes
import numpy as np
from timing import report

rng = np.random.default_rng(11)
big = rng.standard_normal(1 << 20).astype(np.float32)
wide = big.astype(np.float64)
square = big.reshape(1024, 1024)
ints = rng.integers(0, 1000, 1 << 20)
narrow = ints.astype(np.int32)
bytes_ = ints.astype(np.uint8)
half = big.astype(np.float16)
brain = big.astype(ml_dtypes.bfloat16)
eighth = big.astype(ml_dtypes.float8_e4m3fn)
mask = big > 0.5
complex_ = big + 1j * big[::-1]
complex_wide = complex_.astype(np.complex128)
rows = rng.integers(0, 1024, 1024)
columns = rng.integers(0, 1024, 1024)
pairs = rng.standard_normal((256, 256))
spd = pairs @ pairs.T + 256 * np.eye(256)
symmetric = pairs + pairs.T
few = rng.standard_normal(64).astype(np.float32)
sorted_ = np.sort(wide)
order = np.argsort(square, axis=1)
heads = big.reshape(8, 128, 16, 64)
batch = big[:1 << 18].reshape(16, 128, 128)
grid = big[:100000].reshape(100, 1000)
tall = wide[:200000].reshape(1000, 200)
signal = wide[:1 << 16]
frames = big[:256000].reshape(1000, 256)
raw = big.tobytes()
stored = io.BytesIO()
np.save(stored, big)
saved = stored.getvalue()
eight = pairs[:8, :8].copy()
tiny = np.arange(10)
table = {"a": few, "b": few * 2}


def sum_of_scalars():
    total = 0.0
    for i in range(64):
        total += few[i] * 2.0
    return total


def sum_of_rows():
    total = 0.0
    for row in pairs:
        total += row[0]
    return total


def fill_table():
    out = np.zeros((16, 16), np.int32)
    for i in range(16):
        for j in range(16):
            out[i, j] = i * j
    return out


def blocked_product():
    out = np.zeros((256, 256))
    for i in range(0, 256, 64):
        for j in range(0, 256, 64):
            out[i:i + 64, j:j + 64] = pairs[i:i + 64] @ pairs[:, j:j + 64]
    return out


def softmax():
    top = square.max(axis=-1, keepdims=True)
    power = np.exp(square - top)
    return power / power.sum(axis=-1, keepdims=True)


def layer_norm():
    centred = square - square.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred ** 2).mean(axis=-1, keepdims=True) + 1e-5)


def store_mask():
    out = big.copy()
    out[mask] = 0
    return out


def store_rows():
    out = square.copy()
    out[rows] = 1
    return out


def save():
    file = io.BytesIO()
    np.save(file, big)
    return float(len(file.getvalue()))


ROWS = [
    ("pairs of indices", lambda: square[rows, columns]),
    ("rows by a mask", lambda: square[mask[:1024]]),
    ("store by a mask", store_mask),
    ("store rows", store_rows),
    ("where of one", lambda: np.where(mask)[0]),
    ("where with a scalar", lambda: np.where(mask, big, 0)),
    ("where of a row", lambda: np.where(square > 0, square, square[0])),
    ("clip i64", lambda: np.clip(ints, 10, 500)),
    ("clip to one side", lambda: np.maximum(np.minimum(wide, 1.0), -1.0)),
    ("argmax axis 0", lambda: square.argmax(axis=0)),
    ("argmin i64", lambda: ints.argmin()),
    ("max axis 0", lambda: square.max(axis=0)),
    ("max axis 1", lambda: square.max(axis=1)),
    ("min i32", lambda: narrow.min()),
    ("all close in 0", lambda: (square == square).all()),
    ("sum of a product", lambda: (big * big).sum()),
    ("sum i64", lambda: ints.sum()),
    ("sum i32", lambda: narrow.sum()),
    ("sum bool", lambda: mask.sum()),
    ("sum f16", lambda: half.sum()),
    ("sum bf16", lambda: brain.sum()),
    ("sum of the middle axis", lambda: batch.sum(axis=1)),
    ("mean axis 0", lambda: square.mean(axis=0)),
    ("mean axis 1", lambda: square.mean(axis=1)),
    ("var axis 1", lambda: square.var(axis=1)),
    ("std axis 0 f64", lambda: tall.std(axis=0)),
    ("median", lambda: np.median(wide)),
    ("median axis 0", lambda: np.median(tall, axis=0)),
    ("percentile", lambda: np.percentile(wide, [5, 50, 95])),
    ("quantile axis 1", lambda: np.quantile(tall, 0.25, axis=1)),
    ("cumsum axis 0", lambda: np.cumsum(square, axis=0)),
    ("cumsum axis 1", lambda: np.cumsum(square, axis=1)),
    ("cumsum i64", lambda: np.cumsum(ints)),
    ("cumprod f64", lambda: np.cumprod(wide)),
    ("diff", lambda: np.diff(wide)),
    ("diff axis 0", lambda: np.diff(square, axis=0)),
    ("gradient", lambda: np.gradient(wide)),
    ("gradient of two axes", lambda: np.gradient(square)[1]),
    ("interp", lambda: np.interp(signal, np.linspace(-3, 3, 100), np.linspace(0, 1, 100))),
    ("convolve", lambda: np.convolve(signal, few.astype(np.float64))),
    ("sort axis 0", lambda: np.sort(grid, axis=0)),
    ("sort axis 1", lambda: np.sort(grid, axis=1)),
    ("sort i32", lambda: np.sort(narrow)),
    ("argsort axis 1", lambda: np.argsort(grid, axis=1)),
    ("argsort i32", lambda: narrow[np.argsort(narrow)]),
    ("stable argsort", lambda: np.argsort(ints, kind="stable")),
    ("partition", lambda: np.partition(wide, 1000)[1000]),
    ("argpartition top 10", lambda: np.sort(wide[np.argpartition(wide, -10)[-10:]])),
    ("unique with counts", lambda: np.unique(ints, return_counts=True)[1]),
    ("unique with inverse", lambda: np.unique(narrow, return_inverse=True)[1]),
    ("unique f64", lambda: np.unique(wide)),
    ("searchsorted", lambda: np.searchsorted(sorted_, wide[:100000])),
    ("digitize", lambda: np.digitize(signal, np.linspace(-3, 3, 20))),
    ("isin", lambda: np.isin(ints, [1, 5, 900])),
    ("isin many", lambda: np.isin(ints, ints[:5000])),
    ("bincount weights", lambda: np.bincount(ints, weights=wide)),
    ("histogram", lambda: np.histogram(wide, bins=50)[0]),
    ("intersect1d", lambda: np.intersect1d(narrow[:5000], narrow[5000:10000])),
    ("lexsort", lambda: np.lexsort((narrow[:100000], ints[:100000]))),
    ("tile", lambda: np.tile(square, (2, 2))),
    ("repeat axis 0", lambda: np.repeat(square, 4, axis=0)),
    ("repeat axis 1", lambda: np.repeat(square, 4, axis=1)),
    ("pad edge", lambda: np.pad(square, 2, mode="edge")),
    ("pad reflect", lambda: np.pad(square, 8, mode="reflect")),
    ("roll axis 1", lambda: np.roll(square, 3, axis=1)),
    ("roll two axes", lambda: np.roll(square, (1, 1), axis=(0, 1))),
    ("stack axis 0", lambda: np.stack([square, square])),
    ("stack last axis", lambda: np.stack([square, square], axis=-1)),
    ("concatenate axis 1", lambda: np.concatenate([square, square], axis=1)),
    ("vstack", lambda: np.vstack([square, square])),
    ("hstack", lambda: np.hstack([square, square])),
    ("split and join", lambda: np.concatenate(np.split(square, 16, axis=1))),
    ("flip axis 1", lambda: np.ascontiguousarray(square[:, ::-1])),
    ("tril", lambda: np.tril(square)),
    ("eye 1024", lambda: np.eye(1024)),
    ("ones f32", lambda: np.ones((1024, 1024), np.float32)),
    ("full", lambda: np.full((1024, 1024), 3.5, np.float32)),
    ("zeros and store", lambda: np.zeros((1024, 1024), np.float32).__setitem__((slice(None), 3), 1)),
    ("arange f32", lambda: np.arange(1 << 20, dtype=np.float32)),
    ("arange and reshape", lambda: np.arange(1 << 18, dtype=np.float32).reshape(512, 512) / 100),
    ("linspace", lambda: np.linspace(0, 1, 1 << 18)),
    ("meshgrid", lambda: np.meshgrid(np.arange(512.0), np.arange(512.0))[0]),
    ("diag of 1024", lambda: np.diag(square)),
    ("take axis 1", lambda: np.take(square, rows, axis=1)),
    ("take", lambda: np.take(wide, ints)),
    ("put", lambda: np.put(big.copy(), ints, 1.0)),
    ("take_along_axis", lambda: np.take_along_axis(square, order, axis=1)),
    ("put_along_axis", lambda: np.put_along_axis(square.copy(), order[:, :1], 0, axis=1)),
    ("astype i64 to f32", lambda: ints.astype(np.float32)),
    ("astype f32 to f64", lambda: big.astype(np.float64)),
    ("astype f64 to f32", lambda: wide.astype(np.float32)),
    ("astype f64 to i64", lambda: wide.astype(np.int64)),
    ("astype f32 to i8", lambda: (big * 10).astype(np.int8)),
    ("astype i8 to f32", lambda: bytes_.astype(np.float32)),
    ("astype f16 to f32", lambda: half.astype(np.float32)),
    ("astype f32 to bf16", lambda: big.astype(ml_dtypes.bfloat16)),
    ("astype bf16 to f32", lambda: brain.astype(np.float32)),
    ("astype f32 to fp8", lambda: big.astype(ml_dtypes.float8_e4m3fn)),
    ("astype fp8 to f32", lambda: eighth.astype(np.float32)),
    ("astype f32 to fp8 e5m2", lambda: big.astype(ml_dtypes.float8_e5m2)),
    ("astype bool to f32", lambda: mask.astype(np.float32)),
    ("astype f32 to bool", lambda: big.astype(bool)),
    ("astype i32 to i64", lambda: narrow.astype(np.int64)),
    ("astype bf16 to f16", lambda: brain.astype(np.float16)),
    ("add f16", lambda: half + half),
    ("add bf16", lambda: brain + brain),
    ("bf16 of a product", lambda: (brain.astype(np.float32) * 2).astype(ml_dtypes.bfloat16)),
    ("add u8", lambda: bytes_ + bytes_),
    ("shift and mask i32", lambda: (narrow >> 3) & 7),
    ("modulo i64", lambda: ints % 7),
    ("divide i64 by a number", lambda: ints // 8),
    ("true divide i64", lambda: ints / 7),
    ("abs f32", lambda: np.abs(big)),
    ("abs c64", lambda: np.abs(complex_)),
    ("abs c128", lambda: np.abs(complex_wide)),
    ("angle c128", lambda: np.angle(complex_wide)),
    ("small abs c128", lambda: np.abs(complex_wide[:64])),
    ("sign f32", lambda: np.sign(big)),
    ("round f32", lambda: np.round(big)),
    ("floor f64", lambda: np.floor(wide)),
    ("log f32", lambda: np.log(np.abs(big) + 1)),
    ("log2 f32", lambda: np.log2(np.abs(big) + 1)),
    ("cos f32", lambda: np.cos(big)),
    ("cos f64", lambda: np.cos(wide)),
    ("arctan2 f64", lambda: np.arctan2(wide, 1.0)),
    ("erf by tanh", lambda: 0.5 * big * (1 + np.tanh(0.79788456 * (big + 0.044715 * big ** 3)))),
    ("sigmoid", lambda: 1 / (1 + np.exp(-big))),
    ("add in place", lambda: np.add(big, 1, out=big.copy())),
    ("softmax", softmax),
    ("layer norm", layer_norm),
    ("transpose of heads", lambda: np.ascontiguousarray(heads.transpose(0, 2, 1, 3))),
    ("reshape of a transpose", lambda: square.T.reshape(-1)),
    ("ravel and copy", lambda: square[:, :512].ravel()),
    ("matmul of batches", lambda: batch @ batch),
    ("matmul with a transpose", lambda: pairs @ pairs.T),
    ("matmul i32", lambda: narrow[:16384].reshape(128, 128) @ narrow[:16384].reshape(128, 128)),
    ("matrix by vector", lambda: square @ big[:1024]),
    ("vector by matrix", lambda: big[:1024] @ square),
    ("matmul bf16", lambda: (brain[:65536].reshape(256, 256) @ brain[:65536].reshape(256, 256)).astype(np.float32)),
    ("outer", lambda: np.outer(big[:1024], big[:1024])),
    ("einsum of heads", lambda: np.einsum("bqhd,bkhd->bhqk", heads[:2], heads[:2])),
    ("einsum ij->j", lambda: np.einsum("ij->j", square)),
    ("einsum of a trace", lambda: np.einsum("ii", square)),
    ("tensordot", lambda: np.tensordot(batch, batch, axes=([2], [2]))),
    ("linalg.norm", lambda: np.linalg.norm(big)),
    ("linalg.norm axis 1", lambda: np.linalg.norm(square, axis=1)),
    ("linalg.solve", lambda: np.linalg.solve(spd, pairs)),
    ("linalg.inv", lambda: np.linalg.inv(spd)),
    ("linalg.det", lambda: np.linalg.det(spd / 256)),
    ("linalg.cholesky", lambda: np.linalg.cholesky(spd)),
    ("linalg.eigh", lambda: np.linalg.eigh(symmetric)[0]),
    ("linalg.svd", lambda: np.linalg.svd(pairs)[1]),
    ("linalg.qr", lambda: np.abs(np.linalg.qr(pairs)[1])),
    ("fft", lambda: np.abs(np.fft.fft(signal))),
    ("rfft", lambda: np.abs(np.fft.rfft(signal))),
    ("fft2", lambda: np.abs(np.fft.fft2(pairs))),
    ("small fft 64", lambda: np.abs(np.fft.fft(signal[:64]))),
    ("fft of a prime length", lambda: np.abs(np.fft.fft(signal[:997]))),
    ("rfft of rows f32", lambda: np.abs(np.fft.rfft(frames))),
    ("irfft along axis 0", lambda: np.fft.irfft(frames, axis=0)),
    ("isclose", lambda: np.isclose(big, big)),
    ("assert_allclose f64", lambda: np.testing.assert_allclose(wide, wide, rtol=1e-6)),
    ("assert_allclose bf16", lambda: np.testing.assert_allclose(brain.astype(np.float32), brain.astype(np.float32), rtol=1e-2)),
    ("assert_array_equal", lambda: np.testing.assert_array_equal(ints, ints)),
    ("array_equal", lambda: np.array_equal(big, big)),
    ("max of a difference", lambda: np.max(np.abs(wide - big))),
    ("isfinite all", lambda: np.isfinite(big).all()),
    ("nansum", lambda: np.nansum(big)),
    ("nanmean", lambda: np.nanmean(wide)),
    ("random f32", lambda: np.random.default_rng(1).random(1 << 18, dtype=np.float32)),
    ("normal", lambda: np.random.default_rng(1).normal(size=(512, 512))),
    ("uniform", lambda: np.random.default_rng(1).uniform(-1, 1, (512, 512))),
    ("permutation", lambda: np.random.default_rng(1).permutation(1 << 16)),
    ("choice", lambda: np.random.default_rng(1).choice(1000, 1 << 16)),
    ("shuffle", lambda: np.random.default_rng(1).shuffle(np.arange(1 << 14))),
    ("old randn", lambda: np.random.RandomState(0).randn(512, 512)),
    ("old randint", lambda: np.random.RandomState(0).randint(0, 100, 1 << 16)),
    ("old rand", lambda: np.random.RandomState(0).rand(1 << 16)),
    ("frombuffer", lambda: np.frombuffer(raw, np.float32).copy()),
    ("tobytes", lambda: float(len(big.tobytes()))),
    ("save", save),
    ("load", lambda: np.load(io.BytesIO(saved))),
    ("tolist", lambda: pairs.tolist()),
    ("array of nested lists", lambda: np.array([[1.0, 2.0, 3.0]] * 100)),
    ("array of arrays", lambda: np.array([few] * 100)),
    ("print of a matrix", lambda: str(pairs)),
    ("repr of 64", lambda: repr(few)),
    ("format of scalars", lambda: "".join([f"{x:.3f}" for x in few])),
    ("rows in a loop", sum_of_rows),
    ("scalars in a loop", sum_of_scalars),
    ("stores in a loop", fill_table),
    ("blocks in a loop", blocked_product),
    ("small where of one", lambda: np.where(few > 0)),
    ("small max axis", lambda: eight.max(axis=1)),
    ("small prod of a shape", lambda: int(np.prod((4, 8, 16)))),
    ("small item", lambda: few[3].item()),
    ("small int of a scalar", lambda: int(tiny[3])),
    ("small store", lambda: few.__setitem__(3, 1.5)),
    ("small shape", lambda: eight.shape[0] * eight.ndim * eight.size),
    ("small transpose", lambda: eight.T),
    ("small slice 8x8", lambda: eight[:4, 2:6]),
    ("small row", lambda: eight[2]),
    ("small new axis", lambda: few[:, None]),
    ("small broadcast", lambda: few[:8, None] * few[None, :8]),
    ("small ones", lambda: np.ones((4, 4), np.float32)),
    ("small full", lambda: np.full((4, 4), 2.0)),
    ("small eye", lambda: np.eye(4)),
    ("small linspace", lambda: np.linspace(0, 1, 10)),
    ("small zeros_like", lambda: np.zeros_like(few)),
    ("small tolist", lambda: few.tolist()),
    ("small array_equal", lambda: np.array_equal(few, few)),
    ("small isclose", lambda: np.isclose(few, few)),
    ("small assert_allclose", lambda: np.testing.assert_allclose(few, few)),
    ("small fancy index", lambda: few[tiny]),
    ("small argsort", lambda: np.argsort(few)),
    ("small unique", lambda: np.unique(tiny)),
    ("small cumsum", lambda: np.cumsum(few)),
    ("small diff", lambda: np.diff(few)),
    ("small dot", lambda: few @ few),
    ("small outer", lambda: np.outer(tiny, tiny)),
    ("small var", lambda: few.var()),
    ("small norm", lambda: np.linalg.norm(few)),
    ("small any", lambda: (few > 5).any()),
    ("small bool of a scalar", lambda: bool(few[0] > 0)),
    ("small scalar of a type", lambda: np.float32(1.5)),
    ("small scalar times 2", lambda: few[0] * 2),
    ("small add in place", lambda: np.add(few, 0, out=few)),
    ("small maximum", lambda: np.maximum(few, 0)),
    ("small exp of a scalar", lambda: np.exp(few[0])),
    ("small solve", lambda: np.linalg.solve(eight, eight)),
    ("small inv", lambda: np.linalg.inv(eight)),
    ("small roll", lambda: np.roll(few, 1)),
    ("small repeat", lambda: np.repeat(tiny, 2)),
    ("small tile", lambda: np.tile(tiny, 2)),
    ("small pad", lambda: np.pad(tiny, 1)),
    ("small split", lambda: np.split(few, 4)[1]),
    ("small take", lambda: np.take(few, 3)),
    ("small expand_dims", lambda: np.expand_dims(few, 0)),
    ("small moveaxis", lambda: np.moveaxis(eight, 0, 1)),
    ("small squeeze", lambda: np.squeeze(eight)),
    ("small round", lambda: np.round(few, 2)),
    ("small abs", lambda: abs(few)),
    ("small negative", lambda: -few),
    ("small power", lambda: few ** 2),
    ("small meshgrid", lambda: np.meshgrid(tiny, tiny)[0]),
    ("small median", lambda: np.median(few)),
    ("small percentile", lambda: np.percentile(few, 50)),
    ("small bincount", lambda: np.bincount(tiny)),
    ("small searchsorted", lambda: np.searchsorted(tiny, 4)),
    ("small random", lambda: rng.random(10).shape),
    ("small normal", lambda: rng.normal(size=10).shape),
    ("small integers", lambda: rng.integers(0, 10) >= 0),
    ("small bf16 add", lambda: brain[:64] + brain[:64]),
    ("small fp8 astype", lambda: few.astype(ml_dtypes.float8_e4m3fn)),
    ("small dtype of a name", lambda: np.dtype("float32").itemsize),
    ("small result_type", lambda: np.result_type(np.float32, np.int8).itemsize),
    ("small ravel", lambda: eight.ravel()),
    ("small concatenate of 8", lambda: np.concatenate([eight] * 8)),
    ("small frombuffer", lambda: np.frombuffer(raw, np.float32, 10)),
    ("small view", lambda: few.view(np.int32)),
    ("small clip scalar", lambda: np.clip(5, 0, 3)),
    ("small min of two", lambda: min(few[0], few[1])),
    ("small sum of a list", lambda: np.sum([1, 2, 3])),
    ("small mean of a list", lambda: np.mean([1.0, 2.0, 3.0])),
    ("small array of an int", lambda: np.array(5)),
    ("small iteration", lambda: [x for x in tiny]),
    ("small einsum i,i", lambda: np.einsum("i,i->", few, few)),
    ("small count_nonzero", lambda: np.count_nonzero(few)),
    ("small argmax axis", lambda: eight.argmax(axis=1)),
    ("small all", lambda: np.all(few == few)),
    ("small swapaxes", lambda: eight.swapaxes(0, 1)),
    ("small vstack", lambda: np.vstack([tiny, tiny])),
]

report(ROWS)
