modules/flipping.pk modules/scaling.pk --entry 'f = scaled(f32[8])' --entry 'g = jax.jit(flipped)(f32[4])' --emit=trace
