test -v second
