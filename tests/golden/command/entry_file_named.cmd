modules/flipping.pk modules/scaling.pk --entry 'f = modules/scaling.pk:both(f32[8])' --entry 'g = flipping.pk:both(f32[4])' --emit=trace
