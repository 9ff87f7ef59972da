import warnings
import pytest
def test_strict():
    with pytest.raises(pytest.fail.Exception, match="'unknown' not found in `markers` configuration option"):
        pytest.mark.unknown
def test_later(): assert 0
def test_patterns():
    with pytest.raises(UserWarning): warnings.warn("OLD")
    warnings.warn("a way")
    with pytest.warns(UserWarning): warnings.warn("a way out")
