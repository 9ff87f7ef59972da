# status: 1
test -v --size 8 --name a --name=b --fast --range 3 4
