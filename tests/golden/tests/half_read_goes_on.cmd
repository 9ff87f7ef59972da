# status: 1
test -v half_read --continue-on-collection-errors
