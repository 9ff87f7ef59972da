test modules -k "kernel or"
