import pytest

@pytest.mark.slow
@pytest.mark.chip
def test_known(pytestconfig): assert pytestconfig.getini("markers") == ["slow: takes long", "chip: needs a chip # of some kind"]

@pytest.mark.none
@pytest.mark.skip(reason="of another table")
def test_unknown(): pass
