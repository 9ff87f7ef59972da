chek plain.py
