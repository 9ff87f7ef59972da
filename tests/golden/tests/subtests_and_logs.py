# cmd: test {} -q
# status: 1
# The fixture subtests; what is logged is reported where a test fails; a fixture that is misspelt.
import pytest, logging
def test_subtests(subtests):
    for i in range(3):
        with subtests.test(msg="m", i=i): assert i != 1
    with subtests.test("only"): raise ValueError(3)
    with subtests.test(): pass
def test_pass(subtests):
    with subtests.test(i=1): pass
def test_skip(subtests):
    with subtests.test(i=1): pytest.skip("no")
def test_own(subtests):
    with subtests.test(i=1): assert 0
    assert 1 == 2
def test_log():
    print("out"); logging.getLogger("q").warning("w %d", 3); logging.info("i")
    assert 0
@pytest.fixture
def fx():
    logging.error("in setup"); yield; logging.error("down")
def test_log2(fx): raise KeyError("x")
def test_nofix(monkypatch): pass
