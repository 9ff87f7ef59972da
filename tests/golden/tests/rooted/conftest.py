import package_of_root
import pytest


@pytest.fixture
def number(request):
    assert request.config.rootpath.name == "rooted"
    return package_of_root.NUMBER
