def pytest_addoption(parser):
    parser.addoption("--big", action="store_true", default=False)
    parser.addoption("--size", type=int, default=1)
