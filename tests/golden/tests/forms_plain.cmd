# status: 1
test forms/several.py -c /dev/null --tb=long --assert=plain
