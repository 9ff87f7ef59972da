# Updates of elements by every mode, functions on elements that an index names twice, and what jnp.put, take and the grids do with indices.
import jax
import jax.numpy as jnp

x = jnp.arange(6.0)
places = jnp.array([0, 7, -1, -9, 2])
for op in ("set", "add", "apply"):
    value = (lambda v: v * v - 3) if op == "apply" else 9.0
    for from_end in (True, False):
        for mode in (None, "clip", "drop"):
            print(op, from_end, mode, getattr(x.at[places], op)(value, mode=mode, wrap_negative_indices=from_end))
print(x.at[jnp.array([1, 1, 2, 1])].apply(lambda v: v * 2 + 1))
print(jnp.arange(12).reshape(3, 4).at[jnp.array([0, 0]), 1:3].apply(lambda v: v + 10))
print(jax.jit(lambda i: x.at[i].apply(jnp.exp2))(jnp.array([3, 3, 5])))
print(x.at[jnp.array([0, 7])].get(mode=None, fill_value=-5.0), x.at[jnp.array([0, 7])].get(mode="fill", fill_value=-5.0))

m = jnp.arange(12).reshape(3, 4)
for mode in (None, "clip", "wrap"):
    print(mode, jnp.put(m, jnp.array([0, 20, 30]), -1, mode=mode, inplace=False).ravel())
for mode in ("drop", "bogus"):
    try:
        jnp.take(x, jnp.array([0]), mode=mode)
    except ValueError as error:
        print(error)
print(jnp.argsort(jnp.array([1, 2, 1, 2]), descending=True), jnp.argsort(jnp.array([1, 2, 1, 2]), descending=True, stable=False))
print(jnp.mgrid[0:1:5j, 0:2].tolist(), [(g.dtype.name, g.tolist()) for g in jnp.ogrid[0:1:3j, 0:2]])
print(jnp.array([x[:3], [1, 2, 3]]), jnp.array([(x[0], 2), x[:2]]).dtype, jnp.array([[[1, 2], m[0, :2]], m[1:, 2:]]).tolist())
for call in (lambda: jnp.reshape(m, (4, 3), order="A"), lambda: jnp.array([[1], [1, 2]])):
    try:
        call()
    except (NotImplementedError, ValueError) as error:
        print(type(error).__name__)
try:
    jax.jit(lambda r: jnp.repeat(x[:3], r))(jnp.array([1, 0, 2]))
except jax.errors.ConcretizationTypeError as error:
    print(str(error)[:76])
