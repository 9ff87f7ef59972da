test --fixtures test_shown.py
