# Operands without a text, and messages that are none, do not change what a test says.
# cmd: test {}
import pytest
class Bad:
    def __repr__(self): raise ValueError('no repr')
    def __eq__(self, other): return False
def test_broken():
    with pytest.raises(AssertionError, match=r"no repr'\) raised in repr\(\)\] Bad object at 0x"): assert Bad() == 1
    with pytest.raises(AssertionError, match="list object"): assert not [1, Bad()]
def test_message():
    with pytest.raises(AssertionError, match=r"^ValueError\('x'\)"): assert 1 == 2, ValueError('x')
