def check_sub(): pass
