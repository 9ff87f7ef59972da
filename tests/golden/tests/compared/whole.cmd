# status: 1
test --runxfail -v
