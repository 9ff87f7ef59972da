import helper
import pytest


def test_helped(base):
    assert helper.twice(base) == 4


@pytest.mark.slow
def test_slow(base):
    pass
