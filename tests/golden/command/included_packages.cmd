# status: 0
run -I modules/environment/lib/python3.11/site-packages/ modules/imports_included.py
