# status: 1
test ci --junitxml=- --tb=line -q
