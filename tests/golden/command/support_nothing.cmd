# status: 1
check --support plain.py
