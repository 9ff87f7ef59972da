test --setup-plan -k row test_shown.py
