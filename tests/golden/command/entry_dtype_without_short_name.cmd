# status: 1
--entry 'g(int4[8],3)' entry_names.pk -o /dev/null
