# cmd: test {} -v
# status: 0
# Sets of parameters: those of fixtures vary outside of those of marks.
import pytest
@pytest.fixture(params=[1, 2])
def a(request): return request.param
@pytest.fixture(params=["x", "y"])
def b(request): return request.param
@pytest.mark.parametrize("q", [5, 6])
def test_1(a, q, b): pass
def test_2(b, a): pass
@pytest.mark.parametrize("r,s", [(1, 2)])
@pytest.mark.parametrize("q", [5])
def test_3(r, q, s, a): pass
class TestZ:
    @pytest.mark.parametrize("z", [1, 2], ids=str)
    def test_4(self, b, z, a): pass
@pytest.fixture
def c(a): return a
def test_5(b, c): pass
