run --apart plain.py
