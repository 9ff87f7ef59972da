# status: 1
-D f=3 entry_names.pk -o /dev/null
