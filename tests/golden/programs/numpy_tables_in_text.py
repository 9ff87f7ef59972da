# Tables in text: what is missing in which column, texts with blanks, encodings.
import io
import os
import tempfile

import numpy as np


def tell(text, read=np.genfromtxt, **options):
    try:
        print(options, read(io.StringIO(text), delimiter=",", **options).tolist())
    except ValueError as e:
        print(options, type(e).__name__, e)


tell("1,x\n2,3", loose=False)
tell("1,x\n2,3")
tell("1,N\nM,3", missing_values="N,M", filling_values=7)
tell("1,N\nM,3", missing_values=["N", "M"], filling_values=[7, 8])
tell("1,N\nM,3", missing_values={0: "M", 1: "N"}, filling_values={0: 5, 1: 6})
tell("1,N,3\n4,5,N", missing_values={2: ("N",)}, filling_values={1: 8, 2: 9}, usecols=(2, 1))
tell("1,\n 2 , 3", filling_values=0)
for read in (np.genfromtxt, np.loadtxt):
    tell("a, b\nc, d", read, dtype="U3")
tell("a, b\nc, d", dtype="U3", autostrip=True)
print([np.genfromtxt(io.StringIO("1,2,3\n4,5,6"), delimiter=",", usecols=(2, 0), converters={2: lambda s: float(s) * 10}).tolist()])
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "table.txt")
    np.savetxt(path, np.array([["é", "1"], ["ü", "2"]]), fmt="%s", encoding="latin-1")
    with open(path, "rb") as file:
        print(file.read())
    for read in (np.loadtxt, np.genfromtxt):
        print(read(path, dtype="U3", encoding="latin-1").tolist())
