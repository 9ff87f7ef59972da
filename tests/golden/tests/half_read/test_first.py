def test_one():
    pass
