# status: 2
test -v half_read
