# Names and defaults that programs look at: comments of functions, implementations of keys, what vectorize is of.
import inspect
import jax
import jax.numpy as jnp


# Of the function,
# in two lines.
def documented():
    pass


class Outer:
    # of a method
    def method(self):
        pass

    def plain(self):
        pass


print([inspect.getcomments(f) for f in (documented, Outer.method, Outer.plain, Outer, len)])
print(inspect.getcomments(inspect.getmodule(documented)))
with jax.default_prng_impl("rbg"):
    key = jax.random.key(3)
    print(key.dtype, jax.random.key_data(key), jax.random.PRNGKey(3), jax.random.key_impl(jax.random.PRNGKey(1)))
    print(jax.random.bits(jax.random.PRNGKey(3), (2,)), jax.random.wrap_key_data(jax.random.PRNGKey(3)).dtype)
print(jax.random.key(3).dtype)


@jnp.vectorize
def added(a, b):
    """A sum."""
    return a + b


print(added.__name__, added.__doc__)
dot = jnp.vectorize(lambda a, b, s: s * jnp.dot(a, b), signature="(n),(n)->()", excluded={2})
for f in (lambda: dot(jnp.ones((3, 4)), jnp.ones((3, 5)), 1.0), lambda: jax.random.normal(3), lambda: jax.random.key(1) + 1, lambda: jnp.asarray(2 ** 40)):
    try:
        f()
    except Exception as error:
        print(type(error).__name__, error)
print(jax.Array, jax.Array.__module__, jax.Array.__name__)
