# What else can be said on the command line.
import warnings


def test_deprecated():
    warnings.warn('old', DeprecationWarning)
    warnings.warn('later', PendingDeprecationWarning)


def test_fails():
    left = [1, 2]
    assert left == [1, 3]
