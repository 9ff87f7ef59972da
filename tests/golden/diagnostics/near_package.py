from jax.experimental import palas as pl
