# cmd: test {} -q
# The calls on the way to an exception that raises has caught.
import pytest


def deep(n):
    if n == 0:
        raise KeyError("x")
    deep(n - 1)


def test_traceback():
    with pytest.raises(KeyError) as caught:
        deep(2)
    calls = caught.traceback
    assert [call.name for call in calls] == ["test_traceback", "deep", "deep", "deep"]
    assert calls[-1].lineno == 7 and calls[-1].path.name == "raised_at.py"
    assert caught.tb is not None and "KeyError" in caught.exconly()
