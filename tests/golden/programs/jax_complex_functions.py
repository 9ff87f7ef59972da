# Functions of complex numbers: inverse circular and hyperbolic ones, truth values, sums of exponentials, polynomials.
import jax.numpy as jnp
import numpy as np

z = jnp.array([0.5 + 0.25j, -1.5 + 0.5j, 2 - 3j, -0.1 - 0.2j, 0.75j, 3 + 0.5j], jnp.complex64)
w = jnp.array([1 - 1j, 0.5j, -2 + 1j, 3 + 0j, 0j, 1e-3 + 1j], jnp.complex64)


def shown(values):
    return [f"{a.real:.3f}{a.imag:+.3f}j" if np.iscomplexobj(a) else str(a) for a in np.asarray(values) + 0]


for name in "arcsin arccos arctan arcsinh arccosh arctanh deg2rad rad2deg sinc logical_not".split():
    print(name, shown(getattr(jnp, name)(z)))
for name in "arctan2 logaddexp logaddexp2 fmax fmin float_power logical_and logical_or logical_xor".split():
    print(name, shown(getattr(jnp, name)(z, w)))
print(shown(jnp.polyval(z, w)), jnp.arcsin(z).dtype)
