modules/scaling.pk --entry 'scaled(f32[2])' -D FACTOR=3.0 -o /dev/null -MD -MF -
