# status: 1
test -x half_read
