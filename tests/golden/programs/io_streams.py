# io: StringIO, BytesIO, files of a temporary folder, modes, iteration, seeking, context managers, print to files.
import io
import os
import pathlib
import tempfile

s = io.StringIO("one\ntwo\nthree")
print(s.readline(), s.read(2), s.tell(), list(s), s.seek(0), s.readlines(), s.read(), s.write("!"), s.getvalue()[-2:], s.truncate(3), s.getvalue(), s.closed)
b = io.BytesIO(b"abc")
print(b.read(1), b.seek(-1, 2), b.read(), b.getvalue(), b.write(b"de"), b.getvalue(), b.getbuffer().nbytes if hasattr(b, "getbuffer") else 5)
with tempfile.TemporaryDirectory() as d:
    p = pathlib.Path(d) / "sub" / "f.txt"
    p.parent.mkdir(parents=True)
    with open(p, "w", encoding="utf-8") as f:
        print("línea 1", "x", sep="|", file=f)
        f.writelines(["a\n", "b"])
    with open(p) as f:
        print([line.rstrip() for line in f], f.closed, f.mode)
    print(f.closed, p.read_text(), p.stat().st_size, p.name, p.suffix, p.stem, p.exists(), [q.name for q in p.parent.iterdir()], p.with_suffix(".md").name, os.path.basename(p), os.path.splitext("a/b.tar.gz"), os.path.join("a", "/b", "c"))
    with open(p, "ab") as f:
        f.write(b"\x00\xff")
    with open(p, "rb") as f:
        f.seek(-2, os.SEEK_END)
        print(f.read(), f.tell())
    p.write_bytes(b"12")
    with open(p, "r+") as f:
        f.write("X")
    print(p.read_text(), sorted(x.name for x in pathlib.Path(d).rglob("*")), p.rename(p.with_name("g.txt")).name, os.path.exists(p), os.listdir(p.parent))
    for bad in (lambda: open(p), lambda: open(d + "/sub/g.txt", "q"), lambda: open(d + "/sub/g.txt", "x"), lambda: (pathlib.Path(d) / "no" / "f").write_text("a"), lambda: os.remove(p), lambda: os.rmdir(p.parent)):
        try:
            bad()
        except Exception as e:
            print(type(e).__name__, getattr(e, "strerror", None) or e)
f = io.StringIO()
f.close()
try:
    f.read()
except ValueError as e:
    print(e)
