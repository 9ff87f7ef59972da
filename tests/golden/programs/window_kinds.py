# Convolutions in groups of the batch, patches, kernels of each place; windows reduced by a function of the program, several arrays at once.
import jax.numpy as jnp
from jax import lax

x, w = jnp.arange(64.0).reshape(4, 2, 2, 4), jnp.arange(32.0).reshape(4, 2, 2, 2)
print(lax.conv_general_dilated(x, w, (1, 1), "SAME", batch_group_count=2).astype(int).tolist())
for options in ({"batch_group_count": 3}, {"batch_group_count": 2, "feature_group_count": 2}, {"lhs_dilation": (2, 1)}):
    try:
        lax.conv_general_dilated(x, w, (1, 1), "SAME", **options)
    except ValueError as error:
        print(str(error).split(",")[0].split(":")[0])

image = jnp.arange(18.0).reshape(1, 2, 3, 3)
print(lax.conv_general_dilated_patches(image, (2, 2), (1, 1), "VALID").astype(int).tolist())
print(lax.conv_general_dilated_patches(image.transpose(0, 2, 3, 1), (2, 1), (1, 2), [(1, 0), (0, 0)], dimension_numbers=("NHWC", "HWIO", "NHWC")).shape)
kernels = jnp.arange(96.0).reshape(3, 8, 2, 2)
print(lax.conv_general_dilated_local(image, kernels, (1, 1), "VALID", (2, 2)).astype(int).tolist())

a = jnp.arange(16.0).reshape(4, 4)
print(lax.reduce_window(a, 0.0, lambda p, q: p + 2 * q, (2, 1), (2, 1), "VALID"))
print(lax.reduce_window(a, 1.0, lambda p, q: jnp.where(q > 4, p * q, p), (2, 2), (2, 2), "SAME"))
sums, most = lax.reduce_window((a, a.astype(int)), (0.0, -1), lambda p, q: (p[0] + q[0], jnp.maximum(p[1], q[1])), (2, 2), (1, 2), "VALID")
print(sums, most)
try:
    lax.reduce_window(a, 0.0, lax.add, (2,), (2,), "VALID")
except TypeError as error:
    print(error)
