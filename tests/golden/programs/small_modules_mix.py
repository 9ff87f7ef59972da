# string, textwrap, pprint, base64, hashlib, zlib, csv, fnmatch, shutil, keyword, time, random in small.
import base64
import csv
import fnmatch
import hashlib
import io
import keyword
import pprint
import random
import string
import textwrap
import zlib

print(string.ascii_lowercase, string.digits, string.Template("$a ${b} $$").substitute(a=1, b=2), string.Template("$x").safe_substitute(), string.capwords("a bc d"), string.Formatter().format("{0}-{k}", 1, k=2))
print(textwrap.fill("the quick brown fox jumps over the lazy dog", 16), textwrap.dedent("    a\n      b\n"), textwrap.indent("x\ny", "> "), textwrap.shorten("hello big world", 11), textwrap.wrap("aaaa bbbb cccc", 9), sep="\n")
pprint.pprint({"key%d" % i: list(range(i * 3)) for i in range(6)}, width=40)
print(pprint.pformat([1, {"b": 2, "a": (3,)}]), base64.b64encode(b"hello\xff"), base64.b64decode("aGk="), base64.urlsafe_b64encode(b"\xfb\xff"), base64.b16encode(b"k"), base64.b32encode(b"hi"))
print(hashlib.md5(b"a").hexdigest(), hashlib.sha1(b"a").hexdigest(), hashlib.sha256(b"abc").hexdigest()[:16], hashlib.new("sha512", b"").hexdigest()[:8], zlib.crc32(b"hello"), zlib.adler32(b"hello"), zlib.decompress(zlib.compress(b"x" * 100))[:3])
f = io.StringIO()
w = csv.writer(f)
w.writerow(["a", 'q"x', "c,d", 1.5, None])
csv.DictWriter(f, ["k", "v"], lineterminator="\n").writerow({"k": 1, "v": "two\nlines"})
print(repr(f.getvalue()), list(csv.reader(['1,"a ""b""",3', "x;y"])), list(csv.DictReader(["n,m", "1,2"])), list(csv.reader(["a|b"], delimiter="|")))
print(fnmatch.fnmatch("a.py", "*.py"), fnmatch.filter(["ab", "b"], "a*"), fnmatch.translate("a?[bc]"), keyword.iskeyword("for"), keyword.issoftkeyword("match"))
random.seed(12)
print(random.random(), random.randint(1, 6), random.choice("abc"), random.sample(range(10), 3), random.uniform(1, 2), random.gauss(0, 1), random.choices([1, 2], weights=[1, 3], k=4), random.shuffle(x := [1, 2, 3]), x, random.randrange(0, 10, 3), random.getrandbits(16), random.Random(5).random())
