def test_room(room, machine, wide):
    assert (room, machine, wide) == ("room", 1, 1)
