# What pmap gives away: the arguments of donate_argnums, all leaves of each, and no others; and one inside another is refused.
import jax, jax.numpy as jnp


def tried(call):
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, str(e).split(",")[0])


def refused(call):
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__)


x, y = jnp.ones((1, 4)), jnp.ones((1, 4))
print(jax.pmap(lambda a, b: a + b, donate_argnums=(0,))(x, y), x.is_deleted(), y.is_deleted())
x = jnp.ones((1, 4))
tree = {"a": jnp.ones((1, 2)), "b": jnp.ones((1, 2))}
scaled = jax.pmap(lambda n, a, d: jax.tree.map(lambda leaf: leaf * n + a.sum(), d), static_broadcasted_argnums=0, donate_argnums=2)
print(scaled(3, x, tree), x.is_deleted(), {name: leaf.is_deleted() for name, leaf in tree.items()})
print(jax.pmap(lambda a, b: (a, b), donate_argnums=5)(x, y)[0], x.is_deleted())
tried(lambda: jax.pmap(lambda a, b: a, static_broadcasted_argnums=0, donate_argnums=0)(1, x))
tried(lambda: jax.pmap(lambda a: a, donate_argnums="q")(x))
tried(lambda: jax.pmap(lambda a: a, global_arg_shapes=0)(x))
refused(lambda: jax.pmap(jax.pmap(lambda a: a + 1))(jnp.ones((1, 1))))
refused(lambda: jax.pmap(jax.pmap(lambda a: a + 1, axis_name="j"), axis_name="i")(jnp.ones((1, 1))))
