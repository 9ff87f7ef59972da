# status: 1
--entry 'for = g(f32[8],3)' ../command/entry_names.pk
