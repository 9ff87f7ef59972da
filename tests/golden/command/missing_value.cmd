plain.py -o
