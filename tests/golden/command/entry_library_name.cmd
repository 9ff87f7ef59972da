# status: 1
--entry 'malloc = g(f32[8],3)' entry_names.pk -o /dev/null
