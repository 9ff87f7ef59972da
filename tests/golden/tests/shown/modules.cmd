test -v pkg.test_inner
