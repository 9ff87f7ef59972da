test --setup-show --tb=no inner test_other.py::test_machine test_zero.py
