# cmd: test {} -v -m "device(kind='tpu', n=2) or device(wide=True) and not slow"
# Tests are chosen by what their marks were given.
import pytest


@pytest.mark.device(kind='tpu', n=2)
def test_two():
    pass


@pytest.mark.device(kind='gpu', wide=True)
def test_wide():
    pass


@pytest.mark.slow
def test_slow():
    pass
