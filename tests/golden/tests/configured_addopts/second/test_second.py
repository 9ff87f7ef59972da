def test_second(): pass
