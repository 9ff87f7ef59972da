# status: 2
test ci -rq
