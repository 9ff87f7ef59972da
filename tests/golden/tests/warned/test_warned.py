import warnings


def test_first():
    pass


def test_warns():
    for _ in range(2):
        warnings.warn("old way")


def test_last():
    pass
