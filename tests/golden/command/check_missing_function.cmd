# status: 1
check check_something.pk:zzzz
