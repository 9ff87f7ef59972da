# What random programs found: types of iterators, words of messages, what int() makes of a bool.


class Truth:
    def __index__(self):
        return True


print(int(Truth()), type(int(Truth())).__name__, [1, 2][Truth()], int(True), type(int(True)).__name__)
for text in ("abc", "é", ""):
    print(type(iter(text)).__name__)
for template in (b"", "", b"%d"):
    try:
        print(template % (9, 8))
    except TypeError as error:
        print(error)
try:
    iter("abc").send(1)
except AttributeError as error:
    print(error)

# functools.reduce says itself what it cannot go through.
import functools
for things in (3, None, []):
    try:
        functools.reduce(max, things)
    except TypeError as e:
        print(e)
