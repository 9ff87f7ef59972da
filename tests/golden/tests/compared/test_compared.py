# Hooks that say in what operands differ, or that speak of the end; the module of a request is Python's; xfail() where it is not heard.
import sys
import pytest


def test_sets():
    assert {1, 2} == {2, 3}


def test_others():
    assert 1 == 2


def test_module(request):
    assert request.module is sys.modules[__name__] and request.node.module is request.module and request.module.__name__ == "test_compared"


def test_xfail():
    pytest.xfail("known")
