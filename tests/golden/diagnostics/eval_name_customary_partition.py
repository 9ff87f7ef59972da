# cmd: run {}
# status: 1
spec = P("x", None)
