test modules -k "kernel or (help and not slow)" -v
