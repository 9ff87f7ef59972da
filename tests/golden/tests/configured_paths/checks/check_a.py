import unittest
import pytest
def check_one(request): assert "noted" in request.fixturenames
def it_two(): pass
def its_not(): assert 0
def test_not(): assert 0
def check_skipme(): assert 0
class CheckIt:
    def check_m(self): pass
    def test_m(self): assert 0
    class InnerSuite:
        def it_does(self): pass
class MySuite:
    def it_does(self): pass
class TestNo:
    def check_m(self): assert 0
def check_ini(pytestconfig):
    assert [pytestconfig.getini(n) for n in ("x","xs","xl","xb","xp","xd")] == ["",[],[],False,[],None]
    with pytest.raises(ValueError, match=r"^unknown configuration value: 'nope'$"): pytestconfig.getini("nope")
    assert pytestconfig.getini("addopts") == ["-k", "not skipme", "--strict-markers"]
    assert pytestconfig.getini("python_classes") == ["Check", "*Suite"]
def nose(): pass
nose.__test__ = True
class Wild:
    def __getattr__(self, name): return 1 / 0
wild = Wild()
