# status: 4
test forms/several.py -c forms/unknown.ini --strict-config
