"""np.memmap and np.load(mmap_mode=) for reading; characters of element types."""
import tempfile
import numpy as np

with tempfile.TemporaryDirectory() as folder:
    np.arange(12, dtype=np.float32).tofile(folder + "/x.bin")
    m = np.memmap(folder + "/x.bin", dtype=np.float32, mode="r", shape=(2, 4), offset=8)
    print(np.asarray(m), m.dtype, m.shape, m.flags.writeable)
    for wrong in (lambda: m.__setitem__(0, 1), lambda: np.memmap(folder + "/x.bin", dtype=np.float32, mode="r", shape=(2, 40))):
        try:
            wrong()
        except ValueError as e:
            print(e)
    c = np.memmap(folder + "/x.bin", dtype=np.float32, mode="c")
    c[0] = 9
    print(c[:3], np.fromfile(folder + "/x.bin", np.float32)[:3])
    np.save(folder + "/y.npy", np.eye(2))
    y = np.load(folder + "/y.npy", mmap_mode="r")
    print(np.asarray(y), y.flags.writeable, y.sum())
print(np.typecodes["AllFloat"], np.typecodes["Integer"], np.mintypecode("fd"), np.mintypecode(["F", "d"]), np.mintypecode("i"), np.mintypecode([np.float32(1)]), np.getbufsize())
