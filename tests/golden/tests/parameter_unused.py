# cmd: test {}
# status: 2
# A parameter that the function does not take: the file cannot be collected.
import pytest


@pytest.mark.parametrize("z", [1])
def test_none():
    pass
