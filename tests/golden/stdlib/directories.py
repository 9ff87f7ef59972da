import inspect
import io
import os
import pathlib


def told(f, *args, **kwargs):
    try:
        return f(*args, **kwargs)
    except OSError as e:
        return type(e).__name__


base = "/tmp/pallasc-no-such-folder"
cache = pathlib.Path(base) / "a" / "b"
print(os.path.isdir(base), cache.exists(), told(os.mkdir, str(cache)), told(cache.mkdir))
cache.mkdir(parents=True, exist_ok=True)
print(os.path.isdir(base), os.path.isdir(base + "/a"), cache.exists(), cache.is_dir(), cache.is_file())
print(told(os.makedirs, cache), told(os.makedirs, cache, exist_ok=True), told(cache.mkdir, exist_ok=True), told(os.mkdir, base + "/c"), os.path.exists(base + "/c"))
print(isinstance(io.StringIO(), io.TextIOBase), issubclass(io.RawIOBase, io.IOBase), isinstance(3, io.BufferedIOBase))
for d in ("c", "a/b", "a", ""):
    if hasattr(os, "rmdir"):  # CPython makes them on the disk
        os.rmdir(os.path.join(base, d))
