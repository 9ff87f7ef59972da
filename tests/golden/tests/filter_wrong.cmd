# status: 4
test ci -W bad -k old
