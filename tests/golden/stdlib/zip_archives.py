# SPDX-License-Identifier: Apache-2.0
# Archives that are written, read, extended and damaged; deviations rounded once.
import io
import os
import statistics
import tempfile
import zipfile


def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


with tempfile.TemporaryDirectory() as d:
    path = os.path.join(d, "z.zip")
    with open(os.path.join(d, "f.txt"), "w") as f:
        f.write("file\n" * 50)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("m/n.txt", "x" * 1000)
        z.write(os.path.join(d, "f.txt"), "g/f.txt")
        z.writestr(zipfile.ZipInfo("fixed", (2001, 2, 3, 4, 5, 7)), b"\0\1\2")
        z.writestr("é", "ü", compress_type=zipfile.ZIP_STORED)
        z.mkdir("folder")
        z.comment = b"said"
        with z.open("w.bin", "w") as f:
            f.write(b"ab")
            f.write(b"cd")
            t(lambda: z.writestr("q", b""))
        t(lambda: z.getinfo("nothing"))
        print(z.mode, z.namelist())
    t(lambda: z.read("m/n.txt"))
    t(lambda: z.writestr("x", "y"))
    with zipfile.ZipFile(path) as z:
        print(z.namelist(), z.comment, z.testzip())
        for info in z.infolist():
            print(info.filename, info.file_size, info.CRC, info.compress_type, oct(info.external_attr), info.flag_bits, info.is_dir())
        print(repr(z.getinfo("fixed")), z.getinfo("fixed").date_time, repr(z.getinfo("folder/")), repr(z.getinfo("m/n.txt"))[:40])
        print(z.read("g/f.txt")[:9], z.read("é").decode(), z.open("w.bin").read(3))
        print(io.TextIOWrapper(z.open("g/f.txt"), "utf-8").readline())
        z.extractall(os.path.join(d, "out"))
        print(sorted(os.path.relpath(os.path.join(r, n), d) for r, _, ns in os.walk(os.path.join(d, "out")) for n in ns))
        t(lambda: z.writestr("x", "y"))
    with zipfile.ZipFile(path, "a") as z:
        z.writestr("more", "later")
    with zipfile.ZipFile(path) as z:
        print(z.namelist()[-1], z.read("more"), z.read("fixed"), len(z.namelist()))
    t(lambda: zipfile.ZipFile(path, "q"))
    t(lambda: zipfile.ZipFile(path, "x") and 1 if False else 0)
    print(zipfile.is_zipfile(path), zipfile.is_zipfile(os.path.join(d, "f.txt")), zipfile.is_zipfile(os.path.join(d, "none")))
    data = bytearray(open(path, "rb").read())
    at = data.index(b"\0\1\2", 40)
    data[at] = 9
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as z:
        print(z.testzip())
        t(lambda: z.read("fixed"))
    t(lambda: zipfile.ZipFile(io.BytesIO(b"no zip file")))
    front = io.BytesIO(b"#! a head\n" + open(path, "rb").read())
    with zipfile.ZipFile(front) as z:
        print(z.read("more"))
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as z:
        z.writestr("a", b"")
        z.writestr("a/../../b", "beside")
    print(zipfile.ZipFile(memory).namelist(), [os.path.basename(zipfile.ZipFile(memory).extract("a/../../b", os.path.join(d, "k")))])
with tempfile.TemporaryDirectory() as d:
    import numpy as np
    np.savez(os.path.join(d, "x.npz"), a=np.arange(3), b=np.ones((2, 2)))
    with zipfile.ZipFile(os.path.join(d, "x.npz")) as z:
        print(z.namelist(), z.testzip(), np.load(io.BytesIO(z.read("a.npy"))))
values = [1.0, 1 / 3, 0.2, 1 / 7]
print(statistics.stdev(values), statistics.pstdev(values), statistics.stdev([1, 2, 4, 4, 9]), statistics.pstdev([10**200, 1]), statistics.stdev([1e-170, 3e-170]), statistics.stdev([5, 5]))
print([statistics.stdev([k / 7, k * k / 3, 1 / k, k]) for k in range(1, 30)])
