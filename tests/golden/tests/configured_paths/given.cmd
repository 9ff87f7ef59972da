# status: 1
test -q checks/the_spec.py other --ignore other/sub
