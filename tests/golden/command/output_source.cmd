print_after.pk -o a.c
