test -s -v
