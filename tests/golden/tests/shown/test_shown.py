"""What is set up for tests."""
import pytest


@pytest.fixture(scope="module")
def table(machine):
    "Made once."
    return {}


@pytest.fixture(params=[1, "two", 3], ids=["one", "two", None])
def row(request, table):
    yield request.param


@pytest.fixture(autouse=True, scope="session")
def _ready():
    yield


class TestRows:
    """Of each row."""

    @pytest.fixture(scope="class")
    def room(self):
        yield 1

    def test_row(self, row, room):
        """It is something."""
        assert row


def test_table(table, tmp_path):
    pass


@pytest.mark.parametrize("a, b", [(1, 2)])
def test_equal(a, b):
    assert a == b


def test_missing(nowhere):
    pass
