import pytest


@pytest.fixture
def behind():
    return 'behind'


@pytest.fixture(params=[abs, 3])
def parameter(request):
    return request.param
