# A jitted function gives objects of the program's own classes: they are taken apart by methods of the program while what was traced is pending.
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Linear:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def tree_flatten(self):
        return (self.w, self.b), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


@jax.jit
def step(params, x):
    loss = jnp.sum(x @ params["layer"].w + params["layer"].b)
    for i in range(12):
        params = jax.tree.map(lambda p: p + i, params)
    return params, loss, loss


params, x = {"layer": Linear(jnp.ones((4, 2)), jnp.zeros(2)), "scale": jnp.float32(1.0)}, jnp.ones((3, 4))
for i in range(3):
    params, first, second = step(params, x)
    print(first, float(second), params["layer"].b, params["scale"])
