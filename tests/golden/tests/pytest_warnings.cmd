# status: 2
test -W error modules
