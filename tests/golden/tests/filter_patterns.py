# cmd: test {} -v -W ignore:o.d -W ignore:wa{1} -W error:a.c
# status: 1
"""Messages of filters are patterns in marks and literal in -W."""
import warnings
import pytest


def told(text, category=UserWarning):
    with warnings.catch_warnings(record=True) as log:
        try:
            warnings.warn(text, category)
        except Warning as error:
            return f"raised {error}"
        return [str(item.message) for item in log]


def test_literal():
    assert told("old") == ["old"]
    assert told("O.D way") == []
    assert told("wa") == ["wa"]
    assert told("abc") == ["abc"]
    assert told("A.c") == "raised A.c"


@pytest.mark.filterwarnings("error:o.d", r"ignore:.*\(1\)$", "default:new|older")
def test_patterns():
    assert told("OLD way") == "raised OLD way"
    assert told("old (1)") == []
    assert told("older (1)") == ["older (1)"]
    assert told("anew") == ["anew"]


@pytest.mark.filterwarnings("e::UserWarning:filter_patterns$", "ignore:::elsewhere", "ign::FutureWarning::11")
def test_modules_and_lines():
    assert told("here") == "raised here"
    assert told("here", FutureWarning) == []


@pytest.mark.filterwarnings("ignore:a(")
def test_no_pattern():
    pass


@pytest.mark.filterwarnings("ignore:a:Warning:b:c")
def test_no_line():
    pass


@pytest.mark.filterwarnings("ignore:a:Warning:b:1:2")
def test_too_many():
    pass
