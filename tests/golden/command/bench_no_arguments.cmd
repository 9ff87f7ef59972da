# status: 1
bench entry_names.pk:f ''
