# Functions of the host between steps, arrays from the pieces of devices, pmap, and what asks for other processes.
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback, mesh_utils, multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

F = jax.ShapeDtypeStruct((2,), jnp.float32)
print(jax.pure_callback(lambda x: np.cos(x), F, jnp.zeros(2)), jax.pure_callback(lambda x, k: (x + k, {"n": x.sum()}), (F, {"n": F.update(shape=())}),
                                                                                jnp.ones(2), k=2.0))
print(io_callback(lambda x: print("step", x), None, 3), jax.debug.callback(lambda x, tag: print(tag, x), jnp.arange(2), tag="seen"))
for f in (lambda x: np.zeros(3), lambda x: [1.0, 2.0], lambda x: 1 // 0):
    try:
        jax.pure_callback(f, F, jnp.zeros(2)).block_until_ready()
    except jax.errors.JaxRuntimeError as e:
        print(type(e).__name__, str(e)[:9])

mesh = Mesh(mesh_utils.create_device_mesh((4, 2)), ("x", "y"))
rows = NamedSharding(mesh, P("x", None))
whole = np.arange(16.0, dtype=np.float32).reshape(8, 2)
seen = []
a = jax.make_array_from_callback((8, 2), rows, lambda index: (seen.append(index), whole[index])[1])
print((a == whole).all(), a.dtype, a.sharding.spec, sorted({(i[0].start, i[0].stop) for i in seen}))
b = jax.make_array_from_process_local_data(rows, whole)
c = jax.make_array_from_single_device_arrays((8, 2), rows, [s.data for s in a.addressable_shards])
print((b == whole).all(), b.sharding.spec, (c == a).all(), c.sharding == rows)
for bad in (lambda: jax.make_array_from_single_device_arrays((8, 2), rows, [a]), lambda: jax.make_array_from_callback((8, 2), rows, lambda i: whole)):
    try:
        bad()
    except ValueError as e:
        print("ValueError")

double = jax.pmap(lambda x, k: x * k + jax.lax.psum(x, "i"), axis_name="i", in_axes=(0, None))
print(double(jnp.arange(8.0), 10), jax.pmap(lambda t: {"s": t["a"].sum(), "r": t["a"][::-1]})({"a": jnp.arange(6).reshape(2, 3)}))
print(jax.pmap(lambda x, n: jnp.tile(x, n), static_broadcasted_argnums=1)(jnp.arange(2), 3), jax.pmap(lambda x: (x, x.sum()), out_axes=(1, 0))(jnp.ones((2, 3)))[0].shape)
for bad in (lambda: jax.pmap(lambda x: x)(1.0), lambda: jax.pmap(lambda x: x)(jnp.ones(9)), lambda: jax.pmap(lambda x, y: x)(jnp.ones(2), jnp.ones(3))):
    try:
        bad()
    except ValueError as e:
        print(isinstance(e, ValueError))

print(multihost_utils.process_allgather(np.arange(2)), multihost_utils.process_allgather(np.arange(2), tiled=True),
      multihost_utils.broadcast_one_to_all({"a": np.ones(1)}), multihost_utils.sync_global_devices("end"))
print((multihost_utils.host_local_array_to_global_array(whole, mesh, P("x")) == whole).all(), jax.process_indices(), jax.distributed.is_initialized())
events = []
jax.monitoring.register_event_listener(lambda event, **kw: events.append((event, kw)) if event.startswith("/mine") else None)
jax.monitoring.record_event("/mine/one", size=3)
print(events, jax.version.__version__ == jax.__version__, issubclass(jax.errors.KeyReuseError, jax.errors.JAXTypeError))
f = jax.jit(lambda x: x + 1)
print(isinstance(f, jax.stages.Wrapped), isinstance(f.lower(1.0), jax.stages.Lowered), isinstance(f.lower(1.0).compile(), jax.stages.Compiled))


@jax.custom_gradient
def square(x):
    return x * x, lambda g: 2 * g * x


@jax.custom_batching.custom_vmap
def plus(x):
    return x + 1


@plus.def_vmap
def plus_rule(axis_size, in_batched, x):
    return x + 1, True


calls = []


@jax.jit
def sign(x):
    calls.append(type(x).__name__)
    return x if x > 0 else -x


print(square(3.0), plus(1), jax.custom_batching.sequential_vmap(lambda x: x * 2)(jnp.arange(3)))
with jax.disable_jit():
    print(sign(-3), sign(2.5), calls)
try:
    sign(1)
except jax.errors.TracerBoolConversionError:
    print("traced")
print(jnp.round(jnp.float32([1.31326, 0.23999, 1.43599, -2.5, 1234567.0]), 3), jnp.round(jnp.float32(1.31326), 4), jnp.round(jnp.arange(15.0) * 7, -1),
      jnp.round(jnp.bfloat16(1.31326), 2), jnp.round(jnp.float16(1.31326), 3), np.round(jnp.float32([0.1, 0.12345]), 2))
print({"a": [1]}.items() <= {"a": [1], "b": 2}.items(), {"a": [1]}.items() == {"a": [1]}.items(), {"a": 1}.items() > set())
