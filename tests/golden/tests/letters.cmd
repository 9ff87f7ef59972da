# status: 1
test ci -rXxE -rsp --tb=no
