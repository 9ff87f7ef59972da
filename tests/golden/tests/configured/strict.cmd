# status: 2
test -q --strict-markers test_marks.py
