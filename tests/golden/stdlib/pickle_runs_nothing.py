# own: what a file may not do, CPython does
import pickle


class Careful:
    def __setstate__(self, state):
        print("never")

    def __setitem__(self, key, value):
        print("never")


class Container:
    def __setitem__(self, key, value):
        print("never")

    def append(self, value):
        print("never")


def helper(*args):
    print("never")


for data in (b"cos\nsystem\n(S'echo never'\ntR.", b"cposix\nsystem\n(S'echo never'\ntR.", b"c__builtin__\neval\n(S'print(1)'\ntR.", b"c__main__\nhelper\n(tR.", b"c__main__\nCareful\n)\x81}b.",
             b"c__main__\nContainer\n(tR.", b"c__main__\nContainer\n)\x81K\x01K\x02s.", b"c__main__\nContainer\n)\x81K\x01a.", b"c__main__\nContainer\n)\x81(K\x01K\x02u.", b"cbuiltins\ngetattr\n(c__main__\nhelper\nS'__globals__'\ntR.",
             b"\x80\x04\x8c\x08__main__\x8c\x0fhelper.__code__\x93.", b"csubprocess\nPopen\n(S'ls'\ntR.", b"cnumpy\nload\n(S'x'\ntR.", b"(K\x01i__main__\nhelper\n.", b"K\x01P."):
    try:
        print(pickle.loads(data))
    except Exception as e:
        print(type(e).__name__, e)
for value in (Careful(), open, (i for i in ()), ValueError("x"), print):
    try:
        print(len(pickle.dumps(value)) > 0)
    except Exception as e:
        print(type(e).__name__, e)
