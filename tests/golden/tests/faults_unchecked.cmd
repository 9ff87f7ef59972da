# status: 1
test --tb=no faults.py
