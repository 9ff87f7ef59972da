test --co -k "not row" -j 2
