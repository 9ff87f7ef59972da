entry_names.pk -h a.h -h b.h
