entry_names.pk -MT x.o
