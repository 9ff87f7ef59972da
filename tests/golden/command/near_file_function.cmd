# status: 3
plain.py:f -o /dev/null