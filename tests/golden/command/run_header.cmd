run plain.py -h x.h
