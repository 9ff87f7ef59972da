# Keyword forms of CPython's signatures, parts of bytes, links in paths, and what is no buffer.
import os, tempfile, unittest, textwrap, datetime, zlib, base64, binascii, pprint, statistics, collections, logging, inspect, functools, io, gzip
print(b"abc".startswith((b"x", b"b"), 1), b"abc".endswith(b"b", 0, 2), b"".startswith(b"", 1), b"ab".startswith(b"", 2), bytearray(b"abc").startswith(b"c", -1))
d = os.path.realpath(tempfile.mkdtemp()); os.mkdir(d + "/a"); open(d + "/a/f", "w").close(); os.symlink("a", d + "/l"); os.symlink(d + "/l/f", d + "/m"); os.symlink("o", d + "/o"); os.symlink("q", d + "/p"); os.symlink("p", d + "/q")
for n in ("l", "l/f", "m", "l/../a", "none/x", "o", "p", "q/z", "l/f/.."):
    print(n, os.path.realpath(d + "/" + n)[len(d):], end=" ")
    try: print(os.path.realpath(d + "/" + n, strict=True)[len(d):])
    except OSError as e: print(type(e).__name__, e.errno)
class T(unittest.TestCase):
    longMessage = False
    def runTest(self): pass
t = T()
def tr(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e).replace(d, "")[:300])
tr(lambda: t.assertIs(expr1=1, expr2=2, msg="m"))
t.longMessage = True
tr(lambda: t.assertIs(expr1=1, expr2=2, msg="m"))
for f in (lambda: t.assertListEqual((1,), [1]), lambda: t.assertListEqual(list1=[1], list2=[2]), lambda: t.assertTupleEqual((1,), (1, 2), "q"), lambda: t.assertDictEqual({}, [1]), lambda: t.assertDictEqual(d1={1: 2}, d2={1: 3}),
          lambda: t.assertSetEqual({1}, {2}), lambda: t.assertSequenceEqual([1], (1,)), lambda: t.assertSequenceEqual([1], (1,), seq_type=list), lambda: t.assertMultiLineEqual("a\nb", "a\nc"), lambda: t.assertIn(member=1, container=[2]),
          lambda: t.assertLess(a=2, b=1), lambda: t.assertIsInstance(obj=1, cls=str), lambda: t.assertEqual([1, 2], [1, 3]), lambda: t.assertEqual({1: 2}, {1: 3}), lambda: t.assertNotEqual(1, 1), lambda: t.assertEqual(1, 2, "why"), lambda: t.assertEqual("a", "b")): tr(f)
w = textwrap.TextWrapper(12, "* ", subsequent_indent="  "); print(w.wrap("hello world foo bar")); w.width = 20; w.initial_indent = "-"; print(w.fill("hello world foo bar"))
z = zlib.decompressobj(); c = zlib.compress(b"hello world"); print(z.decompress(c, 4), z.eof, len(z.unconsumed_tail) > 0, z.decompress(z.unconsumed_tail, 4), z.decompress(z.unconsumed_tail), z.eof, z.unused_data)
for x in ("YWJj", "YWI=", "YQ==", "YQ=", "Y", "Y===", "YW=Jj", "=YWJ", "YWJj=", "YWI==", "YW Jj", "YQ==YQ==", ""):
    tr(lambda: binascii.a2b_base64(x, strict_mode=True))
for x in ([], 1, None, (1, 2), "ab"):
    for f in (base64.b64encode, base64.b32encode, base64.b85encode, base64.encodebytes, base64.b64decode, zlib.compress, zlib.crc32, binascii.hexlify, binascii.unhexlify, base64.decodebytes): tr(lambda: f(x))
print([pprint.isreadable(x) for x in (1, [1, object], {1: [2]}, "a", object(), {1: {object(): 1}}, (), 1.5)], statistics.NormalDist(1, 2).overlap(statistics.NormalDist(2, 3)), statistics.NormalDist(1, 2).overlap(statistics.NormalDist(2, 2)))
tr(lambda: datetime.time(True, 2)); tr(lambda: datetime.timezone(datetime.timedelta(1), None)); tr(lambda: datetime.timezone(datetime.timedelta(hours=1), "x")); tr(lambda: datetime.datetime.combine(None, datetime.time())); tr(lambda: datetime.datetime.combine(datetime.date(2020, 1, 2), datetime.time(3), tzinfo=None))
tr(lambda: collections.OrderedDict(a=1).pop("b", default=3)); tr(lambda: collections.OrderedDict(a=1).pop("b")); tr(lambda: os.environ.get("NOPE", default=1)); tr(lambda: os.environ.pop("NOPE", default=2)); tr(lambda: os.mkdir(path=d + "/a")); tr(lambda: os.environ.pop("NOPE"))
logging.addLevelName(level=15, levelName="X"); print(logging.getLevelName(15), inspect.isfunction(object=tr), functools.lru_cache(2)(user_function=abs)(-1), memoryview(object=b"ab")[0], inspect.getattr_static(t, "zz", default=3))
g = io.BytesIO(); f = gzip.GzipFile(fileobj=g, mode="w"); f.write(data=b"abc"); f.close(); g.seek(0); f = gzip.GzipFile(fileobj=g); print(f.read(size=2), f.seek(offset=0, whence=0), f.readline(size=2))
import shutil; shutil.rmtree(d)
import array
x = array.array("h", [1, 2, 3])
print(bytes(x), memoryview(x).tolist(), memoryview(x).format, bytearray(x), b"".join([x]), io.BytesIO(x).read(), zlib.crc32(x), bytes(array.array("d")))
import decimal, fractions, pathlib
print(fractions.Fraction.from_decimal(decimal.Decimal("1.5")), pathlib.Path("none").is_mount(), os.path.sameopenfile(1, 1), os.listdir(None) == os.listdir(), next(os.scandir(None)).name != "")
