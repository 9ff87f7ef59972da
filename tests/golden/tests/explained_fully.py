# cmd: test {} -vv
# status: 1
# With -vv the differences of operands are reported without an end.
def test_list(): assert list(range(30)) == list(range(29)) + [0]
def test_dict(): assert {"a": 1, "b": 2, "c": 3} == {"a": 1, "b": 5, "d": 3}
def test_text(): assert "x" * 100 + "a" == "x" * 100 + "b"
