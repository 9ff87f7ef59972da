test modules -qk "kernel or helped"
