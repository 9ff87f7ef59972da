run -m doctest -v modules/started/parts.py
