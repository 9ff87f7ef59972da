# status: 1
test configured -o xfail_strict=true --override-ini=python_functions=test -rX --no-header -vvv -m '' -k '' configured
