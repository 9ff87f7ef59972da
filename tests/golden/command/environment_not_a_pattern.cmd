# status: 1
# env: VIRTUAL_ENV=modules/environ[m]ent
run modules/imports_installed.py
