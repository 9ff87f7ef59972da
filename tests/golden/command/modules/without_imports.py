print(jnp.arange(4, dtype=f32) * 2)
