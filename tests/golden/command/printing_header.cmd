# status: 0
printing.pk -o /dev/null -h -
