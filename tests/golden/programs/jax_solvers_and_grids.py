# jax.scipy: systems of equations solved in steps, nearest codes, values between those on a grid; operands and shapes that are refused.
import jax
import jax.numpy as jnp
from jax.scipy.cluster.vq import vq
from jax.scipy.interpolate import RegularGridInterpolator
from jax.scipy.sparse.linalg import bicgstab, cg, gmres


def shown(x):
    return jax.tree.map(lambda leaf: (str(leaf.dtype), [round(v, 3) + 0.0 for v in leaf.astype(float).ravel().tolist()], leaf.shape), x)


A = jnp.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 5]])
B = jnp.array([[4.0, 1, 0], [2, 3, 1], [0, 1, 5]])
b = jnp.array([1.0, 2, 3])
for solve, matrix in ((cg, A), (bicgstab, B), (gmres, B)):
    print(solve.__name__, shown(solve(matrix, b)), shown(solve(lambda x: matrix @ x, b, x0=b, tol=1e-6)[0]))
    print(shown(jax.jit(lambda b: solve(matrix, b, M=jnp.diag(1 / jnp.diag(matrix)))[0])(b)))
    print(shown(solve(lambda x: {"a": 2 * x["a"], "b": 3 * x["b"]}, {"a": jnp.ones(2), "b": jnp.ones((2, 2))})[0]))
print(shown(cg(A, b, maxiter=1)[0]), shown(gmres(B, b, restart=2, solve_method="incremental")[0]))

print(shown(vq(jnp.arange(12.0).reshape(6, 2), jnp.array([[1.0, 2], [7, 9]]))), shown(vq(jnp.arange(4.0), jnp.array([1.0, 2.5]))))

axes, values = (jnp.array([0.0, 1, 2]), jnp.array([0.0, 2])), jnp.arange(6.0).reshape(3, 2)
at = jnp.array([[0.5, 1], [1.6, 0.5], [2, 2], [1, 0]])
print(shown(RegularGridInterpolator(axes, values)(at)), shown(RegularGridInterpolator(axes, values, method="nearest")(at)))
print(RegularGridInterpolator(axes, values)(jnp.array([[3.0, 0]])), shown(RegularGridInterpolator(axes, values, fill_value=None)(jnp.array([[3.0, 0]]))))
print(shown(RegularGridInterpolator(axes[:1], values)(jnp.array([[0.25], [1.5]]))), shown(RegularGridInterpolator(axes, values)((jnp.array([0.5, 1]), 1.0))))
print(shown(jnp.polyval(jnp.array([[1.0, 2], [3, 4]]), jnp.array([2.0, 3]))))

for wrong in (lambda: cg(jnp.ones((2, 3)), b), lambda: cg(3.0, b), lambda: cg(A, b, x0=(b,)), lambda: cg(A, b, x0=jnp.ones(2)),
              lambda: gmres(A, b, solve_method="x"), lambda: vq(b, A), lambda: vq(jnp.ones((2, 2, 2)), jnp.ones((2, 2, 2))),
              lambda: RegularGridInterpolator(axes, values, method="cubic"), lambda: RegularGridInterpolator(axes, b), lambda: b + [1, 2, 3],
              lambda: b * (1, 2), lambda: b - {}, lambda: b == {}, lambda: b[1.0], lambda: b[jnp.array(1.0)], lambda: b[[1, 2]], lambda: jnp.block([]),
              lambda: jnp.arange(1j), lambda: jax.vmap(lambda x: x, in_axes=0.5), lambda: jax.jit(lambda n: jnp.zeros(n))(3),
              lambda: jax.jit(lambda n: jnp.broadcast_to(1.0, n))(3), lambda: jax.random.key_data(1)):
    try:
        print("no error", wrong())
    except Exception as error:
        print(type(error).__name__, str(error).partition("\n")[0].partition(". ")[0].partition("; ")[0].rstrip("."))
