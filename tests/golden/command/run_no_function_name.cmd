run entry_names.pk: 3
