test --co -v
