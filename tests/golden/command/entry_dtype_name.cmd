# status: 1
--entry 'g(float32[8],3)' entry_names.pk -o /dev/null
