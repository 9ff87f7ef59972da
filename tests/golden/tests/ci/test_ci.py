import unittest
import warnings

import pytest


@pytest.mark.parametrize("text", ['<a href="x">&amp;', "]]>\x01\n"])
def test_hostile(text):
    assert text == "<\x00\ud800>", text


class TestOne:
    def test_skipped(self):
        pytest.skip("no <chip>")

    @pytest.mark.xfail(reason="not yet")
    def test_expected(self):
        assert False

    @pytest.mark.xfail(reason="not yet")
    def test_unexpected(self):
        pass


def test_old():
    warnings.warn("old way", FutureWarning)


@pytest.fixture
def broken():
    raise ValueError("no fixture")


def test_error(broken):
    pass


class Cases(unittest.TestCase):
    def test_case(self):
        pass
