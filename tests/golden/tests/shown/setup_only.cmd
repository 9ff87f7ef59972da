# status: 1
test --setup-only -v test_shown.py::TestRows test_shown.py::test_missing
