# What a statement gives is the same whether it is interpreted, as the first times that it comes are, or compiled, as the later ones: sums in
# own: the order of sums is pallasc's (docs/numbers.md).
# the same order, products rounded before they are added, subnormal numbers and signs of zeros.
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(3)


def data(shape, kind):
    x = rng.standard_normal(shape).astype(np.float32)
    x = x * np.float32(1e-38) if kind == "small" else x
    return jnp.asarray(np.where(rng.random(shape) < 0.3, np.float32(-0.0), x).astype(np.float32) if kind == "zeros" else x)


statements = {
    "sum": lambda x, y: jnp.sum(x),
    "sum of products": lambda x, y: jnp.sum(x * y, axis=-1),
    "of the first": lambda x, y: (x * y + x).sum(0),
    "product": lambda x, y: jnp.prod(x, axis=-1),
    "mean": lambda x, y: jnp.mean(x * 3 - y),
    "norm": lambda x, y: jnp.sqrt(jnp.sum(x * x)),
    "cumulative": lambda x, y: jnp.cumsum(x, axis=-1) + jax.lax.cummax(y, axis=0),
    "largest": lambda x, y: jnp.max(x) - jnp.min(y, axis=-1) * jnp.argmax(x),
    "chosen": lambda x, y: jnp.where(x > 0, x * y, y - x).sum(axis=-1, keepdims=True) * x,
}
for name, statement in statements.items():
    different = 0
    for shape in [(5,), (65,), (333,), (3, 70), (17, 2, 9)]:
        for kind in ["plain", "small", "zeros"]:
            x, y = data(shape, kind), data(shape, kind)
            times = [np.asarray(statement(x, y)).tobytes() for _ in range(12)]
            different += times.count(times[-1]) != len(times)
    print(name, different, float(statement(x, y).reshape(-1)[-1]))
