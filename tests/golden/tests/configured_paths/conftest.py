import pytest
noted_by = []
@pytest.fixture
def noted(request): noted_by.append(request.node.name)
def pytest_addoption(parser):
    parser.addini("x", "h")
    parser.addini("xs", "h", type="args")
    parser.addini("xl", "h", type="linelist")
    parser.addini("xb", "h", type="bool")
    parser.addini("xp", "h", type="paths")
    parser.addini("xd", "h", default=None)
