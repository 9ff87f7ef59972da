# status: 2
test ci -p no:warnings
