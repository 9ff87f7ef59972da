# SPDX-License-Identifier: Apache-2.0
# Arrays of complex numbers: making, arithmetic, functions, parts, rules of types, text, files.
import numpy as np
import warnings
import tempfile
path = tempfile.mkdtemp() + "/z.npy"
a = np.arange(4.0); b = a; b += 1; print(a)
def tr(f):
    try: print(f())
    except Exception as e: print(type(e).__mro__[-4].__name__ if False else "ERR", e)
def ip():
    c = np.arange(4); c += 1.5; return c
tr(ip)
z = np.array([1+2j, 3-4j, -0.5j, 2])
print(z, z.dtype, repr(z))
print(z.astype(np.complex64), repr(z.astype(np.complex64)))
print(repr(z.real), repr(z.imag), z.conj(), abs(z), np.angle(z), np.angle(z, deg=True))
print(z*z, z/ (1+1j), z-1, 2j*z, z**2, z**0.5, -z)
print(z == 3-4j, z < 1, np.maximum(z, 1), np.sort(z), z.argmax(), z.max(), z.min())
print(z.sum(), z.prod(), z.mean(), z.var(), z.std(), np.cumsum(z), np.cumprod(z))
for f in (np.exp, np.log, np.sqrt, np.sin, np.cos, np.tan, np.sinh, np.cosh, np.tanh, np.arcsin, np.arccos, np.arctan, np.arcsinh, np.arccosh, np.square, np.reciprocal, np.sign, np.rint, np.log1p, np.expm1, np.log2, np.exp2, np.log10, np.isfinite, np.isnan, np.isinf):
    print(f.__name__, f(z[:3]))
tr(lambda: np.floor(z)); tr(lambda: z // 2); tr(lambda: z % 2); tr(lambda: np.arctan2(z, 1)); tr(lambda: ~z)
m = np.array([[1, 2j], [3, 4 - 1j]])
print(m @ m, m.T, m.conj().T, np.dot(m, m), np.vdot(m, m), np.trace(m), np.outer(z[:2], z[:2]))
print(np.complex64(1+2j), repr(np.complex64(1.5-2.25j)), np.complex128(2j), repr(np.complex128(2j)), str(np.complex128(complex(-0.0, 1))))
print(np.iscomplexobj(z), np.iscomplex(z), np.isreal(z), np.real_if_close(np.array([1+1e-15j])))
print(np.zeros(2, complex), np.ones(2, np.complex64), np.full(2, 1j), np.eye(2, dtype=complex), np.empty(0, complex))
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    print(z.astype(float)); print(len(w), w[0].category.__name__, w[0].message)
tr(lambda: np.array([1j], dtype=float)); tr(lambda: z.astype(float, casting="safe"))
print((z.real.dtype, z.astype(np.complex64).real.dtype, np.result_type(np.complex64, np.float64), np.result_type(np.complex64, np.int16), np.result_type(np.int32, np.complex64), (np.float32(1)+1j).dtype, (np.arange(2)+1j).dtype))
z.real = 0; z.imag[0] = 7; print(z)
print(np.array([1e10+1j, 1e-5-3j]), np.array([np.nan+1j, complex(1, np.inf), complex(-np.inf, np.nan)]))
print(np.dtype(complex), np.dtype("c8"), np.dtype("F").str, np.dtype(complex).itemsize, np.dtype(complex).kind, np.dtype("D").char)
print(complex(z[0]), z[0].real, z[0].imag, type(z[0]).__name__, isinstance(z[0], np.complexfloating), np.issubdtype(z.dtype, np.complexfloating), np.issubdtype(np.complex64, np.inexact))
print(z.tolist(), z.tobytes().hex()[:32], z.view(float), z.nbytes, hash(z[0]) == hash(7j))
print(np.allclose(z, z + 1e-12), np.isclose(z, z+1), np.array_equal(z, z))
print(np.where(z.imag > 0, z, 0), np.concatenate([z, [1, 2.5]]), np.stack([z, z]).shape, np.unique(np.array([1j, 1, 1j])))
print(z.flat[1], list(np.arange(4).reshape(2,2).flat)); x = np.arange(4).reshape(2,2); x.flat[1:3] = 9; print(x); x.shape = (4,); print(x)
print(np.linspace(0, 1+1j, 3), np.round(np.array([1.234+5.678j]), 1), np.nan_to_num(np.array([complex(np.nan, np.inf)])))
np.save(path, z); print(np.load(path))
np.testing.assert_allclose(z, z + 1e-9, atol=1e-6); np.testing.assert_array_equal(z, z)
tr(lambda: np.testing.assert_allclose(z, z + 1))
print(f"{z[0]:.2f}", np.array2string(z, precision=2), np.array(1+2j), repr(np.array(1+2j)), np.array_str(z))
# Magnitudes of many: ordinary ones, and where squares overflow, vanish or are no numbers.
many = np.linspace(-3, 3, 200) + 1j * np.linspace(5, -7, 200)
for scale in (1, 1e-300, 1e300, 0):
    z = many * scale
    exact = np.array([np.hypot(a, b) for a, b in zip(z.real, z.imag)])
    print(scale, bool((np.abs(np.abs(z) - exact) <= 4 * np.spacing(exact)).all()), bool((np.abs(z.astype(np.complex64)) >= 0).all()))
many[70], many[71] = complex(np.inf, np.nan), complex(np.nan, 1)
print(np.abs(many)[69:72].round(3), np.abs(many[::2])[35])
