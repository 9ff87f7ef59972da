# Where a range has what: its first, its last, and what lies between two or beside them.
for r in (range(5), range(3, 20, 4), range(9, -1, -3), range(0), range(-2, 2), range(7, 8)):
    for value in (-3, -2, 0, 1, 3, 4, 7, 9, 15, 19, 0.0, 3.0, 2.5, True, 2**70):
        try:
            print(r, value, value in r, r.count(value), r.index(value))
        except ValueError as e:
            print(r, value, value in r, r.count(value), e)
