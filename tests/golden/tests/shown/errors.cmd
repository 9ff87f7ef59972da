# status: 1
test test_shown.py::test_missing test_shown.py::test_equal
