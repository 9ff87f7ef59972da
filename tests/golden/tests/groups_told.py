# cmd: test {} -q
# status: 1
# A group of exceptions is reported with its members; what was raised while another was handled, with that.
import pytest
def f(): raise ExceptionGroup("both", [ValueError("a"), ExceptionGroup("inner", [TypeError("b"), KeyError("c")])])
def test_group(): f()
def test_claim():
    with pytest.RaisesGroup(ValueError):
        raise ExceptionGroup("g", [TypeError("b")])
def test_handling():
    try: f()
    except* ValueError: raise RuntimeError("while handled")
