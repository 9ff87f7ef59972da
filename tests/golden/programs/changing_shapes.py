# Arrays whose shapes change from round to round: what is computed of them the first time, when it may be interpreted, and when it comes
# again, when it is compiled, has the same bits.
import jax
import jax.numpy as jnp
import numpy as np

data = np.random.RandomState(0).randn(70).astype(np.float32)
ways = [lambda x, n: x[:n] * 3, lambda x, n: x[:n] / 3, lambda x, n: jnp.sqrt(jnp.abs(x[:n])), lambda x, n: x[:n] - x[:n][::-1],
        lambda x, n: jnp.concatenate([x[:n], x[:n // 2]]), lambda x, n: jnp.sort(x[:n]), lambda x, n: jnp.where(x[:n] > 0, x[:n], 7),
        lambda x, n: jnp.maximum(x[:n], jnp.nan), lambda x, n: jnp.floor(x[:n] * 4), lambda x, n: x[:n].astype(jnp.int32),
        lambda x, n: (x[:n] * 1000).astype(jnp.int8), lambda x, n: jnp.cumsum(jnp.arange(n)), lambda x, n: jnp.arange(n) // 3 - jnp.arange(n) % 7,
        lambda x, n: jnp.stack([x[:n], x[:n]]).T, lambda x, n: x[jnp.array([0, n - 1, n + 3, -1])], lambda x, n: x[:n].at[n // 2].set(9),
        lambda x, n: jnp.argsort(x[:n]), lambda x, n: x[:n].max(), lambda x, n: (x[:n] > 0).sum(), lambda x, n: jnp.prod(jnp.arange(1, n + 1)),
        lambda x, n: jnp.array([-0.0, 0.0, jnp.inf, jnp.nan]) * x[n], lambda x, n: jnp.pad(x[:n], (1, 2)), lambda x, n: x[:n].sum(),
        lambda x, n: x[:n] * 2 + 1, lambda x, n: jax.random.randint(jax.random.PRNGKey(n), (3,), 0, 100), lambda x, n: x[:n].astype(jnp.bfloat16),
        lambda x, n: jnp.isfinite(x[:n]), lambda x, n: -x[:n] % 2, lambda x, n: jnp.exp(x[:n]), lambda x, n: jnp.arange(n, dtype=jnp.uint8) << 3]
x = jnp.asarray(data)
for i, way in enumerate(ways):
    for n in (1, 2, 33, 64):
        rounds = {np.asarray(way(x, n)).tobytes() for _ in range(11)}
        assert len(rounds) == 1, (i, n)
    last = way(x, 5)
    print(i, last.dtype, last.shape, np.asarray(last.astype(jnp.float32)).round(3).ravel()[:5])
grown = jnp.zeros(0, jnp.int32)
for n in range(40):
    grown = jnp.concatenate([grown, jnp.arange(n % 3)])
print(grown, len(grown))
