# How the messages of wrong calls begin: as JAX's do; behind that may stand what JAX does not tell.
import jax.numpy as jnp
from jax import lax

x = jnp.arange(8.0).reshape(2, 4)


def tell(f, head):
    try:
        f()
    except Exception as error:
        print(type(error).__name__, str(error)[:len(head)] == head or str(error))


tell(lambda: jnp.argmax(x, axis=2), "tuple index out of range")
tell(lambda: jnp.mean(x, axis=7), "tuple index out of range")
tell(lambda: jnp.split(x, 3, axis=5), "tuple index out of range")
tell(lambda: jnp.split(x, 0), "integer division or modulo by zero")
tell(lambda: lax.transpose(x, (-1, 0)), "transpose permutation isn't a permutation of operand dimensions, got permutation (-1, 0) for operand shape (2, 4).")
tell(lambda: lax.transpose(x, (0, 2)), "transpose permutation isn't a permutation of operand dimensions, got permutation (0, 2) for operand shape (2, 4).")
tell(lambda: lax.rev(x, (2,)), "rev dimensions must all be less than operand ndim, got dimensions (2,) for operand ndim 2.")
tell(lambda: lax.rev(x, (0, 0)), "rev dimensions must be unique, got (0, 0).")
tell(lambda: lax.rev(x, (-1,)), "rev dimensions must have every element be nonnegative, got (-1,).")
tell(lambda: lax.concatenate([x, x], -1), "concatenate dimension out of bounds: dimension -1 for shapes (2, 4), (2, 4).")
tell(lambda: jnp.moveaxis(x, (0, 0), (0, 1)), "transpose permutation isn't a permutation of operand dimensions")
tell(lambda: jnp.moveaxis(x, "a", 0), "'str' object cannot be interpreted as an integer")
tell(lambda: jnp.reshape(x, (-2, -4)), "reshape new_sizes must all be positive, got (-2, -4).")
tell(lambda: lax.reshape(x, (-1,)), "reshape new_sizes must all be positive, got (-1,).")
tell(lambda: lax.slice_in_dim(x, 0, 9), "slice limit_indices must be less than or equal to operand shape, got limit_indices (9, 4) for operand shape (2, 4).")
tell(lambda: lax.dynamic_slice(x, (0,), (1, 1)), "Length of slice indices must match number of operand dimensions (1 vs (2, 4))")
tell(lambda: lax.pad(x, 0.0, ((0, 0, -1), (0, 0, 0))), "interior padding in padding_config must be nonnegative, got padding_config ((0, 0, -1), (0, 0, 0))")
tell(lambda: lax.full_like(x, jnp.arange(4.0)), "full must be called with scalar fill_value, got fill_value.shape (4,).")
tell(lambda: jnp.sum(x, where=3), "jnp.sum: where must be None or a boolean array; got where.dtype=dtype('int32').")
tell(lambda: jnp.einsum("ij->ii", x), "Output character 'i' appeared more than once in the output.")
tell(lambda: jnp.vectorize(lambda a: a, signature="(n")(x), "not a valid gufunc signature: (n")
tell(lambda: x.item(0, 5), "index 5 is out of bounds for axis 1 with size 4")
tell(lambda: lax.dot(x, x), "jax.lax.dot: dimension_numbers must be specified when not performing simple un-batched")
