# tarfile: archives written and read, plain and by gzip, long names, links, folders, what is refused.
import io
import os
import tarfile
import tempfile


def show(f):
    try:
        return repr(f())
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


for mode in ("w", "w:gz"):
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=mode, format=form) as tar:
            for name, data in (("a.txt", b"hello"), ("dir/b.bin", bytes(range(256)) * 5), ("dir/" + "n" * 90 + "/" + "m" * 60, b"long"), ("empty", b"")):
                info = tarfile.TarInfo(name)
                info.size, info.mtime, info.mode, info.uid, info.uname = len(data), 1700000000, 0o640, 7, "me"
                tar.addfile(info, io.BytesIO(data))
            folder = tarfile.TarInfo("dir")
            folder.type = tarfile.DIRTYPE
            tar.addfile(folder)
            link = tarfile.TarInfo("link")
            link.type, link.linkname = tarfile.SYMTYPE, "a.txt"
            tar.addfile(link)
        data = out.getvalue()
        print(mode, form, len(data) if mode == "w" else data[:2])
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            print(tar.getnames())
            for member in tar:
                print(member.name[:20], member.size, oct(member.mode), member.mtime, member.uid, member.uname, member.type, member.isfile(), member.isdir(), member.issym(), member.linkname)
            print(tar.extractfile("a.txt").read(), len(tar.extractfile("dir/b.bin").read()), tar.extractfile("link").read(), tar.extractfile("dir"), show(lambda: tar.getmember("zz")))
            print(tar.getmember("dir").name, tar.next() is not None, show(lambda: tar.add("x")))
        print(show(lambda: tar.getmembers()))
out = io.BytesIO()
with tarfile.open(fileobj=out, mode="w") as tar:
    info = tarfile.TarInfo("é/ü.txt")
    info.size = 2
    tar.addfile(info, io.BytesIO(b"ab"))
print(len(out.getvalue()), sum(out.getvalue()[1024:1536]), tarfile.open(fileobj=io.BytesIO(out.getvalue())).getnames())
with tempfile.TemporaryDirectory() as folder:
    os.makedirs(os.path.join(folder, "in", "sub"))
    for name in ("one.txt", "sub/two.txt"):
        with open(os.path.join(folder, "in", name), "w") as file:
            file.write(name * 3)
    path = os.path.join(folder, "out.tar.gz")
    with tarfile.open(path, "w:gz") as tar:
        tar.add(os.path.join(folder, "in"), arcname="top")
    print(tarfile.is_tarfile(path), tarfile.is_tarfile(os.path.join(folder, "in", "one.txt")))
    with tarfile.open(path) as tar:
        print(sorted(tar.getnames()))
        tar.extractall(os.path.join(folder, "x"), filter="data")
    print(open(os.path.join(folder, "x", "top", "sub", "two.txt")).read(), sorted(os.listdir(os.path.join(folder, "x", "top"))))
    with tarfile.open(os.path.join(folder, "bad.tar"), "w") as tar:
        info = tarfile.TarInfo("../evil")
        tar.addfile(info)
    with tarfile.open(os.path.join(folder, "bad.tar")) as tar:
        print(show(lambda: tar.extractall(folder + "/y", filter="data")).split(":")[0])
print(show(lambda: tarfile.open(fileobj=io.BytesIO(b"no tar at all" * 100))).split(":")[0], show(lambda: tarfile.open()), show(lambda: tarfile.TarFile(fileobj=io.BytesIO(), mode="q")))
