test -v -s nodes/several.py::test_second nodes/several.py::test_first nodes/several.py::TestThird::test_third nodes/several.py::test_second nodes/several.py::test_with[2]
