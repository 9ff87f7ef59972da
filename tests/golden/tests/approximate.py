# cmd: test {} -q
# status: 1
# What an assert says of pytest.approx.
import numpy as np
from pytest import approx
def test_1(): assert [1.0, 2] == approx([1.0])
def test_2(): assert 3 == approx([1.0])
def test_3(): assert np.zeros((2, 2)) == approx(np.ones((2, 2)))
def test_4(): assert np.zeros((2, 2)) == approx(np.ones((2, 3)))
def test_5(): assert {"a": 1.0, "b": 3} == approx({"a": 1.5, "b": 4})
def test_6(): assert [None, 1] == approx([None, 2])
def test_7(): assert 5 == approx({"a": 1})
def test_8(): assert 0.0 == approx(np.ones(2))
def test_9(): assert "a" == approx("b")
def test_10(): assert [1, 2] == approx((1, 3))
