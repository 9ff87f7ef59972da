# status: 1
check check_something.pk:add_on
