import numpy as np, io, os
def told(f, *a, **k):
    try: return f(*a, **k)
    except Exception as e: return f"{type(e).__name__}: {e}"
print(abs(np.array([-1.5, 2])), abs(np.float32(-2)), np.array(3).__abs__())
rng = np.random.default_rng(0)
for dtype in (np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16, np.float32, np.float64):
    for shape in ((), (3,), (2, 3), (0, 4), (2, 1, 5)):
        x = rng.integers(0, 100, shape).astype(dtype)
        np.save("numpy_x", x)
        y = np.load("numpy_x.npy")
        assert x.dtype == y.dtype and x.shape == y.shape and (x == y).all(), (dtype, shape)
print(os.path.getsize("numpy_x.npy"), open("numpy_x.npy", "rb").read(10), open("numpy_x.npy", "rb").read()[10:].split(b"}")[0])
np.savez("numpy_q.npz", np.arange(3), b=np.ones((2, 2), np.float32), c=7)
with np.load("numpy_q.npz") as f:
    print(f, f.files, f["arr_0"], f["b"], f["c"], f["b.npy"].dtype, "b" in f, "z" in f, len(f), list(f), [k for k, v in f.items()], f.f.b.sum(), f.get("zz", 5), told(lambda: f["z"]))
np.savez_compressed("numpy_z", a=np.zeros((100, 100)), r=rng.random(1000), i=np.arange(5000) % 7)
z = np.load("numpy_z.npz")
print(sorted(z.keys()), z["a"].sum(), z["r"][:3], z["i"].sum(), z["i"].shape)
b = io.BytesIO(); np.save(b, np.arange(4)); np.save(b, np.eye(2)); b.seek(0); print(np.load(b), np.load(b), told(np.load, b))
b = io.BytesIO(); np.savez(b, u=np.arange(2)); b.seek(0); print(np.load(b)["u"])
with open("numpy_two.npy", "wb") as f: np.save(f, np.arange(3.0))
print(np.load("numpy_two.npy"), told(np.load, "none.npy"), told(np.savez, "numpy_q", np.arange(2), arr_0=1))
open("numpy_bad.npy", "wb").write(b"hello"); print(told(np.load, "numpy_bad.npy"))
print(np.frombuffer(b"\1\0\2\0", np.int16), np.frombuffer(b"abcdef", "u1", 2, 1), told(np.frombuffer, b"abc", np.int16), told(np.frombuffer, b"abcd", np.int16, 3))
for name in ("numpy_x.npy", "numpy_q.npz", "numpy_z.npz", "numpy_two.npy", "numpy_bad.npy"): os.remove(name)

# One that NumPy compressed, whole and damaged.
whole = open("numpy_compressed.npz", "rb").read()
z = np.load("numpy_compressed.npz")
for k in z:
    print(k, z[k].dtype.kind, z[k].shape, z[k].ravel()[:5])
found, same = 0, 0
for i in range(0, len(whole), 3):
    damaged = whole[:i] + bytes([whole[i] ^ 0x55]) + whole[i + 1:]
    try:
        z = np.load(io.BytesIO(damaged))
        for k in z:
            z[k]
        same += 1
    except Exception:  # which it is depends on the byte
        found += 1
    assert damaged[:4] != b"PK\3\4" or len(damaged) == len(whole)
print(found > same)
