import pytest


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="also what is slow")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes its time")


def pytest_collection_modifyitems(config, items):
    for item in items:
        if "slow" in item.keywords and not config.getoption("--slow"):
            item.add_marker(pytest.mark.skip(reason="needs --slow"))


@pytest.fixture
def base():
    return 2
