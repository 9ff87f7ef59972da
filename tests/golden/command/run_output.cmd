run plain.py -o x.npy
