# status: 1
modules/scaling.pk --entry "y = scaled(f32(8, 128))" -o /dev/null
