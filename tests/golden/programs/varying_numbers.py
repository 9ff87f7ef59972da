# Steps outside of jit with numbers of their own: each gives what it would give alone.
import jax
import jax.numpy as jnp
import numpy as np

line = jnp.arange(12.0)
steps = {
    "add": lambda i: line+i,
    "div": lambda i: line / 2**i,
    "fdiv": lambda i: line//(i+1.5),
    "imod": lambda i: jnp.arange(12)%(i+1),
    "shl": lambda i: jnp.arange(12)<<i,
    "cmp": lambda i: line>i,
    "mx": lambda i: jnp.maximum(line, i),
    "wh": lambda i: jnp.where(line>i, line, -i),
    "cl": lambda i: jnp.clip(line, i, 2*i),
    "ar": lambda i: jnp.arange(i, i+5),
    "fl": lambda i: jnp.full((3,), i),
    "fb": lambda i: jnp.full((2,), i/3, jnp.bfloat16),
    "cc": lambda i: jnp.array([i, i+1.5, 2]),
    "ccb": lambda i: line[:3]*jnp.array([i, 1, 2]),
    "key": lambda i: jax.random.bits(jax.random.key(i), (3,)),
    "fold": lambda i: jax.random.uniform(jax.random.fold_in(jax.random.key(3), i), (3,)),
    "sp": lambda i: jax.random.split(jax.random.PRNGKey(i))[1],
    "at": lambda i: line.at[i].add(i),
    "tk": lambda i: jnp.take(line, jnp.array([i, 0])),
    "dyn": lambda i: jax.lax.dynamic_slice(line, (i,), (3,)),
    "st": lambda i: jnp.stack([line[:2], line[:2]*i]),
    "bl": lambda i: (line>i)|bool(i%2),
    "i8": lambda i: jnp.arange(4, dtype=jnp.int8)*jnp.int8(i),
    "u": lambda i: jnp.uint32(i)-jnp.uint32(3),
    "nan": lambda i: line*(float('nan') if i==2 else i),
    "neg": lambda i: line*(-0.0 if i else 0.0),
    "fori": lambda i: jax.lax.fori_loop(0, i, lambda k, v:v*2+i, 1.0),
    "cond": lambda i: jax.lax.cond(i>2, lambda v:v+i, lambda v:v-i, line[0]),
    "tri": lambda i: jnp.tri(3, k=i),
    "eye": lambda i: jnp.eye(3)*i,
    "int_": lambda i: (line*i).astype(int),
    "oh": lambda i: jax.nn.one_hot(i, 4),
    "red": lambda i: jnp.sum(jnp.full(4, i)),
    "tod": lambda i: jnp.asarray(np.float32(i))+np.float64(i),
}
for name, step in steps.items():
    for i in (0, 1, 2, 3, 5):
        found = np.asarray(step(i))
        print(name, i, found.dtype, found.tolist())
