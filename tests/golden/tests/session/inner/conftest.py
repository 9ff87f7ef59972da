import pytest


@pytest.fixture(scope="package")
def room(request):
    request.addfinalizer(lambda: print("room removed"))
    yield "room"
    print("room closed")
