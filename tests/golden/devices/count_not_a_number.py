# cmd: run {}
# env: XLA_FLAGS=--xla_force_host_platform_device_count=four
import jax

jax.devices()
