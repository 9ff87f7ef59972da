# status: 1
test -q test_marks.py
