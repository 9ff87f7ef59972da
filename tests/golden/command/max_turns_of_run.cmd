run --max-turns=5 entry_names.pk
