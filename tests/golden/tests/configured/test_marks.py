import warnings
import pytest

@pytest.mark.slow
@pytest.mark.chip("v5e")
@pytest.mark.own
def test_known(): pass

@pytest.mark.slwo
def test_unknown(): pass

@pytest.mark.xfail
def test_strict(): pass

def test_warns(): warnings.warn("later", FutureWarning)

@pytest.mark.skip(reason="never")
def test_skipped(): pass
