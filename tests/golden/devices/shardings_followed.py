# cmd: run {} --devices 4
# What .sharding tells of arrays that are made of placed ones, on meshes of automatic and of explicit axes, under jit too; what lies
# nowhere in particular stays there.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P, SingleDeviceSharding


def told(x):
    s = x.sharding
    return s.spec if isinstance(s, NamedSharding) else [d.id for d in s.device_set]


for types in (AxisType.Auto, AxisType.Explicit):
    mesh = jax.make_mesh((2, 2), ("x", "y"), axis_types=(types,) * 2)
    on = lambda shape, *spec: jax.device_put(jnp.ones(shape), NamedSharding(mesh, P(*spec)))
    a, r, c, plain = on((8, 4), "x", "y"), on((8, 4), "x"), on((4,), "y"), jnp.ones((8, 4))
    print(types, told(a), told(r), told(jax.device_put(np.arange(4.0), NamedSharding(mesh, P()))))
    print("elementwise", [told(v) for v in (a * 2, -a, a + r, r + a, plain + a, a + c, jnp.sin(r), a > 0, jnp.where(r > 0, r, 0), np.float32(1) - r)])
    print("types", told(r.astype(jnp.bfloat16)), told(jax.nn.relu(r)), told(r.copy()), told(jnp.array(r)), told(jnp.asarray(r)))
    print("moved", [told(v) for v in (a.T, r[:, None], r.reshape(8, 1, 4), r[:, 1:3], r[:, ::-1], jnp.stack([r, r]), jnp.concatenate([r, r], 1))])
    print("padded", told(jnp.pad(r, ((0, 0), (1, 1)))), told(jnp.sort(r, 1)), told(jnp.cumsum(r, 1)))
    print("reduced", [told(v) for v in (a.sum(), a.sum(0), a.sum(1), r.mean(1, keepdims=True), jnp.argmax(r, 1), r.var(1), jax.nn.softmax(a))])
    print("products", told(r @ jnp.ones((4, 3))), told(r @ on((4, 8), None, "y")), told(jnp.einsum("ij,kj->ik", r, jnp.ones((3, 4)))))
    if types == AxisType.Auto:
        print("updated", told(r.at[0].set(1.0)), told(lax.dynamic_update_slice(r, jnp.zeros((1, 4)), (0, 0))))
    print("like", told(jnp.zeros_like(a)), told(jnp.full_like(r, 2, dtype=jnp.int32)), told(jnp.ones_like(a * 2)), told(jnp.zeros_like(a, shape=(2, 2))))
    print("vmap", told(jax.vmap(lambda v: v * 2)(r)))
    twice = jax.jit(lambda v: (v, v * 2, v.sum(), jnp.zeros(3)))
    for v in (a, r, plain, a):
        print("jit", [told(part) for part in twice(v)])
    print("out", told(jax.jit(lambda v: v * 2, out_shardings=NamedSharding(mesh, P(None, "y")))(r)))
    own = jax.shard_map(lambda v: v * 2, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
    print("shard_map", told(own(r)), told(own(r) + 1))
    print("left alone", told(plain * 2), told(jnp.arange(3)), told(twice(plain)[1]), plain.committed, (a * 2).committed, (plain * 2).committed)
    print([s.data.shape for s in (a * 2).addressable_shards], (r * 2).devices() == set(mesh.devices.flat), a.sum().is_fully_replicated)
    try:
        jax.jit(lambda v: v.sharding)(r)
    except AttributeError as error:
        print(str(error).replace("@x", ""))  # JAX has explicit axes in the types of arrays

x = jnp.arange(8.0)
there = jax.device_put(x, jax.devices()[2])
print(told(x * 2), told(there * 2), told(jnp.sort(there)), told(there + x), told(there.reshape(2, 4) @ jnp.ones((4, 2))))
tree = {"w": jax.device_put(x, jax.devices()[1]), "b": there}
print(jax.tree.map(lambda v: told(v - 0.1 * v), tree))
