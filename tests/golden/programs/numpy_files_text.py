# npy, npz and text files, in memory and in a folder of tempfile.
import io
import os
import tempfile

import numpy as np

a = np.arange(6, dtype=np.float32).reshape(2, 3)
with tempfile.TemporaryDirectory() as d:
    p = os.path.join(d, "a.npy")
    np.save(p, a)
    b = np.load(p)
    print(b, b.dtype, os.path.getsize(p), np.load(p, mmap_mode=None).shape)
    np.savez(os.path.join(d, "z.npz"), a, x=np.arange(3), y=np.array(5))
    with np.load(os.path.join(d, "z.npz")) as z:
        print(sorted(z.files), z["x"], z["arr_0"].shape, int(z["y"]), "x" in z, len(z))
        try:
            z["nope"]
        except KeyError as e:
            print(e)
    np.savetxt(os.path.join(d, "t.txt"), a, fmt="%.2f", delimiter=",", header="h")
    print(open(os.path.join(d, "t.txt")).read(), np.loadtxt(os.path.join(d, "t.txt"), delimiter=","), sep="")
    a.tofile(os.path.join(d, "raw"))
    print(np.fromfile(os.path.join(d, "raw"), np.float32), sorted(os.listdir(d)))
f = io.BytesIO()
np.save(f, np.asfortranarray(a))
f.seek(0)
print(f.getvalue()[:6], np.load(f).flags.f_contiguous)
print(np.loadtxt(io.StringIO("1 2\n# c\n3 4\n"), dtype=int), np.loadtxt(io.StringIO("1;2;3"), delimiter=";", usecols=(0, 2)), np.genfromtxt(io.StringIO("1,,3"), delimiter=","), np.fromstring("1 2 3", sep=" "))
for g in (lambda: np.load(io.BytesIO(b"junk")), lambda: np.loadtxt(io.StringIO("1 x")), lambda: np.load("/nonexistent/file.npy")):
    try:
        g()
    except Exception as e:
        print(type(e).__name__)
