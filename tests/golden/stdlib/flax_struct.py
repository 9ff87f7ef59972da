# own: the stand-in of flax
# flax.struct: dataclasses that are pytrees; what is no node is part of the structure.
import jax
import jax.numpy as jnp
from flax import struct
import flax.struct


@struct.dataclass
class Complex:
    real: jax.Array
    imag: jax.Array
    name: str = struct.field(pytree_node=False, default="z")

    @property
    def shape(self):
        return self.real.shape


class Node(flax.struct.PyTreeNode):
    x: jax.Array
    scale: float = flax.struct.field(pytree_node=False, default=2.0)


z = Complex(jnp.arange(3.0), jnp.ones(3))
print(jax.tree.map(lambda a: a + 1, z))
print(z.shape, z.replace(name="w").name, jax.tree.structure(z) == jax.tree.structure(z.replace(name="w")))
print(jax.jit(lambda n: n.replace(x=n.x * n.scale))(Node(jnp.arange(2.0))))
try:
    z.name = "no"
except AttributeError as error:
    print(type(error).__name__)
try:
    flax.nnx
except NotImplementedError as error:
    print(error)
