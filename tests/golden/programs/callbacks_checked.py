# What a callback gives must be what was promised of it, shape and type; what it raises is reported.
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import io_callback


def tried(call):
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, str(e).strip().split("\n")[-1].split("RuntimeError: ")[-1])


def give(value, *shape_and_dtype):
    for callback in (jax.pure_callback, io_callback):
        tried(lambda: callback(lambda: value, jax.ShapeDtypeStruct(*shape_and_dtype)))


give(np.arange(3.0) + 0.5, (3,), jnp.int32)
give(np.arange(3), (3,), jnp.float32)
give(np.arange(3) > 1, (3,), jnp.int32)
give(np.arange(3.0), (3,), jnp.bool_)
give(np.arange(3), (3,), jnp.int8)
give(np.arange(3, dtype="u1"), (3,), jnp.int32)
give(np.arange(3.0), (3,), jnp.bfloat16)
give(np.arange(3, dtype=np.float16), (3,), jnp.float32)
give(np.arange(3), (3,), jnp.uint32)
give(np.arange(2.0), (3,), jnp.float32)
give(1.5, (), jnp.int32)
give([1, 2, 3], (3,), jnp.int32)
give(np.arange(3.0), (3,), np.float64)
# What is of the same type once it is narrowed:
give(np.arange(3), (3,), jnp.int32)
give(np.arange(3.0), (3,), jnp.float32)
give(jnp.arange(3.0, dtype=jnp.bfloat16), (3,), jnp.bfloat16)
give(1, (), jnp.int32)
pair = (jax.ShapeDtypeStruct((), jnp.int32),) * 2
tried(lambda: jax.pure_callback(lambda: (1, 2), pair))
tried(lambda: jax.pure_callback(lambda: (1, 2.5), pair))
tried(lambda: jax.pure_callback(lambda: (1, 2, 3), pair))


def fail(*args):
    raise KeyError("of the callback")


for args in ((), (1,), (jnp.ones(2),)):
    tried(lambda: jax.debug.callback(fail, *args))
