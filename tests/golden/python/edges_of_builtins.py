# SPDX-License-Identifier: Apache-2.0
# What bytes and bytearrays are made of, the encoding cp1252, and divisions, unions and contexts at their edges.
def show(f):
    try: print("ok", f())
    except BaseException as e: print(type(e).__name__, e)
def x(b, v): b[0:1] = v
show(lambda: bytes(1.5))
show(lambda: bytes([300]))
show(lambda: bytes(['a']))
show(lambda: bytearray([300]))
show(lambda: bytearray(['a']))
show(lambda: bytearray(1.5))
show(lambda: bytearray(None))
show(lambda: x(bytearray(b'a'), [300]))
show(lambda: x(bytearray(b'a'), 1.5))
show(lambda: x(bytearray(b'a'), 3))
show(lambda: x(bytearray(b'a'), 'abc'))
show(lambda: x(bytearray(b'a'), None))
show(lambda: bytearray(b'a').extend(1.5))
show(lambda: bytearray(b'a').extend([300]))
show(lambda: bytearray(b'a').extend('abc'))
show(lambda: bytearray(b'a').extend(''))
show(lambda: int.from_bytes('abc'))
show(lambda: int.from_bytes(1.5))
show(lambda: int.from_bytes([300]))
class B:
    def __bytes__(self): return b'q'
show(lambda: bytes(B()))
show(lambda: bytearray(B()))
class C(bytearray): pass
show(lambda: C([300]))
show(lambda: C(2.5))
show(lambda: bytes(5, 'a'))
show(lambda: bytearray('a', 'ascii', 'x'))
show(lambda: bytes(b'a', 'ascii'))
for enc in ('cp1252', 'windows-1252', '1252', 'CP1252'):
    show(lambda: 'é€ŒŸ'.encode(enc))
    show(lambda: bytes(range(0x7f, 0x81)).decode(enc))
    show(lambda: b'\x81'.decode(enc))
    show(lambda: b'a\x8d\xff'.decode(enc, 'replace'))
    show(lambda: b'a\x8d\xff'.decode(enc, 'ignore'))
    show(lambda: 'a\u4e00\u4e01b'.encode(enc))
    show(lambda: 'a\x80b'.encode(enc))
    show(lambda: 'a\u4e00b'.encode(enc, 'replace'))
    show(lambda: 'a\u4e00b'.encode(enc, 'xmlcharrefreplace'))
    show(lambda: ''.join(ch for i in range(256) if (ch := bytes([i]).decode(enc, 'ignore'))) .encode(enc))


print(0 / -2**63, 0 / 2**64, -0.0 / 3, 0 / -5, 0 / -2**70)
from typing import Any, Optional, TypeVar, Union
T = TypeVar('T')
for form in (lambda: Optional[int] | 5, lambda: Optional[int] | (1, 2), lambda: 5 | T, lambda: T | 5, lambda: Union[int, (1,)], lambda: Optional[int] | None):
    show(form)
import contextvars
v = contextvars.ContextVar('v')
c = contextvars.copy_context()
show(lambda: c['x'])
show(lambda: 'x' in c)
show(lambda: c.get(v, 3))
import warnings
show(lambda: warnings.simplefilter('bogus'))
show(lambda: warnings.filterwarnings('bogus'))
