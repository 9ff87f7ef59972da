# status: 3
--cache=/dev/null print_after.pk -o /dev/null
