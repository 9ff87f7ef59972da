# status: 0
--cache=/proc print_after.pk -o /dev/null
