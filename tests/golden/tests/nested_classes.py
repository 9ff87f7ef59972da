# cmd: test {} -v
# status: 1
# Fixtures and marks of a class hold for the classes in it; partials of functions are tests.
import functools
import pytest


@pytest.fixture
def number():
    return 1


def check(number, bound):
    assert number <= bound


test_partial = functools.partial(check, bound=2)
test_twice = functools.partial(functools.partial(check, bound=0))


@pytest.mark.parametrize('step', [1, 2])
class TestOuter:
    base = 10

    @pytest.fixture
    def place(self):
        return 'outer', self.base

    def test_own(self, place, step):
        assert place == ('outer', 10)

    class TestInner:
        @pytest.fixture(autouse=True)
        def prepared(self, request):
            request.instance.ready = True

        def test_of_outer(self, place, step):
            assert place == ('outer', 10) and self.ready

        class TestDeep:
            @pytest.fixture
            def place(self, place):
                return 'deep', place

            def test_layers(self, place, step):
                assert place == ('deep', ('outer', 10)) and self.ready
