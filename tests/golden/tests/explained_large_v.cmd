# status: 1
test explained_large.py -v
