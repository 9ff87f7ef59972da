# What JAX takes of NumPy's arrays is what they hold then: the program may write them afterwards.
import jax
import jax.numpy as jnp
import numpy as np

line, table, doubles = np.ones(100, np.float32), np.ones((100, 4), np.float32), np.ones(100)
zeros = jnp.zeros(100)
made = [jnp.array(line), jnp.array(table[:, 1]), jnp.array(doubles), jnp.array(table.T)]
sums = [zeros + line, zeros + table[:, 1], doubles + zeros, zeros + line * 2]
again = [zeros + line, zeros + table[:, 1]]
called = jax.jit(lambda x: x + 1)(table[:, 1]), jax.jit(lambda x: x)(line)
stacked = jnp.stack([line, table[:, 1]])
line[0] = table[0, 1] = doubles[0] = 7
later = [zeros + line, zeros + table[:, 1], doubles + zeros]
for group in (made, sums, again, called, stacked, later, made):
    print([float(x.reshape(-1)[0]) for x in group])
print([float(x[1, 0]) for x in made[3:]], np.asarray(made[0]).flags.writeable)
step = jax.jit(lambda w, x: w + x.sum(0))
w = jnp.zeros(2)
for i in range(3):
    batch = np.full((4, 4), float(i), np.float32)
    w = step(w, batch[:, :2])
    batch[...] = -1
print(w, step(w, np.asfortranarray([[1.0, 2.0], [3.0, 4.0]])), step(w, np.broadcast_to(np.float32(1), (3, 2))))
