entry_names.pk -MP
