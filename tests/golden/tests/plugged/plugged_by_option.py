import pytest


@pytest.fixture
def by_option():
    return 'by option'


@pytest.fixture(autouse=True, scope='session')
def names(doctest_namespace):
    doctest_namespace['seven'] = 7
