plain.py ./plain.py
