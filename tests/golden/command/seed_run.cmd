run --seed=3 plain.py
