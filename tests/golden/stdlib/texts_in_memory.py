# io.StringIO and io.BytesIO: what is written at the end, in the middle and behind the end, read in lines and parts between; many short writes.
import io
import random

random.seed(4)
for pieces, empty in ((["a", "line\n", "\u00fc\n\nz", ""], ""), ([b"a", b"line\n", b"\xfc\n\nz", b""], b"")):
    make = io.BytesIO if empty == b"" else io.StringIO
    shown = []
    for trial in range(60):
        f = make(random.choice([empty, pieces[1] * 2, pieces[2] + pieces[0]]))
        out = []
        for k in range(30):
            op = random.randrange(9)
            if op < 3:
                out.append(f.write(random.choice(pieces)))
            elif op == 3:
                out.append(f.readline())
            elif op == 4:
                out.append(f.readline(random.randrange(-1, 4)))
            elif op == 5:
                out.append(f.read(random.choice([-1, None, 2, 0])))
            elif op == 6:
                out.append(f.seek(random.choice([0, 1, 3, f.tell(), 50])) if random.random() < 0.7 else f.seek(0, 2))
            elif op == 7:
                out.append((f.getvalue(), f.tell()))
            else:
                out.append(next(f, None) if random.random() < 0.8 else f.truncate(random.choice([None, 2, 10])))
        shown.append(out)
    print(shown[:3])
    print(sum(len(repr(out)) * (i + 1) for i, out in enumerate(shown)), repr(shown)[-300:])
text, data = io.StringIO(), io.BytesIO()
for i in range(60000):
    print(i, file=text)
    data.write(b"%d\n" % i)
print(len(text.getvalue()), len(data.getvalue()), text.tell(), data.tell())
text.seek(0), data.seek(0)
print(sum(int(line) for line in text), sum(int(line) for line in data))
