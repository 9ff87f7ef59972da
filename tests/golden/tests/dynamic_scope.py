# cmd: test -v {}
# The scope of a fixture may be a function, which is asked once.
import pytest

made = []


def scope_of(fixture_name, config):
    return "module" if fixture_name == "kept" and config.getoption("maxfail") == 0 else "function"


@pytest.fixture(scope=scope_of)
def kept():
    made.append(1)


@pytest.fixture(scope=scope_of)
def fresh():
    made.append(2)


def test_one(kept, fresh):
    pass


def test_two(kept, fresh):
    assert made == [1, 2, 2]
