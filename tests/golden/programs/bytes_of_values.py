import struct, io, zlib, enum, dataclasses, binascii, hashlib
class T(enum.IntEnum): INT = 1; STR = 2; LIST = 3; F64 = 4; NIL = 5; DICT = 6
def enc(v):
    match v:
        case None: return bytes([T.NIL])
        case bool() | int(): return struct.pack('>Bq', T.INT, v)
        case float(): return struct.pack('>Bd', T.F64, v)
        case str(): b = v.encode(); return struct.pack('>BI', T.STR, len(b)) + b
        case [*xs]: return struct.pack('>BI', T.LIST, len(xs)) + b''.join(map(enc, xs))
        case {**kv}: return struct.pack('>BI', T.DICT, len(kv)) + b''.join(enc(k) + enc(x) for k, x in kv.items())
        case _: raise TypeError(f'cannot encode {type(v).__name__}')
def dec(f):
    head = f.read(1)
    if not head: raise EOFError('empty')
    match T(head[0]):
        case T.NIL: return None
        case T.INT: return struct.unpack('>q', f.read(8))[0]
        case T.F64: return struct.unpack('>d', f.read(8))[0]
        case T.STR: n, = struct.unpack('>I', f.read(4)); return f.read(n).decode()
        case T.LIST: n, = struct.unpack('>I', f.read(4)); return [dec(f) for _ in range(n)]
        case T.DICT: n, = struct.unpack('>I', f.read(4)); return {dec(f): dec(f) for _ in range(n)}
obj = {'a': [1, -2, 3.5, None, 'é√'], 'n': {'x': True}, '': []}; b = enc(obj); print(len(b), b[:24], binascii.crc32(b), dec(io.BytesIO(b)) == {**obj, 'n': {'x': 1}}, hashlib.sha1(b).hexdigest())
for bad in (b'', b'\x07', b'\x01\x00', b'\x02\x00\x00\x00\x02\xff\xfe'):
    try: dec(io.BytesIO(bad))
    except Exception as e: print(type(e).__name__, e)
try: enc({1, 2})
except TypeError as e: print(e)
z = zlib.compressobj(9); d = z.compress(b'abc' * 100) + z.flush(); print(zlib.decompress(d) == b'abc' * 100, len(d)); o = zlib.decompressobj(); print(o.decompress(d[:10]) + o.decompress(d[10:]) == b'abc' * 100, o.eof)
def varint(n):
    out = bytearray()
    while True:
        out.append(n & 127 | (128 if n > 127 else 0)); n >>= 7
        if not n: return bytes(out)
print([varint(n).hex() for n in (0, 127, 128, 300, 2 ** 40)]); bio = io.BytesIO(b'hello world'); bio.seek(-5, io.SEEK_END); print(bio.read(), bio.tell(), bio.seek(2), bio.read1(3), bio.readinto(bytearray(2)), bytes(bio.getbuffer()[:3]), bio.truncate(4), bio.getvalue()); sio = io.StringIO('a\nb\nc'); print(sio.readlines(), sio.seek(0), [l for l in sio], sio.closed); br = io.BufferedReader(io.BytesIO(b'xyz')) if False else None
ba = bytearray(b'hello'); ba[1:3] = b'EEE'; ba.insert(0, 33); ba += b'!'; del ba[-1]; print(ba, ba.find(b'l'), ba.upper(), bytes(ba).translate(None, b'l'), ba.hex(' '), ba.pop(), ba.reverse(), ba, ba.split(b'E'), b'%s|%d|%02x' % (b'a', 5, 255), b'abc'.rjust(5, b'.'), b' x '.strip(), b'a-b'.partition(b'-'), b'aXb'.replace(b'X', b'--'), b'abc'[1], b'abc'[1:2], list(b'ab'), b'\x00\xff'.hex(), b'a' < b'b', b'ab'.startswith((b'x', b'a')), bytes(3), bytes([1, 2]), bytes('é', 'utf-8'), b'\\x' , repr(b'\'"'), b'A'.isalpha(), b'x'.join([b'1', b'2']), 'x'.encode('utf-16'), b'\xff'.decode('utf-8', 'surrogateescape').encode('utf-8', 'surrogateescape'), ascii('\ud800'.encode('utf-8', 'surrogatepass').decode('utf-8', 'surrogatepass')))
for f in (lambda: '\ud800'.encode(), lambda: b'\xff'.decode(), lambda: 'é'.encode('ascii'), lambda: b'\xed\xa0\x80'.decode(), lambda: 'a\udcffb'.encode('latin-1'), lambda: '\ud800'.encode('utf-16'), lambda: b'\x00\xd8'.decode('utf-16-le'), lambda: '\udcff'.encode('ascii', 'surrogateescape'), lambda: 'x\ud800y'.encode('utf-8', 'replace'), lambda: 'x\ud800y'.encode('utf-8', 'backslashreplace'), lambda: b'\x80abc'.decode('ascii', 'surrogateescape').encode('ascii', 'surrogateescape'), lambda: '\ud83d\ude00'.encode('utf-16-le', 'surrogatepass').decode('utf-16-le'), lambda: '\udcff'.encode('utf-16', 'surrogateescape'), lambda: b'\xed\xb3\xbf'.decode('utf-8', 'surrogatepass') == '\udcff'):
    try: print(ascii(f()))
    except UnicodeError as e: print(type(e).__name__, e, e.start, e.end, e.reason)
