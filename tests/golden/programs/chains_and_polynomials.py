# Chains of products in the order with the fewest multiplications; polynomials of their zeros and of many coefficients.
import jax, jax.numpy as jnp, numpy as np


def outcome(function, *args):
    try:
        print(np.round(np.asarray(function(*args)), 3).tolist())
    except Exception as error:
        print(type(error).__name__, str(error)[:70])


x, y, z = jnp.ones((200, 5)), jnp.ones((5, 100)), jnp.ones((100, 10))
print(jax.jit(jnp.linalg.multi_dot).lower([x, y, z]).cost_analysis()["flops"], float(jnp.linalg.multi_dot([x, y, z])[3, 4]))
a, b = jnp.arange(12.0).reshape(3, 4), jnp.arange(20.0).reshape(4, 5)
for chain in ([a, b, jnp.ones((5, 2)), jnp.ones(2)], [jnp.ones(3), a, b], [jnp.ones(3), jnp.ones(3)], [a, a], [a, jnp.ones((4, 2, 2))]):
    outcome(jnp.linalg.multi_dot, chain)
for zeros in (jnp.array([1, 2, 3]), jnp.array([0.5]), 1, jnp.zeros(0), jnp.zeros((2, 3))):
    outcome(jnp.poly, zeros)
outcome(jnp.polyval, jnp.arange(40.0) / 100, jnp.array([0.5, 1.0])), outcome(jnp.polyval, jnp.array([1, 2, 3]), jnp.array([2, 5])), outcome(jnp.polyval, jnp.zeros(0), 2.0)
