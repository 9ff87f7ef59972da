# status: 2
test ci -p xdist
