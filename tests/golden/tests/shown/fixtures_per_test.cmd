test --fixtures-per-test test_shown.py
