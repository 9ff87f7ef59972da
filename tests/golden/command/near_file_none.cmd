# status: 3
plywd.py -o /dev/null