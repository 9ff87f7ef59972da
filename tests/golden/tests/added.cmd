test added/options --big --size=3 -v
