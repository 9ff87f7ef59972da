bench --sweep n=1:9:0 plain.py:f
