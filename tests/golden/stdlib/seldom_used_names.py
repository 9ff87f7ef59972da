# Names of modules that few programs use.
import base64, io, difflib, sys, threading, codecs, tempfile, shutil, gc
o = io.BytesIO(); base64.encode(io.BytesIO(bytes(range(200))), o); print(o.getvalue()); p = io.BytesIO(); base64.decode(io.BytesIO(o.getvalue()), p); print(p.getvalue() == bytes(range(200)))
o = io.BytesIO(); base64.encode(io.BytesIO(b""), o); print(o.getvalue())
print(list(difflib.diff_bytes(difflib.unified_diff, [b"a\n", b"\xff\n"], [b"a\n", b"c\n"], b"x", b"y")))
try: list(difflib.diff_bytes(difflib.unified_diff, ["a"], [b"b"]))
except TypeError as e: print(e)
try: 1/0
except ZeroDivisionError as e: print(sys.exception() is e)
print(sys.exception(), sys.abiflags, sys.platlibdir, sys.getfilesystemencodeerrors(), sys.getprofile(), sys.getswitchinterval(), threading.gettrace(), threading.stack_size())
print(tempfile.TMP_MAX, tempfile.gettempprefixb(), tempfile.gettempdirb() == tempfile.gettempdir().encode(), issubclass(shutil.ExecError, OSError), shutil.SpecialFileError("x"), gc.get_debug())
print(codecs.BOM32_LE, codecs.BOM64_BE)
import os.path, zlib
print(os.path.devnull, os.path.defpath, os.path.samestat(os.stat("."), os.stat(".")), zlib.Z_PARTIAL_FLUSH, zlib.Z_BLOCK, zlib.Z_TREES)
