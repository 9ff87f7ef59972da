# cmd: test {} -q
# status: 1
# What an assert that fails says of the parts of its test, and where they came from, as pytest does.
import pytest
def g(x): return x
def test_w():
    x = 3
    assert g(x + 1) == -x and g(k=[1, 2]).sort(*(), **{})
def test_w2():
    x = 3
    assert x + 1 == 3
def test_w4():
    assert g(2 if g(0) else g(0))
def test_w5():
    assert not (g(1) and g(2))
def test_w6():
    assert (g(1) < g(2)) == g(0) or g(0)
def test_w7():
    assert g(g(g(0)))
def test_w8():
    assert pytest.raises.__name__ == "x"
def test_w10():
    a = "x" * 300
    assert g(a) == 1
def test_w11():
    assert [g(i) for i in range(3)][0]
def test_w12():
    assert any([])
def test_w13():
    assert g(0)[0] if g(0) else g("")
def test_w14():
    assert ~g(-1)
def test_w15():
    assert 1 < g(5) < 3 < 7
def test_w16():
    x = [1,2]
    assert len(x) == 1 and "q"
def test_w17():
    assert g("100%") == "% {q}"
def test_w18():
    class A:
        def __repr__(self): return "A\n{B}"
        x = 0
    a = A()
    assert a.x
class Counted:
    v = 3
    def __repr__(self): return "<Counted>"
    def more(self, k, *, by=1): return self.v + k + by
def test_method():
    counted = Counted()
    assert counted.more(2, by=0) == counted.v
def test_unpacked():
    assert g(*(1,)) == g(**{"x": 2})
def test_once():
    seen = []
    with pytest.raises(AssertionError):
        assert seen.append(1) or g(0) and seen.append(2)
    assert seen == [1, 1]
def test_global():
    assert g is Counted
def test_recursive():
    def down(n):
        assert n > 0 and down(n - 1)
    down(2)
def test_module_level_names(): assert __name__ == 3
