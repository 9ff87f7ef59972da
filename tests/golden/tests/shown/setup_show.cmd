# status: 1
test --setup-show --tb=no test_shown.py
