# status: 0
--entry 'g(f32[8],3)' entry_names.pk -o /dev/null
