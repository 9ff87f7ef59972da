import pytest


@pytest.mark.slow
def test_number(number):
    from package_of_root import NUMBER
    assert number == NUMBER
