# SPDX-License-Identifier: Apache-2.0
# .npz files are zip archives: np.savez and zipfile read each other's, compressed, damaged, empty, behind other bytes.
import io
import os
import tempfile
import zipfile

import numpy as np

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
a, b = np.arange(12.0).reshape(3, 4), np.arange(5, dtype=np.int8)
np.savez("stored.npz", a, b=b)
np.savez_compressed("packed", a=np.zeros((1000, 1000)), b=b)
print(os.path.getsize("packed.npz") < 20000)
for path in ("stored.npz", "packed.npz"):
    with np.load(path) as arrays:
        print(sorted(arrays.files), {name: arrays[name].sum() for name in arrays}, "b" in arrays, arrays.f.b)
    with zipfile.ZipFile(path) as archive:
        print(archive.testzip(), [(info.filename, info.compress_type) for info in archive.infolist()])

memory = io.BytesIO()
np.savez(memory, q=a)
memory.seek(0)
print(np.load(memory)["q"])
np.savez("empty.npz")
print(np.load("empty.npz").files)

with open("stored.npz", "rb") as file:
    stored = file.read()
damaged = bytearray(stored)
damaged[stored.index(b"NUMPY") + 200] ^= 1
for name, data in (("damaged.npz", damaged), ("cut.npz", b"PK\x03\x04" + b"x" * 100)):
    with open(name, "wb") as file:
        file.write(data)
    try:
        print(np.load(name)["arr_0"])
    except zipfile.BadZipFile as error:
        print(name, error)

with open("behind.zip", "wb") as file:
    file.write(b"# in front\n" * 10 + stored)
print(zipfile.ZipFile("behind.zip").namelist(), zipfile.is_zipfile("behind.zip"), zipfile.is_zipfile(io.BytesIO(b"none")))
with zipfile.ZipFile("behind.zip", "a") as archive:
    archive.writestr("text.txt", "hello" * 100000, zipfile.ZIP_DEFLATED)
archive = zipfile.ZipFile("behind.zip")
print(archive.namelist(), len(archive.read("text.txt")), archive.testzip())
