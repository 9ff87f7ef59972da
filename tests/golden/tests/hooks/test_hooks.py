import pytest


def pytest_generate_tests(metafunc):
    if "own" in metafunc.fixturenames:
        metafunc.parametrize("own", ["m"])


@pytest.fixture(params=[1, 2])
def fixed(request):
    return request.param


@pytest.mark.parametrize("marked", [True])
def test_order_of_ids(marked, fixed, own, name):
    assert name in ("a", "b")


def test_indirect(doubled):
    assert doubled in (0, 2)


def test_options(pytestconfig, request):
    option = pytestconfig.option
    assert (option.how_large, option.name, option.fast, option.range) == (8, ["a", "b"], "very", [3, 4])
    assert request.config.getoption("--range") == [3, 4] and pytestconfig.getoption("none", 5) == 5
    with pytest.raises(ValueError, match="no option named"):
        pytestconfig.getoption("none")
    with pytest.raises(pytest.skip.Exception):
        pytestconfig.getoption("none", skip=True)


@pytest.mark.slow
def test_slow():
    pass


def test_passes(told):
    pass


@pytest.mark.xfail(reason="told by hooks")
def test_fails(told):
    assert False


def test_path():
    import helper
    assert helper.WIDTH == 7


@pytest.mark.xfail(reason="but passes")
def test_strict():
    pass
