run plain.py x.npy
