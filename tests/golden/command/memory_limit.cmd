# status: 3
--memory-limit=1 plain.py
