def test_slow():
    assert False
