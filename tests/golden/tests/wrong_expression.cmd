# status: 4
test modules -k "kernel or"
