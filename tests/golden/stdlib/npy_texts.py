# Arrays of texts in files.
import io
import numpy as np

for a in (np.array(["a", "bcd", "é"]), np.array([["x", ""], ["yz", "w"]]), np.array([b"ab", b"c"]), np.array("alone"), np.zeros((0, 2), "U4")):
    file = io.BytesIO()
    np.save(file, a)
    file.seek(0)
    print(len(file.getvalue()), file.getvalue()[10:60])
    b = np.load(file)
    print(repr(b), b.dtype, b.shape, (a == b).all())
file = io.BytesIO()
np.savez(file, names=np.array(["w", "bias"]), x=np.arange(2))
file.seek(0)
with np.load(file) as z:
    print(z["names"], z["x"])
np.set_printoptions(formatter={"float": "{:+.2f}".format})
with np.printoptions(precision=1):
    print(np.ones(2) / 3)
print(np.ones(2) / 3)
