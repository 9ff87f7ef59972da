test modules -v
