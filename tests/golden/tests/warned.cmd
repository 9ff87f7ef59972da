test warned/test_warned.py
