# status: 0
# env: VIRTUAL_ENV=modules/environment
run modules/imports_installed.py
