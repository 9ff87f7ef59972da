# status: 4
test ci -rq
