# io.StringIO and io.BytesIO: drawn calls of every method, with each newline=; copies, classes that derive from them, what is closed.
import copy
import io
import random

rng = random.Random(5)
def show(f):
    try:
        r = f()
        return repr(r) if not hasattr(r, "getvalue") else "obj"
    except Exception as e:
        return type(e).__name__ + ": " + str(e)
texts = ["", "a", "ab\n", "\n", "x\ry\r\nz", "é\n", "日本\r\n語", "line one\nline two\nthree", "\r", "\r\n\r\n", "😀b\n\n", "\0z"]
for trial in range(90):
    nl = rng.choice([None, "", "\n", "\r", "\r\n", "\n", "\n"])
    s = io.StringIO(rng.choice(texts + [None]), nl)
    log = [repr(nl)]
    for step in range(rng.randrange(1, 14)):
        k = rng.randrange(14)
        if k <= 3: t = rng.choice(texts); f = lambda: s.write(t)
        elif k == 4: a = rng.choice([-1, None, 0, 1, 2, 5, 100, "x", 1.5]); f = lambda: s.read(a)
        elif k == 5: a = rng.choice([-1, None, 0, 1, 2, 5, 100, "x"]); f = lambda: s.readline(a)
        elif k == 6: a = rng.choice([0, 1, 3, 7, 20, -1]); w = rng.choice([0, 0, 0, 1, 2, 3, -1]); f = lambda: s.seek(a, w)
        elif k == 7: f = lambda: s.tell()
        elif k == 8: a = rng.choice([None, 0, 1, 3, 30, -1, "x"]); f = lambda: s.truncate(a)
        elif k == 9: f = lambda: s.readlines()
        elif k == 10: f = lambda: list(s)
        elif k == 11: f = lambda: s.newlines
        elif k == 12: f = lambda: s.writelines(["p", "q\n"])
        else: f = lambda: s.seek(0, 2)
        log.append(f"{k}:" + show(f) + "|" + show(s.getvalue) + "@" + show(s.tell))
        if rng.random() < .02: s.close(); log.append("closed " + str(s.closed))
    print(" ; ".join(log))
datas = [b"", b"a", b"ab\n", b"\n", b"x\ry\r\nz", bytes(range(5)), bytearray(b"q\nr"), memoryview(b"mem\n")]
for trial in range(60):
    s = io.BytesIO(rng.choice(datas))
    log = []
    for step in range(rng.randrange(1, 12)):
        k = rng.randrange(12)
        if k <= 3: t = rng.choice(datas); f = lambda: s.write(t)
        elif k == 4: a = rng.choice([-1, None, 0, 1, 2, 5, 100, "x", 1.5]); f = lambda: s.read(a)
        elif k == 5: a = rng.choice([-1, None, 0, 1, 2, 5, 100, "x"]); f = lambda: s.readline(a)
        elif k == 6: a = rng.choice([0, 1, 3, 7, 20, -1]); w = rng.choice([0, 0, 0, 1, 2, 3, -1]); f = lambda: s.seek(a, w)
        elif k == 7: f = lambda: s.tell()
        elif k == 8: a = rng.choice([None, 0, 1, 3, 30, -1, "x"]); f = lambda: s.truncate(a)
        elif k == 9: f = lambda: s.readlines()
        elif k == 10: b = bytearray(4); f = lambda: (s.readinto(b), bytes(b))
        else: f = lambda: s.write("text")
        log.append(f"{k}:" + show(f) + "|" + show(s.getvalue) + "@" + show(s.tell))
        if rng.random() < .02: s.close(); log.append("closed " + str(s.closed))
    print(" ; ".join(log))
for make in (lambda: io.StringIO("abc\ndef"), lambda: io.BytesIO(b"abc\ndef")):
    s = make(); s.read(2); s.tag = 5
    for c in (copy.copy(s), copy.deepcopy(s)):
        print(c.tell(), c.getvalue(), c.tag, type(c).__name__)
    print(isinstance(s, io.IOBase), isinstance(s, io.TextIOBase), isinstance(s, io.BufferedIOBase), s.isatty(), s.seekable(), s.readable(), s.writable(), type(s).__module__, type(s).__qualname__)
    print(show(s.fileno), show(s.detach), show(s.flush))
    with s as t: print(t is s)
    print(s.closed, show(s.read), show(s.__enter__), show(lambda: next(s)), show(s.close), show(s.readable))
class Tee(io.StringIO):
    def __init__(self, other): super().__init__(); self.other = other
    def write(self, s): self.other.append(s); return super().write(s.upper())
o = []
t = Tee(o)
t.write("hi")
t.write("x\n")
print(o, t.getvalue())
class R(io.StringIO):
    def readline(self, size=-1): return super().readline(size).upper()
print(list(R("a\nb\n")), [l for l in R("q\nr")], R("z\nw").readlines())
b = io.BytesIO(b"hello"); v = b.getbuffer(); v[0] = 72; print(b.getvalue(), v.nbytes, v.readonly)
for a in ((5,), (b"x",), ("a", 5), ("a", "x")): print(show(lambda: io.StringIO(*a)))
for a in ((5,), ("x",), (None,)): print(show(lambda: io.BytesIO(*a)))
print(show(lambda: io.StringIO("a\r\nb", newline=None).read()))
