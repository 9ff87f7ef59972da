# status: 1
test --check --tb=line -q -k 'unseen or good' faults.py modules/test_first.py
