# Arrays of complex numbers: what they are made of, arithmetic, functions, products, indices and updates, order, and how they go through
# jit, vmap and control flow. The arrays of two floats for each number that they are made of are not taken for them.
import jax, jax.numpy as jnp, numpy as np
from jax import lax


def told(name, function, *args):
    try:
        value = function(*args)
    except Exception as error:
        return print(name, type(error).__name__)
    for x in jax.tree.leaves(value):
        x = jnp.asarray(x)
        rounded = np.round(np.asarray(x), 3) + 0 if x.dtype != bool else np.asarray(x)
        print(name, x.dtype, x.shape, x.weak_type, rounded.tolist())


z, w = jnp.array([1 + 2j, 3 - 1j, -0.5 + 0.25j, 4j]), jnp.array([2 - 1j, 1j, -1, 0.5 + 0.5j])
x, i, n = jnp.array([1.0, 2.0, -3.0, 0.5]), jnp.arange(4), np.array([1 + 1j, 2, 3j, 4], np.complex64)
m = jnp.arange(12.0).reshape(3, 4) + 1j
print(z, repr(z), repr(z[0]), repr(jnp.asarray(1j)), f"{z[1]:.1f}", m.T.shape, len(m), m.nbytes, isinstance(z, jax.Array))
for symbol, function in (("+", lambda a, b: a + b), ("-", lambda a, b: a - b), ("*", lambda a, b: a * b), ("/", lambda a, b: a / b), ("==", lambda a, b: a == b)):
    for a, b in ((z, w), (z, x), (x, z), (i, z), (z, 2), (z, 1.5j), (2j, x), (n, x), (x.astype(jnp.bfloat16), z), (i, w[0])):
        told(symbol, function, a, b)
told("large divisors", lambda: jnp.array([1e30 + 1e30j]) / jnp.array([1e30 - 1e30j]))
for power in (2, 3, 0, -1, 0.5, 1.5j):
    told("**", lambda: z ** power)
told("0 **", lambda: jnp.zeros(1, jnp.complex64) ** jnp.array([0, 2, 1j]))
for name in "abs real imag conj angle sign exp expm1 log log2 log10 log1p sqrt square reciprocal sin cos tan sinh cosh tanh isnan isfinite any all sum prod mean var std cumsum cumprod max min sort argsort ravel flip nan_to_num".split():
    told(name, getattr(jnp, name), z), told(name, getattr(jnp, name), n)
told("methods", lambda: [m.reshape(2, 6), m.reshape(-1)[0], m.sum(1, keepdims=True), m.mean(0), m.conj().T, m.flatten()[3], m.transpose(1, 0)[0], z.real, z.imag, abs(z), -z, z.view(jnp.float32), z.dot(w)])
told("products", lambda: [m @ m.T, m @ x, jnp.ones((2, 3)) @ m, jnp.vdot(z, w), jnp.inner(z, w), jnp.einsum("ij,kj->ik", m, m), jnp.einsum("i,i,i->", z, w, x), jnp.tensordot(m, z, 1), jnp.convolve(z, x), lax.dot(z, w)])
told("makers", lambda: [jnp.zeros((2,), jnp.complex64), jnp.ones(2, complex), jnp.full((2,), 1j), jnp.eye(2, dtype="complex64"), jnp.linspace(0, 1j, 3), jnp.zeros_like(z), jnp.ones_like(z, dtype=jnp.float32), jnp.array([[1, 2], [3j, 4]]), jnp.complex64(3), lax.complex(x, x)])
told("casts", lambda: [x.astype(jnp.complex64), z.astype(jnp.complex64), lax.convert_element_type(i, jnp.complex64)])
told("shapes", lambda: [jnp.concatenate([x, z]), jnp.stack([z, x]), jnp.where(x > 0, z, 0), jnp.pad(z, 1, constant_values=1j), jnp.roll(z, 1), jnp.take(m, jnp.array([1]), axis=1), jnp.diag(z[:2]), jnp.broadcast_to(z, (2, 4)), lax.dynamic_slice(z, (1,), (2,)), lax.pad(z, jnp.complex64(1j), [(1, 0, 0)])])
told("indices", lambda: [z[1], z[1:3], z[None], z[np.array([2, 0])], z[jnp.array([True, False, True, False])], m[..., 1], m[:, None].shape])
told("updates", lambda: [z.at[1].set(5), z.at[jnp.array([0, 0])].add(w[:2]), z.at[1].multiply(2j), z.at[9].get(mode="fill", fill_value=1j)])
told("solves", lambda: jnp.abs(jnp.linalg.solve(m[:, :3] + 20 * jnp.eye(3), z[:3]) - jnp.linalg.inv(m[:, :3] + 20 * jnp.eye(3)) @ z[:3]) < 1e-5)
told("norms", lambda: [jnp.linalg.norm(z), jnp.linalg.norm(m), jnp.allclose(z, z + 1e-9), jnp.array_equal(z, w)])
print(jnp.result_type(jnp.bfloat16, jnp.complex64), jnp.promote_types(jnp.int32, jnp.complex64), jnp.result_type(x, 1j), jnp.isdtype(z.dtype, "complex floating"), jnp.can_cast(jnp.float32, jnp.complex64))

f = jax.jit(lambda a: a * a)
told("jit", lambda: [f(z), f(jnp.stack([x, x], -1)), f(w), f(n), f(2j), jax.jit(lambda: 1j)()])
told("vmap", lambda: [jax.vmap(lambda a, b: a * b)(z, x), jax.vmap(jnp.sum, in_axes=-1)(m), jax.vmap(lambda r: r * 2, out_axes=-1)(m), jax.vmap(jnp.vdot)(m, m), jax.vmap(lambda a, b: a + b, (0, None))(n, 1j)])
told("loops", lambda: [lax.scan(lambda c, a: (c * a + 1, c), jnp.complex64(1), z), lax.fori_loop(0, 4, lambda k, c: c * 1j + z[k], jnp.complex64(0)), lax.while_loop(lambda c: jnp.abs(c) < 99, lambda c: c * (1 + 1j), jnp.complex64(1))])
told("branches", lambda: [lax.cond(x[0] > 0, lambda a: a * 2, lambda a: a, z), lax.switch(1, [jnp.conj, lambda a: a * 3], z), lax.map(lambda a: a * 2, z), lax.associative_scan(jnp.multiply, z)])
print(jax.eval_shape(lambda a: a * 2, jax.ShapeDtypeStruct((3, 4), jnp.complex64)), len(jax.tree.leaves([z, {"a": w}])), z.aval)
told("to real", lax.cond, x[0] > 0, lambda a: a, lambda a: a.real, z)
for name in "floor argmax median clip".split():
    told(name, getattr(jnp, name), z)
told("lax", lax.add, z, x), told("//", lambda: z // 2), told("None", lambda: z + None), told("hash", hash, z), told("float32 of int", lax.complex, i, i)
told("normal", lambda: jax.random.normal(jax.random.key(0), (3,), jnp.complex64))
