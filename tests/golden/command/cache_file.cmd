# status: 0
--cache=/dev/null print_after.pk -o /dev/null
