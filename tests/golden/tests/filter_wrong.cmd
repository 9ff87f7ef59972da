# status: 2
test ci -W bad -k old
