test modules/test_first.py::test_helped -v -m "not slow"
