def test_after_others(machine):
    assert machine == 1
