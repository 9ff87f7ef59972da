raise SystemError("it is no test")
