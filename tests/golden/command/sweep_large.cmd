bench --sweep n=1:1000000000000 plain.py:f
