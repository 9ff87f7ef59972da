help output
