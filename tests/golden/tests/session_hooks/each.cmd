test -v -j 2
