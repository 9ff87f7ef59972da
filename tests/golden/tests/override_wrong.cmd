# status: 2
test configured -o xfail_strict
