bench --sweep n=64:1 plain.py:f
