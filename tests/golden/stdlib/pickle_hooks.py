# pickle: persistent ids, classes that a program allows, buffers beside the file, codes, fractions that stay as they are.
import io
import pickle
from fractions import Fraction


def show(f):
    try:
        return repr(f())
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


class Record:
    def __init__(self, key):
        self.key = key


class Writer(pickle.Pickler):
    def persistent_id(self, obj):
        return ("Record", obj.key) if isinstance(obj, Record) else None


class Reader(pickle.Unpickler):
    def persistent_load(self, pid):
        kind, key = pid
        if kind != "Record":
            raise pickle.UnpicklingError("unsupported persistent object")
        return Record(key * 10)


class Strict(pickle.Unpickler):
    def find_class(self, module, name):
        if module == "builtins" and name in ("range", "complex"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"global '{module}.{name}' is forbidden")


out = io.BytesIO()
Writer(out).dump([Record(1), {"a": Record(2)}, (Record(3), "plain")])
found = Reader(io.BytesIO(out.getvalue())).load()
print(found[0].key, found[1]["a"].key, found[2][0].key, found[2][1], out.getvalue().count(b"Q"))
print(show(lambda: pickle.loads(out.getvalue())).split(",")[0])
print(Strict(io.BytesIO(pickle.dumps([1, range(3), 2j]))).load(), show(lambda: Strict(io.BytesIO(pickle.dumps(Record(1)))).load()), show(lambda: Strict(io.BytesIO(pickle.dumps({frozenset([1])}))).load()))
buffers = []
data = pickle.dumps([pickle.PickleBuffer(b"read only"), pickle.PickleBuffer(bytearray(b"may change"))], protocol=5, buffer_callback=buffers.append)
print(len(buffers), [bytes(b.raw()) for b in buffers], data[:2], pickle.NEXT_BUFFER in data, pickle.READONLY_BUFFER in data)
print([bytes(b) for b in pickle.loads(data, buffers=[b.raw() for b in buffers])], show(lambda: pickle.loads(data)), show(lambda: pickle.loads(data, buffers=[])))
inside = pickle.dumps([pickle.PickleBuffer(b"in"), pickle.PickleBuffer(bytearray(b"side"))], protocol=5)
print(pickle.loads(inside), show(lambda: pickle.dumps(pickle.PickleBuffer(b"x"), protocol=4)), show(lambda: pickle.dumps(1, protocol=4, buffer_callback=print)))
print(pickle.HIGHEST_PROTOCOL, pickle.DEFAULT_PROTOCOL, pickle.MARK, pickle.STOP, pickle.PROTO, pickle.EMPTY_DICT, pickle.BINGET, show(lambda: pickle.Pickler(5)), show(lambda: pickle.Unpickler(5)), show(lambda: pickle.dumps(1, 7)))
a, b = Fraction(6, 35), Fraction(-10, 21)
print(a + b, a - b, a * b, a / b, a + 1, 2 - a, a == Fraction(12, 70), a < 1, show(lambda: a / 0), show(lambda: b / Fraction(0)), Fraction(True, 2), a + 0.5, a * 1j, pickle.loads(pickle.dumps(a)))
