# status: 4
test configured -o xfail_strict
