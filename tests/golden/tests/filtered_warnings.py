# cmd: test {}
# status: 1
"""Marks that say what becomes of warnings."""
import warnings
import pytest


@pytest.mark.filterwarnings("error")
def test_every_warning_fails():
    warnings.warn("old")


@pytest.mark.filterwarnings("error::DeprecationWarning")
def test_of_another_class():
    with warnings.catch_warnings(record=True) as log:
        warnings.warn("only told")
    assert len(log) == 1


@pytest.mark.filterwarnings("error", "ignore:old:UserWarning")
class TestClass:
    def test_what_the_last_says(self):
        warnings.warn("old way")

    def test_others_fail(self):
        with pytest.raises(RuntimeWarning, match="new"):
            warnings.warn("new", RuntimeWarning)

    @pytest.mark.filterwarnings("error:old")
    def test_the_innermost(self):
        with pytest.raises(UserWarning):
            warnings.warn("old way")


@pytest.mark.filterwarnings("ignore")
def test_silent():
    warnings.warn("nobody sees it")


@pytest.mark.filterwarnings("eror")
def test_misspelt():
    pass


@pytest.mark.filterwarnings("ignore::NoSuchWarning")
def test_no_class():
    pass


def test_afterwards():
    with pytest.warns(UserWarning):
        warnings.warn("told")
