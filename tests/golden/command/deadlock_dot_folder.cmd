# status: 3
run --deadlock-dot=/no/folder/x plain.py
