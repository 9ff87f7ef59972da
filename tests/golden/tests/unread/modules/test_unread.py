def test_a():
    assert True

def test_b(:
    pass
