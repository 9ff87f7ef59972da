check call_types.pk:scaled check_something.pk:f
