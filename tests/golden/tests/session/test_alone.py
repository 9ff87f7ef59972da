def test_alone():
    pass
