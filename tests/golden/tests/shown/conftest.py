import pytest


@pytest.fixture(scope="session")
def machine():
    """What all tests run on."""
    yield "machine"
