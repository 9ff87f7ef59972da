# Draws of more digits than one word has, arrays of keys joined, and what the special functions of jax.lax take.
import jax
import jax.numpy as jnp
from jax import lax, random

k = random.key(0)
print(random.bernoulli(k, jnp.array([0.1, 0.9, 0.4]), mode="high"), random.bernoulli(k, 0.5, (5,), mode="high"))
print(random.categorical(k, jnp.zeros(3), shape=(5,), mode="high"), random.categorical(k, jnp.zeros(5), shape=(3,), replace=False, mode="high"))
print(random.gumbel(k, (4,), mode="high").round(4), random.gumbel(k, (3,), jnp.bfloat16, mode="high"))
print(random.choice(k, 4, (3,), replace=False, p=jnp.array([0.1, 0.2, 0.3, 0.4]), mode="high"))
for call in (lambda: random.gumbel(k, (2,), mode="higher"), lambda: random.bernoulli(k, 0.5, mode="higher")):
    try:
        call()
    except ValueError as error:
        print(error)

keys = random.split(k, 3)
for joined in (jnp.stack([k, k]), jnp.concatenate([keys, keys[:1]]), jnp.stack([keys, keys], axis=1), jnp.stack([keys, keys], axis=-1), jnp.vstack([keys, keys])):
    print(joined.shape, random.key_data(joined).ravel()[-4:])
try:
    jnp.stack([k, 1])
except ValueError as error:
    print(error)

for call in (lambda: lax.digamma(jnp.array([3])), lambda: lax.digamma(2), lambda: lax.igamma(jnp.ones(2, int), jnp.ones(2, int)),
             lambda: lax.igammac(jnp.ones(2), jnp.ones((2, 2))), lambda: lax.zeta(jnp.array([3]), 2), lambda: lax.polygamma(jnp.ones(2), jnp.ones((2, 2)))):
    try:
        print(call())
    except TypeError as error:
        print(error)
print(lax.igamma(jnp.array([3.0, 1.0]), 2.0).round(4), lax.zeta(3.0, 1.0).round(4))
for call in (lambda n: lax.fori_loop(0, n, lambda i, c: c + i, 0, unroll=2), lambda n: lax.fori_loop(0, n, lambda i, c: c + i, 0, unroll=1)):
    try:
        print(jax.jit(call)(4))
    except ValueError as error:
        print(error)
