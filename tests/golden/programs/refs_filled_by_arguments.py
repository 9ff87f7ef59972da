# What a compiled function needs beside its arguments and results: a Ref of which an argument fills a part counts whole.
# own: XLA puts elsewhere what it computes
import jax
import jax.numpy as jnp


def fills(x, row):
    ref = jax.new_ref(x + 1)
    ref.at[0][...] = row
    return ref[...].sum()


def fills_a_row(x, row):
    ref = jax.new_ref(x + 1)
    ref[0] = row
    return ref[...].sum()


def keeps(x):
    return jax.new_ref(x)[...] + 1


x = jnp.ones((4, 128))
for f, args in (fills, (x, x[0])), (fills_a_row, (x, x[0])), (keeps, (x,)):
    print(f.__name__, jax.jit(f).lower(*args).compile().memory_analysis().temp_size_in_bytes)
