# status: 1
modules/flipping.pk modules/scaling.pk --entry 'f = other.pk:both(f32[8])' --only=modules/flipping.pk -o /dev/null
