# Windows count elements alone: not padding, and not what stands between dilated elements, whatever the first value is.
import jax
import jax.numpy as jnp
from jax import lax

x, i = jnp.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0]), jnp.arange(1, 7)
print(lax.reduce_window(x, 5.0, lax.add, (3,), (1,), "SAME"))
print(lax.reduce_window(x, 2.0, lambda a, b: a * b, (3,), (1,), ((2, 1),)))
print(lax.reduce_window(i, 1, lambda a, b: a + b, (2,), (1,), ((1, 1),)))
print(lax.reduce_window(x, 1.0, lax.add, (2,), (1,), "SAME", base_dilation=(2,)))
print(lax.reduce_window(x, 2.0, lax.mul, (2,), (2,), ((1, 1),)), lax.reduce_window(x, 0.0, lax.max, (2,), (2,), ((1, 1),)))
print(lax.reduce_window(i, 3, lax.bitwise_xor, (2,), (2,), ((1, 1),)))
print(lax.reduce_window(x, jnp.float32(1), lax.add, (2,), (1,), ((2, -1),)))
print(jax.jit(lambda a, s: lax.reduce_window(a, s, lax.add, (3,), (2,), "SAME"))(x, 2.0))
print(jax.jit(lambda a: lax.reduce_window(a, jnp.float32(2), lambda p, q: p + q, (3,), (2,), "SAME"))(x))
sums, most = lax.reduce_window((x, i), (1.0, 2), lambda p, q: (p[0] + q[0], jnp.maximum(p[1], q[1])), (2,), (1,), ((1, 1),))
print(sums, most)
k = jnp.ones((1, 1, 2))
for call in (lambda: lax.reduce_window(x, 0.0, lax.add, (0,), (1,), "VALID"), lambda: lax.reduce_window(x, 0.0, lax.add, (2,), (0,), "VALID"),
             lambda: lax.reduce_window(x, 0.0, lax.add, (2,), (-1,), "VALID"),
             lambda: lax.conv(jnp.ones((1, 1, 4)), k, (1,), "VALID", preferred_element_type=jnp.bfloat16),
             lambda: lax.conv_general_dilated_patches(jnp.ones((1, 1, 4)), (2,), (1,), "VALID", preferred_element_type=jnp.int32),
             lambda: lax.conv(jnp.ones((1, 1, 4), int), k.astype(int), (1,), "VALID", preferred_element_type=jnp.uint32),
             lambda: lax.conv(jnp.ones((1, 1, 4), int), k.astype(int), (1,), "VALID", preferred_element_type=jnp.float32).dtype,
             lambda: lax.conv_general_dilated_patches(jnp.ones((1, 1, 4, 4)), (2,), (1,), "VALID")):
    try:
        print(call())
    except TypeError as error:
        print(error)
