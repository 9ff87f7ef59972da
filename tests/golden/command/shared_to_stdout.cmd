# status: 2
-shared plain.py -o -