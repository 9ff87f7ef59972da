run -x pk modules/without_imports.py
