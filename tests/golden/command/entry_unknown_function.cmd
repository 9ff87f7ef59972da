# status: 1
modules/scaling.pk --entry "nosuch(f32[8])" -o /dev/null
