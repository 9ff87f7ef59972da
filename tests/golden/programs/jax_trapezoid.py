import jax.scipy.integrate, jax.numpy as jnp
y = jnp.array([0., 1., 4., 9.]); print(jax.scipy.integrate.trapezoid(y), jax.scipy.integrate.trapezoid(y, dx=.5), jax.scipy.integrate.trapezoid(y, jnp.array([0., 2., 3., 5.])), jax.scipy.integrate.trapezoid(jnp.stack([y, y]), axis=0))
