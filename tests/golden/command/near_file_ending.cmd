# status: 3
plain.pk -o /dev/null