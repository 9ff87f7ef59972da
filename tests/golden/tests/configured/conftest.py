def pytest_configure(config):
    config.addinivalue_line("markers", "own: made known by conftest")
