# What a traced function recorded before it raised never happens: neither before it runs again as calls of the host, nor else.
import jax, jax.numpy as jnp, numpy as np
sd = jax.ShapeDtypeStruct((), jnp.float32)
r = jax.new_ref(jnp.float32(0.0))
def f(x):
    r[...] += 1.0
    jax.debug.print("before {}", x)
    y = jax.pure_callback(lambda a: np.asarray(a) * 2, sd, x, vmap_method="sequential")
    return y + r[...]
g = jax.jit(f)
print(g(1.0)); print(r[...])
print(g(1.0)); print(r[...])
def h(x):
    jax.debug.print("mapped {}", x)
    return jax.pure_callback(lambda a: np.asarray(a) * 2, sd, x, vmap_method="sequential")
print(jax.vmap(h)(jnp.arange(2.0)))
@jax.jit
def fails(x):
    r[...] += 10.0
    jax.debug.print("never {}", x)
    raise KeyError("x")
try:
    fails(1.0)
except KeyError:
    print("caught")
print(r[...])
q = jax.new_ref(jnp.zeros(3))
@jax.jit
def k(x):
    q[1] = x
    s = jax.new_ref(x)
    s[...] *= 3
    jax.pure_callback(lambda a: np.asarray(a) * 2, sd, x)
    q[2] = s[...] + q[2]
k(2.0); k(2.0)
print(q[...])
