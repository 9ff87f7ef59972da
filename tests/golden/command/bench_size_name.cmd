# status: 1
bench modules/scaling.pk:scaled f32[n,128]
