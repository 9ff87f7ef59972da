# cmd: test -v {}
# status: 1
# Errors at the end of fixtures: of which test they are, and which of them a mark expects. Parameters of fixtures come in the order of scopes.
import pytest


@pytest.fixture
def breaks():
    yield
    raise RuntimeError("at the end")


@pytest.fixture(scope="class")
def class_breaks():
    yield
    raise KeyError("of the class")


@pytest.mark.xfail(reason="known")
def test_function(breaks):
    pass


@pytest.mark.xfail(raises=ValueError)
def test_other_error(breaks):
    pass


@pytest.mark.usefixtures("class_breaks")
class TestExpected:
    def test_first(self):
        pass

    @pytest.mark.xfail(reason="the last one")
    def test_last(self):
        pass


@pytest.mark.usefixtures("class_breaks")
class TestError:
    def test_only(self):
        pass


def test_after():
    pass


@pytest.fixture(scope="module", params=["wide", "long"])
def shape(request):
    return request.param


@pytest.fixture
def array(shape):
    return shape


@pytest.fixture(params=[1, 2])
def number(request):
    return request.param


class TestNearer:
    @pytest.fixture
    def array(self, array):
        return array + "!"

    def test_order(self, array, number):
        assert array in ("wide!", "long!")
