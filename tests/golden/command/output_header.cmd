print_after.pk -o a.h
