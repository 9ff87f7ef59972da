# status: 1
test -q --strict-markers test_marks.py
