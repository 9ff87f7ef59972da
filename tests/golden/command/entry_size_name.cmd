# status: 1
modules/scaling.pk --entry "scaled(f32[n,128])" -o /dev/null
