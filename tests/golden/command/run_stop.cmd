run --stop-after=simplify plain.py
