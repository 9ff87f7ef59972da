# status: 4
test ci -p no:terminal
