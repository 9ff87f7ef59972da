assert False, "is not read"
