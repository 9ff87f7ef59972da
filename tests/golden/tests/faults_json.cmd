# status: 1
test --error-format=json -k deadlock_seen --tb=no faults.py
