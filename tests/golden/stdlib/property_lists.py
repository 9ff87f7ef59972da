# plistlib: property lists in XML.
import plistlib, datetime, io
from collections import OrderedDict
def t(f):
    try: print("=", f())
    except BaseException as e: print("!", type(e).__name__, e)
vals = [{}, [], {"a": 1}, {"b": [1, 2.5, True, False, "x<&>\"'", b"abc" * 30, datetime.datetime(2020, 1, 2, 3, 4, 5)], "a": {"c": {}, "d": []}}, "s", 1, 2**63, 2**64, -2**64, 1.5, None, {1: 2}, {"a": None}, b"", [[b"x" * 100]], ("t", 1), "\x01", "a\r\nb", {"é": "ü"}, plistlib.UID(3), {"u": plistlib.UID(1)}, object]
for v in vals:
    t(lambda: plistlib.dumps(v).decode()); t(lambda: plistlib.loads(plistlib.dumps(v)) == (list(v) if isinstance(v, tuple) else v)); t(lambda: plistlib.loads(plistlib.dumps(v)))
t(lambda: plistlib.dumps({"b": 1, "a": 2}, sort_keys=False).decode()); t(lambda: plistlib.dumps({1: 2, "a": 1}, skipkeys=True, sort_keys=False).decode()); f = io.BytesIO(); plistlib.dump([1], f); f.seek(0); t(lambda: plistlib.load(f)); t(lambda: type(plistlib.loads(plistlib.dumps({"a": 1}), dict_type=OrderedDict))); t(lambda: plistlib.loads(b"xx"));  t(lambda: plistlib.loads(b"<plist><integer>0x10</integer></plist>"));  t(lambda: plistlib.loads(b"<plist><date>2020-01Z</date></plist>")); t(lambda: plistlib.loads(plistlib.dumps([1]), fmt=plistlib.FMT_XML)); t(lambda: plistlib.UID(-1)); t(lambda: plistlib.UID("x")); t(lambda: plistlib.UID(5) == plistlib.UID(5)); t(lambda: plistlib.dumps(1, fmt=3)); t(lambda: plistlib.loads(b"<plist></plist>"))
