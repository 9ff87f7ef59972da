# The device of an array: where it is computed, of one that is on several its sharding.
import jax
import jax.numpy as jnp

x = jnp.ones((8, 128)) + 1
y = jax.jit(lambda a: a @ a.T)(x)
print(x.device == jax.devices()[0], y.device == x.device, y.sharding == x.sharding, x.devices() == {x.device})
print(isinstance(y.sharding, jax.sharding.SingleDeviceSharding), [s.data.shape for s in y.addressable_shards])
print("device" in dir(x))
