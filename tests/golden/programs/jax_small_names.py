# Names that host programs use now and then: composites, static fields of trees, texts of arrays, complex numbers in order.
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import checkify


@partial(lax.composite, name="my.softmax")
def softmax(x, /, *, axis):
    return jax.nn.softmax(x, axis)


print(softmax(jnp.zeros((2, 4)), axis=1), jax.jit(partial(softmax, axis=0))(jnp.zeros((2, 2))), softmax.__name__)
try:
    jax.jit(lambda x, a: softmax(x, axis=a))(jnp.zeros((2, 4)), 1)
except jax.errors.UnexpectedTracerError as e:
    print(str(e).split("\n")[0][:60])


@jax.tree_util.register_dataclass
@dataclass
class Op:
    x: jax.Array
    name: str = jax.tree.static(default="add", metadata={"unit": "m"})


op = Op(jnp.arange(3))
print(jax.tree.leaves(op), op.name, jax.tree.map(lambda v: v + 1, op).name)
print(checkify.init_error.get(), str(checkify.init_error))
checkify.init_error.throw()

for x in ([3., 1., 2.], [[3, 1], [2, 5]], jnp.array([1, 3, 2], jnp.int8), jnp.array([True, False])):
    print(repr(jnp.sort_complex(jnp.asarray(x))))
x = jnp.array([[1., -2.5, 3.], [0.5, 4., -1.]])
print(jnp.array_repr(x))
print(jnp.array_repr(jnp.arange(30)))
print(jnp.array_repr(jnp.arange(2000)), jnp.array_repr(jnp.zeros((2, 0))))
print(jnp.array_repr(x, max_line_width=20))
