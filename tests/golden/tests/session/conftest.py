import pytest

made = []


@pytest.fixture(scope="session")
def machine():
    made.append("machine")
    yield made.count("machine")
    print("machine closed")


@pytest.fixture(scope="package")
def wide():
    made.append("wide")
    return made.count("wide")
