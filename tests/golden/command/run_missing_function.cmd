# status: 1
run check_something.pk:zzzz
