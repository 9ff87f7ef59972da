# Compressed files, and files and folders around them.
import gzip, io, os, tempfile, shutil, zlib, pathlib, json, base64, hashlib
d = tempfile.mkdtemp(); p = os.path.join(d, "x.gz")
with gzip.open(p, "wb") as f: f.write(b"hello " * 100)
with gzip.open(p, "rb") as f: data = f.read()
print(len(data), data[:12], os.path.getsize(p) < 600)
with gzip.open(p, "wt", encoding="utf-8") as f: f.write("line 1\nline 2\n"); print("line 3", file=f)
with gzip.open(p, "rt") as f:
    for l in f: print(repr(l))
c = gzip.compress(b"abc" * 50, mtime=0); print(gzip.decompress(c) == b"abc" * 50, c[:4])
buf = io.BytesIO()
with gzip.GzipFile(fileobj=buf, mode="wb") as g: g.write(json.dumps({"a": [1, 2]}).encode())
buf.seek(0)
with gzip.GzipFile(fileobj=buf) as g: print(json.load(g))
try: gzip.decompress(b"not gzip")
except gzip.BadGzipFile as e: print(type(e).__name__, e)
try: gzip.decompress(c[:-5])
except EOFError as e: print(type(e).__name__, e)
q = pathlib.Path(d) / "sub" / "f.txt"; q.parent.mkdir(); q.write_text("α\nb\n", encoding="utf-8"); print(q.read_text(encoding="utf-8").split(), q.stat().st_size, q.suffix, q.stem, q.parent.name)
print(sorted(x.name for x in pathlib.Path(d).rglob("*"))); shutil.copy(q, pathlib.Path(d) / "g.txt"); print(os.listdir(d).__len__())
shutil.copytree(q.parent, pathlib.Path(d) / "t2"); shutil.move(pathlib.Path(d) / "g.txt", pathlib.Path(d) / "h.txt"); print(sorted(os.listdir(d)))
print(zlib.crc32(b"abc"), zlib.adler32(b"abc"), zlib.decompress(zlib.compress(b"z" * 9)), base64.b64encode(b"abc?>"), base64.urlsafe_b64encode(b"abc?>\xff"), hashlib.sha256(b"x").hexdigest()[:16])
shutil.rmtree(d); print(os.path.exists(d))
with tempfile.TemporaryDirectory(prefix="zz") as t: print(os.path.basename(t)[:2], os.path.isdir(t))
with tempfile.NamedTemporaryFile("w+", suffix=".txt") as f: f.write("abc"); f.flush(); f.seek(0); print(f.read(), f.name.endswith(".txt"))
print(os.path.exists(t)); 
co = zlib.compressobj(); z = co.compress(b"a" * 100) + co.flush(); do = zlib.decompressobj(); print(do.decompress(z) == b"a" * 100)

many = gzip.compress(b"one") + gzip.compress(b"two", 1) + b"\0\0"
print(gzip.decompress(many), gzip.decompress(b""))
for bad in (many[:8], many[:-3] if many[-1] else many[:-4], c[:10] + b"\xff" * 20, b"\x1f\x8b\x07" + c[3:], c[:-8] + b"\0" * 8):
    try:
        print(gzip.decompress(bad))
    except (OSError, EOFError, zlib.error) as e:
        print(type(e).__name__)
for mode in ("q", "rtb"):
    try:
        gzip.open("x.gz", mode)
    except ValueError as e:
        print(e)
