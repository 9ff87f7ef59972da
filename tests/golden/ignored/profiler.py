# cmd: run {}
# status: 0
# Traces of the profiler are not written, of which a program is warned once; they are begun and ended as JAX wants it.
import jax
import numpy as np

x = jax.numpy.ones(3)
with jax.profiler.trace("/tmp/nowhere"), jax.profiler.TraceAnnotation("step"):
    print(x.is_deleted(), np.shape("text"), np.shape([1, 2]))
jax.profiler.start_trace("/tmp/nowhere")
for act in (lambda: jax.profiler.start_trace("/tmp/nowhere"), jax.profiler.stop_trace, jax.profiler.stop_trace):
    try:
        act()
    except RuntimeError as error:
        print(error)
