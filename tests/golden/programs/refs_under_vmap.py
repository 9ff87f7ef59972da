# SPDX-License-Identifier: Apache-2.0
# jax.vmap of functions that are given refs, in kernels and outside: each element has its own part of them.
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl


def call(kernel, out, *args):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(out, jnp.float32), interpret=True)(*args)


def show(name, make):
    try:
        print(name, np.asarray(make()).tolist())
    except Exception as e:
        print(name, type(e).__name__, str(e).splitlines()[0])


x = jnp.arange(12.0).reshape(3, 4)


def double(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2


def sums(x_ref):
    return x_ref[...].sum(), x_ref[0]


def in_pairs(refs, scale):
    a, b = refs
    b[...] += a[...] * scale


show("whole", lambda: call(lambda a, o: jax.vmap(double)(a, o), (3, 4), x))
show("columns", lambda: call(lambda a, o: jax.vmap(double, in_axes=(1, 1))(a, o), (3, 4), x))
show("last", lambda: call(lambda a, o: jax.vmap(double, in_axes=(-1, -1))(a, o), (3, 4), x))


def with_results(a, o):
    total, first = jax.vmap(sums)(a)
    o[:, 0], o[:, 1] = total, first


show("results", lambda: call(with_results, (3, 2), x))


def mixed(a, scale, o):
    o[...] = jnp.ones_like(o)
    jax.vmap(in_pairs, in_axes=((0, 0), 0))((a, o), scale[...])


show("mixed", lambda: call(mixed, (3, 4), x, jnp.array([1.0, 10.0, 100.0])))


def shared(row, o):
    jax.vmap(double, in_axes=(None, 0))(row, o)


show("shared", lambda: call(shared, (3, 4), x[1]))


def nested(a, o):
    jax.vmap(jax.vmap(lambda r, s: s.__setitem__(..., r[...] + 1)))(a, o)


show("nested", lambda: call(nested, (3, 4), x))


@jax.jit
def outside(x):
    source, target = jax.new_ref(x), jax.new_ref(jnp.zeros((3, 4)))
    jax.vmap(double)(source, target)
    return target[...]


show("outside", lambda: outside(x))
show("sizes", lambda: jax.vmap(double)(jax.new_ref(x), jax.new_ref(x[:2])))
show("no axis", lambda: jax.vmap(double, in_axes=(2, 0))(jax.new_ref(x), jax.new_ref(x)))
