import pytest


@pytest.fixture(scope="module")
def own(machine):
    return [machine]


def test_machine(own, machine, wide):
    assert (own, machine, wide) == ([1], 1, 1)


@pytest.mark.xfail
def test_fails(machine):
    assert machine == 2
