import pytest

pytest_plugins = 'plugged_behind'


@pytest.fixture
def by_name(behind):
    return 'by name, ' + behind
