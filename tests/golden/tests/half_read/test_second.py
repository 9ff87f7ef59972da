import no_such_module


def test_two():
    pass
