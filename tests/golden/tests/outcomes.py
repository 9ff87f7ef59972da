# cmd: test {}
# status: 1
# How tests end, and what is reported of those that fail.
import pytest
import unittest

pytestmark = pytest.mark.whole


@pytest.fixture
def broken():
    raise OSError("no such thing")


@pytest.fixture
def late():
    yield
    raise RuntimeError("too late")


def test_passes():
    assert 1


def test_compares():
    print("what it printed")
    assert len("abc") == 4


def test_says():
    assert [] , "never"
    assert not [1], "it says so"


def test_calls():
    def inner(n):
        if n:
            raise KeyError("inner")
    inner(0)
    inner(1)


def test_needs(broken):
    pass


def test_ends(late):
    pass


def test_misses(nobody):
    pass


@pytest.mark.skip
def test_skipped():
    assert 0


@pytest.mark.skipif(True, reason="so")
class TestSkipped:
    def test_a(self):
        assert 0


def test_skips():
    pytest.skip("in the middle")


@pytest.mark.xfail(reason="known", raises=ZeroDivisionError)
@pytest.mark.parametrize("n", [0, 1, "2"])
def test_expected(n):
    1 / n


@pytest.mark.xfail(strict=True)
def test_strict():
    pass


def test_claims():
    with pytest.raises(ValueError, match="^b.d$") as info:
        raise ValueError("bad")
    assert info.type is ValueError and str(info.value) == "bad" and "bad" in str(info)
    pytest.raises(ZeroDivisionError, lambda: 1 / 0)
    with pytest.warns(UserWarning, match="mind"):
        import warnings
        warnings.warn("mind this")
    assert 0.1 + 0.2 == pytest.approx(0.3) and 1.1 != pytest.approx(1) and [1, 2.0000001] == pytest.approx([1, 2])
    assert {"a": 1.0} == pytest.approx({"a": 1 + 1e-9}) and 105 == pytest.approx(100, rel=0.1) and 1 == pytest.approx(2, abs=1)
    import numpy as np
    assert np.array([1.0, 2.0]) == pytest.approx(np.array([1.0, 2.0 + 1e-9]))
    assert str(pytest.approx(2.0)) == "2.0 ± 2.0e-06"


def test_raises_nothing():
    with pytest.raises(ValueError):
        pass


def test_raises_otherwise():
    with pytest.raises(ValueError, match="good"):
        raise ValueError("bad")


def test_fails():
    pytest.fail("for a reason")


class Cases(unittest.TestCase):
    def test_good(self):
        self.assertEqual(1, 1)

    def test_bad(self):
        self.assertEqual([1], [2])

    @unittest.expectedFailure
    def test_expected(self):
        self.fail()

    def test_subtests(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)
