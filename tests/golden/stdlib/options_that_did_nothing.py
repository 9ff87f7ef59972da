# Options of textwrap, shutil, unittest.mock and absl.testing that do what they say.
import textwrap, shutil, os, sys, types
from unittest.mock import patch, Mock
t = 'He said. She "did!" They left? "Yes." e.g. it. No. A. end'
for w in (20, 30, 80):
    print(textwrap.wrap(t, w, fix_sentence_endings=True), textwrap.wrap(t, w))
print(textwrap.fill("one. two.  three.\nfour", 40, fix_sentence_endings=True), textwrap.TextWrapper(fix_sentence_endings=True).wrap("a. b c. d"))
with open("plain_zz", "w") as f: f.write("x")
print(shutil.which("./plain_zz"), shutil.which("./plain_zz", mode=os.F_OK), shutil.which("plain_zz", mode=os.R_OK, path="."), shutil.which("plain_zz", path="."))
os.remove("plain_zz")
m = types.ModuleType("m"); m.f = len
with patch.multiple(m, spec=["a"], f=__import__("unittest.mock").mock.DEFAULT) as p:
    try: print(p["f"].b)
    except AttributeError as e: print(e)
