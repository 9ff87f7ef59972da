# cmd: run {} --devices 4
# One sharding for all arguments of a jitted function must fit each of them that is traced.
from functools import partial
import jax, jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("a",))


def told(f, *args):
    try:
        print(jax.jit(f, in_shardings=NamedSharding(mesh, P("a")))(*args))
    except ValueError:
        print("refused")


told(lambda x: x * 2, jnp.arange(8.0))
told(lambda x: x * 2, jnp.arange(6.0))
told(lambda x, y: x + y, jnp.arange(8.0), jnp.float32(1))
told(lambda tree: tree["a"] + 1, {"a": jnp.arange(4.0)})


@partial(jax.jit, static_argnums=1, in_shardings=NamedSharding(mesh, P("a", None)))
def scaled(x, n):
    return x * n


print(scaled(jnp.ones((4, 2)), 3))
try:
    scaled(jnp.ones(4), 3)
except ValueError:
    print("refused")
