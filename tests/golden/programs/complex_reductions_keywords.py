# Keywords of reductions and sorts of complex arrays: each does what it says, or is refused.
import jax.numpy as jnp

x = jnp.array([3 + 1j, 1 - 2j, 2 + 0j, 1 + 5j])


def say(name, function):
    try:
        value = function()
        print(name, value.dtype, [complex(v) if jnp.iscomplexobj(v) else round(float(v), 4) for v in value.ravel()])
    except Exception as error:
        print(name, type(error).__name__, str(error).rstrip("."))


say("var correction", lambda: jnp.var(x, correction=1))
say("var mean", lambda: jnp.var(x, mean=jnp.array([1.0 + 0j])))
say("std correction", lambda: jnp.std(x.reshape(2, 2), axis=1, correction=1))
say("prod dtype", lambda: jnp.prod(x, dtype=jnp.float32))
say("prod axis", lambda: jnp.prod(x.reshape(2, 2), axis=0, dtype=jnp.complex64))
say("cumprod dtype", lambda: jnp.cumprod(x, dtype=jnp.float32))
for name in ("max", "min", "prod", "cumprod", "var", "ptp"):
    say(name + " out", lambda: getattr(jnp, name)(x, out=x))
say("sort order", lambda: jnp.sort(x, order="a"))
say("sort kind", lambda: jnp.sort(x, kind="quicksort"))
say("argsort kind", lambda: jnp.argsort(x, kind="quicksort"))
y = jnp.array([[1, 1j, 1], [2 - 1j, 1, 1j]])
say("argsort descending", lambda: jnp.argsort(y, descending=True))
say("argsort descending of axis 0", lambda: jnp.argsort(y, 0, descending=True))
say("argsort descending, not stable", lambda: jnp.argsort(y, None, stable=False, descending=True).sum())
