def test_same_room(room, machine):
    assert (room, machine) == ("room", 1)
