# SPDX-License-Identifier: Apache-2.0
"""Objects of functions of JAX: arguments that hold results when they return."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

import logs
import pallasc
import pallasc.jax

SHAPE = jax.ShapeDtypeStruct((8, 128), jnp.float32)
A, B = (np.random.default_rng(seed).standard_normal((8, 128)).astype(np.float32) for seed in range(2))


def exported(tmp_path, fn, *specs, **options):
    pallasc.jax.export(fn, *specs, name='step', out=tmp_path / 'step.so', header=tmp_path / 'step.h', **options)
    return pallasc.load(tmp_path / 'step.so').step


def test_donated_arguments_hold_results(tmp_path):
    def fn(state, x):
        scaled = pl.pallas_call(lambda x_ref, y_ref, o_ref: o_ref.__setitem__(..., x_ref[...] * 2 + y_ref[...]), out_shape=SHAPE)(state['a'], x)
        return {'a': state['b'] + 1, 'b': scaled}, state['a'].max(), state['a']
    step = exported(tmp_path, fn, {'a': SHAPE, 'b': SHAPE}, SHAPE, donate_argnums=0)
    a, b, x = A.copy(), B.copy(), A + B
    largest, first = step(a, b, x)
    np.testing.assert_array_equal(a, B + 1)
    np.testing.assert_allclose(b, A * 2 + (A + B), rtol=1e-6)
    assert largest == A.max()
    np.testing.assert_array_equal(first, A)
    assert 'const float *x' in (tmp_path / 'step.h').read_text()


def test_donated_arguments_may_change_places(tmp_path):
    step = exported(tmp_path, lambda a, b: (b, a), SHAPE, SHAPE, donate_argnums=(0, -1))
    a, b = A.copy(), B.copy()
    assert step(a, b) is None
    np.testing.assert_array_equal(a, B)
    np.testing.assert_array_equal(b, A)


def test_a_donated_argument_that_no_result_fits(tmp_path):
    with logs.logged() as lines:
        step = exported(tmp_path, lambda a: a[:4] * 2, SHAPE, donate_argnums=[0])
    assert any("donated parameter 'a' is used in place by no result" in line for line in lines), lines
    np.testing.assert_array_equal(step(A), A[:4] * 2)


def test_what_cannot_be_donated(tmp_path):
    for number in (2, -3, True, 'a'):
        try:
            exported(tmp_path, lambda a, b: a + b, SHAPE, SHAPE, donate_argnums=(number,))
        except ValueError as error:
            assert f'donate_argnums has {number!r}' in str(error), error
        else:
            raise AssertionError(f'{number!r} was taken')


def test_the_gradient_of_a_branch(tmp_path):
    """Each branch keeps for the way back what another one alone needs: a value that nobody reads."""
    def fn(which, x):
        return jax.grad(lambda x: jax.lax.cond(which > 2, lambda x: (x ** 3).sum(), lambda x: x.sum(), x))(x)
    step = exported(tmp_path, fn, jax.ShapeDtypeStruct((), jnp.int32), SHAPE)
    for which, expected in ((1, np.ones_like(A)), (3, 3 * A * A)):
        np.testing.assert_allclose(step(np.int32(which), A), expected, rtol=1e-6)


def test_reductions_over_an_axis_that_vmap_has_named(tmp_path):
    def fn(x):
        def each(row):
            return row - jax.lax.pmean(row, 'rows'), jax.lax.pmax(row, 'rows'), jax.lax.pmin(row * jax.lax.axis_index('rows'), 'rows'), jax.lax.psum(1, 'rows')
        return jax.vmap(each, axis_name='rows', out_axes=(0, None, None, None))(x)
    made = exported(tmp_path, fn, SHAPE)(A)
    for value, expected in zip(made, (A - A.mean(0), A.max(0), (A * np.arange(8)[:, None]).min(0), 8)):
        np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6)


def test_a_library_that_takes_the_place_of_a_loaded_one(tmp_path):
    first, second = (exported(tmp_path, fn, SHAPE) for fn in (lambda x: x + 1, lambda x: x * 2))
    np.testing.assert_array_equal(first(A), A + 1)
    np.testing.assert_array_equal(second(A), A * 2)
    again = pallasc.load(tmp_path / 'step.so').step
    np.testing.assert_array_equal(again(A), A * 2)


def test_complex_numbers(tmp_path):
    """Inside of the function: Fourier transforms, constants, products, control flow, scatters, sorting and gradients."""
    def fn(x):
        spectrum = jnp.fft.rfft(x)
        z = x[:, :8] + 1j * x[:, 8:16]
        turned, rows = jax.lax.scan(lambda c, r: (c * (0.9 + 0.1j) + r, c.real), jnp.zeros(8, jnp.complex64), z)
        power = jax.grad(lambda x: (jnp.abs(jnp.fft.rfft(x)) ** 2).sum())(x)
        return (jnp.abs(spectrum), jnp.fft.irfft(spectrum * jnp.conj(spectrum[::-1])), turned.imag, rows, power, (z @ z.T).imag, jnp.sort(z, 1).imag,
                z.at[jnp.array([1, 3])].set(2j).imag, z.at[:, 1:3].multiply(2j).real, jnp.cumprod(z, 0).real, z.prod(1).imag,
                jnp.convolve(z[0], z[1]).imag, jax.lax.cond(x[0, 0] > 0, lambda z: z * 1j, lambda z: z, z).imag)
    for got, want in zip(exported(tmp_path, fn, SHAPE)(A), jax.jit(fn)(A)):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4 * np.abs(want).max())


def test_complex_matrices(tmp_path):
    def fn(x):
        z = x[:, :8] + 1j * x[:, 8:16]
        w = jax.scipy.linalg.solve_triangular(z + 8 * jnp.eye(8), z.T, trans='C', lower=True)
        sign, size = jnp.linalg.slogdet(z)
        solved = jnp.linalg.solve(jnp.stack([z, z.T]), jnp.stack([z[:, :2], z[:, 1:3]]))
        return solved.real, solved.imag, jnp.linalg.inv(z).imag, w.imag, sign.imag, size, jax.scipy.linalg.lu_factor(z)[1]
    for got, want in zip(exported(tmp_path, fn, SHAPE)(A), jax.jit(fn)(A)):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4 * np.abs(want).max())


def test_symmetric_products(tmp_path):
    fn = lambda a, c: jax.lax.linalg.symmetric_product(a, c, alpha=2.0, beta=0.5)
    a, c = A[:, :4].copy(), B[:, :8].copy()
    np.testing.assert_allclose(exported(tmp_path, fn, a, c)(a, c), 2 * a @ a.T + 0.5 * c, rtol=1e-5, atol=1e-5)


def test_matrices_that_are_not_symmetric(tmp_path):
    def fn(x):
        a = x[:, :8]
        b = a @ a.T + jnp.eye(8)
        linalg, of_scipy = jax.lax.linalg, jax.scipy.linalg
        w, v = jnp.linalg.eig(a)
        return (w.real, w.imag, jnp.abs(v), *of_scipy.schur(a), jnp.abs(of_scipy.schur(a, 'complex')[0]), of_scipy.sqrtm(b).real, of_scipy.funm(a, jnp.exp).real,
                of_scipy.solve_sylvester(a, b, a), *linalg.hessenberg(a), *linalg.tridiagonal(b), *linalg.qr(a, pivoting=True), linalg.householder_product(a, a[0]),
                *of_scipy.qr_multiply(a, b), linalg.cholesky_update(jnp.triu(b), a[0]), jnp.sort(jnp.roots(a[0], strip_zeros=False).real),
                jnp.abs(of_scipy.eigh_tridiagonal(a[0], a[1, 1:])[1]))
    for got, want in zip(exported(tmp_path, fn, SHAPE)(A), jax.jit(fn)(A)):
        np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-4 * np.abs(want).max())


def test_complex_results(tmp_path):
    try:
        exported(tmp_path, lambda x: (x, x * 1j), SHAPE)
    except TypeError as error:
        assert "result 1 of the entry 'step' is complex" in str(error) and 'return its .real and its .imag' in str(error), error
    else:
        raise AssertionError('a complex result was taken')


def test_products_whose_blocks_share_scales(tmp_path):
    def fn(a, b):
        scales = (jnp.full((8, 4), 0.5) * (1 + jnp.arange(4))).astype(jnp.float8_e8m0fnu)
        numbers = (((1,), (1,)), ((), ()))
        return jax.lax.scaled_dot(a.astype(jnp.float8_e4m3fn), b.astype(jnp.float8_e4m3fn), lhs_scale=scales, dimension_numbers=numbers,
                                  preferred_element_type=jnp.float32)
    np.testing.assert_allclose(exported(tmp_path, fn, SHAPE, SHAPE)(A, B), jax.jit(fn)(A, B), rtol=1e-5, atol=1e-4)


def test_what_beginners_give(tmp_path):
    spec = jax.ShapeDtypeStruct((8, 128), jnp.float32)

    def scaled(by, x):
        return by * x

    pallasc.jax.export(functools.partial(scaled, 2.0), spec, out=tmp_path / "scaled.o", header=tmp_path / "scaled.h")
    assert "prt_status scaled(" in (tmp_path / "scaled.h").read_text()
    try:
        pallasc.jax.export(scaled, spec, spec, out="never.o", options="-g")
    except TypeError as error:
        assert "options are a list of texts" in str(error)
        return
    raise AssertionError("no TypeError")
