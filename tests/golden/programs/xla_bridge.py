# What programs ask of backends.
from jax._src import xla_bridge as xb
import jax.extend.backend as b
print(len(xb.devices()), xb.get_backend().device_count(), b.get_backend().platform == xb.default_backend(), xb.process_index(), len(xb.get_backend().local_devices()), xb.backends_are_initialized())
try:
    xb.get_backend("gpu")
except RuntimeError as e:
    print(str(e)[:80])
