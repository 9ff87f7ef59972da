# Indices of a type that does not hold the extent of what they index: they count all the same.
import jax
import jax.numpy as jnp

for n in (128, 129, 200, 256, 300):
    x = jnp.arange(n, dtype=jnp.int32) * 2
    for dtype in (jnp.int8, jnp.uint8, jnp.int16):
        i = jnp.array([0, 1, 5, 100, 127], dtype)
        print(n, i.dtype, jnp.take(x, i, mode="clip"), jnp.take(x.reshape(1, n), i, axis=-1, mode="clip")[0, -1], jax.vmap(lambda j: jnp.take(x, j, mode="clip"))(i)[4])
        print([jnp.roll(x, s)[:3].tolist() for s in i], jnp.roll(x.reshape(n, 1), i[3], 0)[0])
    print(jnp.take(x, jnp.array([-1, -128, 127], jnp.int8), mode="clip"))
u = jnp.array([0, 1, 127, 199], jnp.uint8)
print(jnp.unravel_index(u, (3, 200)), jnp.unravel_index(u, (100, 200)))
for dims, dtype in (((200, 200), None), ((200, 200), jnp.int32), ((10, 20), None)):
    try:
        flat = jnp.ravel_multi_index((u, u), dims, mode="clip", dtype=dtype)
        print(flat, flat.dtype)
    except ValueError as error:
        print(error)
print(jnp.ravel_multi_index((jnp.array([1, 9]), jnp.array([2, 9], jnp.int16)), (4, 5), mode="ignore"))
print(jnp.put(jnp.zeros(200, jnp.int32), u, 7, mode="clip", inplace=False)[jnp.array([1, 2, 199])])
