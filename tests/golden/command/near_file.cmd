# status: 3
run plain