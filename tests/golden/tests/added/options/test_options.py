def test_options(pytestconfig):
    assert pytestconfig.getoption("--big") and pytestconfig.getoption("size") == 3
