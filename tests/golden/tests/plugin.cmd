# status: 4
test ci -p xdist
