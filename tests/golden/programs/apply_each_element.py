# x.at[index].apply(f) calls f for one element at a time, whatever the index is; what f gives must have the element's type.
import jax
import jax.numpy as jnp

x, m = jnp.arange(6.0), jnp.arange(12.0).reshape(3, 4)
print(m.at[0:1].apply(lambda v: v - v.mean() + v.size).tolist())
print(m.at[1].apply(lambda v: v * v.sum()).tolist(), m.at[1, ::2].apply(lambda v: v + v.ndim).tolist())
print(m.at[1, 2].apply(lambda v: v.reshape(1).sum() * 3).tolist(), m.at[..., None].apply(lambda v: v.max() + 1).tolist())
print(m.at[5].apply(lambda v: v + 1).tolist(), m.at[-1].apply(lambda v: v + 1).tolist())
print(m.at[-1].apply(lambda v: v + 1, mode="clip", wrap_negative_indices=False).tolist())
print(jax.jit(lambda a, i: a.at[i, 1:3].apply(lambda v: v - v.sum() + 1))(m, 2).tolist())
print(x.at[2].apply(lambda v: 5.0), jnp.arange(3).at[1:].apply(lambda v: v // v.size * 2))
for index in (1, jnp.array([1, 1]), slice(0, 2)):
    for f in (lambda v: v.astype(int), lambda v: jnp.stack([v, v]), lambda v: 5, lambda v: None, lambda v: (v, v)):
        try:
            print(x.at[index].apply(f))
        except ValueError as error:
            print("ValueError")
