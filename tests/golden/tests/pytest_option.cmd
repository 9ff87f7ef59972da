# status: 2
test modules --lf
