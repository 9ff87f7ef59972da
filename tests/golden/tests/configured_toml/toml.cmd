test -q test_toml.py
