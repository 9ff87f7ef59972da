# What is wrong with a kernel, or a call of one, is said in JAX's words first.
# own: hints stand behind JAX's words
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

x = jnp.ones((8, 128))


def tell(what, call):
    try:
        print(what, call())
    except Exception as error:
        print(what, type(error).__name__, str(error).split("\n")[0])


def kernel(store):
    def body(x_ref, o_ref):
        o_ref[...] = store(x_ref)
    return lambda: pl.pallas_call(body, out_shape=x, interpret=True)(x)


def copy(x_ref, o_ref):
    o_ref[...] = x_ref[...]


tell("iterated", kernel(lambda ref: sum(ref)))
tell("a ref for an array", kernel(lambda ref: jnp.sin(ref)))
tell("another", kernel(lambda ref: jnp.where(True, ref, 0)))
tell("text stored", kernel(lambda ref: "a"))
tell("slice", kernel(lambda ref: ref[ref[0, 0].astype(jnp.int32):]))
tell("no kernel", lambda: pl.pallas_call(None, out_shape=x))
tell("text", lambda: pl.pallas_call(copy, out_shape=x)("a"))
tell("object", lambda: pl.pallas_call(copy, out_shape=x)([x, object()]))
