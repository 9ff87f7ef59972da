# A file of which several tests are named is read once, and they share its fixtures.
import pytest

print('read')


@pytest.fixture(scope='module')
def shared():
    print('made')
    yield 1
    print('gone')


def test_first(shared):
    pass


def test_second(shared):
    pass


class TestThird:
    def test_third(self, shared):
        pass

    def test_other(self):
        pass


@pytest.mark.parametrize('x', [1, 2])
def test_with(x):
    pass
