# cmd: test {} -v
# status: 1
# No more of large operands is compared than is shown of it, with -v neither.
N = 20000
def test_text(): assert "\n".join([f"line {i} of a" for i in range(N)]) == "\n".join([f"line {i} of b" for i in range(N)])
def test_line(): assert "a" * N == "b" * N
def test_list(): assert list(range(N)) == [i + (i > 3) * 7 for i in range(N)]
def test_dict(): assert {i: i for i in range(N)} == {i: i + 1 for i in range(N)}
def test_set(): assert set(range(N)) == set(range(N, 2 * N))
