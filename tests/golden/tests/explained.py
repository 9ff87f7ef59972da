# cmd: test {} -q
# status: 1
# What an assert that fails says of its operands: in what they differ, as pytest does.
import dataclasses
import numpy as np
import pytest
@dataclasses.dataclass
class C:
    bm: int
    bn: int
    name: str = "x"
def test_l1(): assert [1, 2, 3, 4] == [1, 2, 5]
def test_l2(): assert [1, 2] == [1, 2, 5, 6]
def test_l3(): assert (1, 2) == (1, 3)
def test_l4(): assert [1] == (1,)
def test_d(): assert {"a": 1, "b": 2, "c": 3} == {"a": 1, "b": 5, "d": 3}
def test_d2(): assert {"a": 1, "b": 2} == {"a": 1, "b": 2, "c": 1, "d": 2}
def test_s(): assert "hello world\nfoo\nbar" == "hello there\nfoo\nbar"
def test_s2(): assert "abc" == "abd"
def test_s3(): assert "x" * 100 + "a" == "x" * 100 + "b"
def test_set(): assert {1, 2, 3} == {2, 3, 4}
def test_set2(): assert {1, 2, 3} <= {2, 3, 4}
def test_dc(): assert C(1, 2) == C(1, 3)
def test_dc2(): assert C(1, 2) == C(2, 3, "y")
def test_in(): assert "foo" in "a long text"
def test_notin(): assert "long" not in "a long text\nand more"
def test_num(): assert 3 == 4
def test_none(): assert None is not None
def test_msg(): assert [1] == [2], "the message"
def test_msg2(): assert False, "only"
def test_bytes(): assert b"ab" == b"ac"
def test_ne(): assert [1] != [1]
def test_bool():
    x = []
    assert x
def test_not(): assert not [1]
def test_and(): assert 1 and 0
def test_long(): assert list(range(100)) == list(range(99)) + [0]
def test_nested(): assert {"a": [1, {"b": 2}]} == {"a": [1, {"b": 3}]}
def test_np():
    a, b = np.arange(3), np.array([0, 1, 3])
    assert (a == b).all()
def test_approx(): assert 1.0 == pytest.approx(1.1)
def test_approx_list(): assert [1.0, 2.0, 3.0] == pytest.approx([1.0, 2.5, 3.0])
def test_approx_dict(): assert pytest.approx({"a": 1.0}) == {"b": 1.0}
def test_approx_array(): assert np.array([1.0, 2.0]) == pytest.approx(np.array([1.0, 2.25]))
def test_arrays(): assert [np.zeros(2), np.ones(2)] == [np.zeros(2), np.ones(2)]
class Bad(list):
    def __getitem__(self, i): raise RuntimeError("no items")
def test_bad(): assert Bad([1]) == Bad([2])
def test_message(): 
    with pytest.raises(AssertionError, match="^sizes differ: 2\n"):
        assert 2 == 3, f"sizes differ: {2}"
