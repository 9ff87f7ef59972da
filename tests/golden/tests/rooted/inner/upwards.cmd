test -v
