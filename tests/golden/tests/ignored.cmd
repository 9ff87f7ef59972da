# status: 1
test ci --ignore=ci/slow --deselect ci/test_ci.py::TestOne --deselect=ci/test_ci.py::test_hostile -p no:cacheprovider -n 2 -rN
