# What bytes are not made of, as Python says it.
class Counted:
    def __getitem__(self, i):
        if i == 3:
            raise IndexError
        return 65 + i


class Iterated:
    def __iter__(self):
        return iter([66, 67])


print(bytes(Counted()), bytearray(Iterated()), bytes({68}), bytes(range(69, 72)))
for made_of in (1.5, None, object(), 'text', [1, 'a'], [256], [-1], len, Counted):
    try:
        print(bytes(made_of))
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
