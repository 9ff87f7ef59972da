modules/flipping.pk modules/scaling.pk --entry 'f = scaled(f32[8])' --only=modules/flipping.pk --emit=trace
