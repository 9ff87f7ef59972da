# Matches and what a pattern finds from a text's beginning to its end, of texts that are not ASCII, of bytes, with places and counts of every kind.
import copy
import re

import numpy as np

p = re.compile(r"(?P<word>[^\W\d]+)(?:=(\d+))?|(-)")
for text in ("ab=12 é日=3 -", "😀x y=7", ""):
    for m in p.finditer(text):
        print(m.group(), m.group("word", 2), m.groups("none"), m.groupdict(), m.span(2), m.start("word"), m.end(), m.lastindex, m.lastgroup, m.regs)
    print(p.findall(text), p.sub(r"<\g<word>|\2>", text, np.int64(2)), p.subn(lambda m: m[0].upper(), text, count=True), p.split(text, np.int8(1)), re.findall("[a-z]", text))
m = p.search("zz ab=5", 2, 6)
print(m, m.pos, m.endpos, m.string, m.re is p, m[1], m["word"], m.expand(r"\2-\1\n"), copy.copy(m) is m, copy.deepcopy(m) is m, type(m), bool(m), re.Match[str])
print(p.match("  a"), p.fullmatch("ab=1"), p.fullmatch("ab=1 "), p.match("abc", 1), p.match("abc", 5), p.search("abc", -3, -1), p.search("a", 1, 0))
b = re.compile(rb"(\w)(\d)?")
print(b.findall(b"a1b\xff2"), b.sub(rb"[\1]", b"a1b"), b.match(memoryview(b"q7")).groups(), b.split(b"a1 b"), b.search(bytearray(b"-z")).group())
for f in (lambda: m.group(9), lambda: m["no"], lambda: m.group(-1), lambda: m[1.5], lambda: p.search(b"a"), lambda: b.search("a"), lambda: p.search(3), lambda: m.start("x"),
          lambda: p.sub(3, "a"), lambda: p.sub(lambda m: 3, "a")):
    try:
        print(f())
    except (IndexError, TypeError) as e:
        print(type(e).__name__, e)
for name in ("pos", "string", "lastindex"):
    try:
        setattr(m, name, 1)
    except AttributeError:
        print("read only")
