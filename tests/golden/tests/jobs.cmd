test -j 3 modules
