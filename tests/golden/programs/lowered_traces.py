# jit(f).lower traces f once: what is wrong with it is reported there, and what is called afterwards is what was traced.
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

offset = jnp.arange(100.0)
traces = []


@jax.jit
def step(params, x):
    traces.append(x.shape)
    return {"y": x * params["w"] + offset[: x.shape[0]], "same": params["w"], "three": 3, "known": offset}


params = {"w": jnp.full(4, 2.0)}
lowered = step.lower(params, jnp.arange(4.0))
print(traces)
compiled = lowered.compile()
print(jax.tree.map(lambda x: (x.shape, str(x.dtype)), compiled.out_info), len(lowered.as_text()) > 0, compiled.memory_analysis().argument_size_in_bytes)
print(compiled(params, jnp.arange(4.0))["y"], compiled({"w": jnp.ones(4)}, jnp.ones(4))["y"], traces)
out = step(params, jnp.zeros(4))
print(out["y"], out["same"], out["three"], out["three"].weak_type, out["known"][-1], traces)
print(step(params, jnp.zeros((1,)))["y"].shape, len(traces))

# Nothing of it happens when it is lowered.
@partial(jax.jit, static_argnames=("n", "scale"))
def shown(x, n, *, scale=1.0):
    traces.append(n)
    jax.debug.print("runs with {}", x[0])
    return jax.lax.fori_loop(0, n, lambda i, c: c + x * scale, jnp.zeros_like(x)), jnp.sum(x)


traces.clear()
big = jax.ShapeDtypeStruct((8,), jnp.float32)
made = shown.lower(big, 3, scale=2.0).compile()
print("lowered", traces)
print(made(jnp.ones(8)), traces)
print(shown(jnp.ones(8), 3, scale=2.0)[1], traces)
print(shown(jnp.ones(8), n=2)[1], traces)


# Keys, weak types, kernels.
@jax.jit
def drawn(key, x, n):
    traces.append("drawn")

    def kernel(x_ref, out_ref):
        out_ref[...] = x_ref[...] + 1
    y = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)
    return jax.random.fold_in(key, n), y, n + 1


traces.clear()
key = jax.random.key(3)
made = drawn.lower(key, jnp.ones((8, 128)), 2).compile()
given, y, n = made(key, jnp.ones((8, 128)), 5)
print(jax.random.key_data(given), y.sum(), n, n.weak_type, traces)
given, y, n = drawn(key, jnp.zeros((8, 128)), 6)
print(jax.random.key_data(given), y.sum(), n, n.weak_type, traces)
print(jax.random.uniform(given), drawn.trace(key, np.ones((16, 128), np.float32), 1).out_info[1].shape, traces)


# Mistakes are the tracing's.
@jax.jit
def wrong(x):
    if x > 0:
        return x
    return x @ jnp.ones((3, 3))


for f in wrong.lower, wrong.trace:
    try:
        f(jnp.float32(1))
    except jax.errors.TracerBoolConversionError as error:
        print(type(error).__name__)
try:
    jax.jit(lambda x: "text").lower(1.0)
except TypeError as error:
    print(str(error).split(" traced")[0].split(" at ")[0][:8])
try:
    jax.jit(lambda x: x).lower("text")
except TypeError as error:
    print(type(error).__name__)
print(jax.jit(lambda x: x)(jnp.arange(3)), jax.jit(lambda: 7).lower().compile()())


# Under other functions, and again after a mistake.
@jax.jit
def outer(x):
    inner = jax.jit(lambda y: y * 2)
    return x + inner.lower(x).out_info.shape[0]


print(outer(jnp.zeros(3)))
lowered = jax.jit(lambda x: x.sum()).lower(offset)
later = offset * 2
print(lowered.compile()(later), later.sum(), lowered.compile()(offset))
donating = jax.jit(lambda x: x + 1, donate_argnums=0).lower(offset)
print(offset.is_deleted())

# What has been called is not replaced by what is lowered later.
scale = 2.0
scaled = jax.jit(lambda x: x * scale)
print(scaled(offset)[1])
scale = 3.0
print(scaled.lower(offset).compile()(offset)[1], scaled(offset)[1])
