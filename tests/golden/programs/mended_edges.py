import base64, binascii, io, os, pathlib, tempfile
import numpy as np
a = np.arange(10)
for f in (lambda: np.percentile(a, 101), lambda: np.percentile(a, [5, -1]), lambda: np.quantile(a, 1.5), lambda: np.quantile(a, np.nan), lambda: np.percentile(a, [0, 100]), lambda: np.quantile(a, [0, 1, .5]), lambda: a[np.ones((2, 2), bool)], lambda: np.ones((2, 3))[np.ones((2, 3), bool), 0], lambda: np.ones((2, 3))[np.ones((3, 2), bool)], lambda: np.dtype('zz'), lambda: a.astype('q9'), lambda: np.einsum('i,ij->j', a, a), lambda: np.diff(a, prepend=0, append=[20, 21]), lambda: np.diff(np.eye(2), axis=0, prepend=5), lambda: np.diff(5, prepend=1), lambda: np.diff(a, n=2, append=0), lambda: np.arange(3, dtype='>i2' if False else 'i2').byteswap(), lambda: np.float64(1).byteswap(), lambda: np.array([1 + 2j]).byteswap().byteswap(), lambda: np.eye(2, dtype=np.int32).byteswap(inplace=True), lambda: np.uint8(3).byteswap()):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
for f in (lambda: base64.b64decode('abc'), lambda: base64.b64decode('a'), lambda: base64.b64decode('a$b=', validate=True), lambda: base64.b32decode('A'), lambda: base64.b32decode('11======'), lambda: base64.b16decode('ab'), lambda: base64.b16decode('AX'), lambda: binascii.a2b_base64('abc'), lambda: base64.b85decode('~~'), lambda: base64.b16decode('AB')):
    try: print(f())
    except binascii.Error as e: print('Error', e)
    except ValueError as e: print('ValueError', e)
b = io.BytesIO(b'hello'); t = bytearray(3); print(b.readinto(t), t, b.readinto(t), t, b.readinto(t), bytes(b.getbuffer()[1:3]), b.getbuffer().nbytes)
with tempfile.TemporaryDirectory() as d:
    p = pathlib.Path(d); (p / 'x').write_bytes(b'12345')
    with open(p / 'x', 'rb') as f: print(f.readinto(t), t, f.tell())
    for f in (lambda: p.mkdir(), lambda: os.mkdir(p / 'q' / 'r'), lambda: os.makedirs(p)):
        try: f()
        except OSError as e: print(type(e).__name__, e.errno, e.strerror, e.filename is not None)
print(pathlib.PurePosixPath('/a b/é').as_uri(), pathlib.PurePosixPath('/').as_uri())
try: pathlib.PurePosixPath('a').as_uri()
except ValueError as e: print(e)
import decimal
from decimal import Decimal as D
with decimal.localcontext(decimal.Context(prec=3)) as c:
    D(1) / 3; print(c.flags[decimal.Inexact], c.flags[decimal.Rounded]); c.clear_flags(); D('1.00') + 1; print(c.flags[decimal.Inexact], c.flags[decimal.Rounded]); D('1000') + D('1.0'); D(1000) * 10; print(c.flags[decimal.Inexact], c.flags[decimal.Rounded])
for signal in (decimal.Inexact, decimal.Rounded):
    with decimal.localcontext() as c:
        c.traps[signal] = True
        try: D(1) / 3
        except decimal.Inexact: print('inexact')
        except decimal.Rounded: print('rounded')
