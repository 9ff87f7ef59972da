# getopt, sched, linecache, codecs, getpass, socket: what programs use of them.
import codecs, getopt, getpass, linecache, os, platform, sched, socket, tempfile
for args, short, names in ((["-a", "-ofile", "--long=3", "rest", "-b"], "abo:", ["long=", "flag"]), (["--fl", "-ab", "--", "-x"], "ab", ["flag"]), ([], "a", []),
                           (["-z"], "a", []), (["-o"], "o:", []), (["--nope"], "", ["flag"]), (["--flag=1"], "", ["flag"]), (["--long"], "", ["long="]), (["--f"], "", ["fa", "fb"])):
    for take in (getopt.getopt, getopt.gnu_getopt):
        try:
            print(take(args, short, names))
        except getopt.GetoptError as e:
            print(e, repr(e.opt))
print(getopt.gnu_getopt(["a", "-x", "b"], "x"))
now = [0.0]
s = sched.scheduler(lambda: now[0], lambda t: now.__setitem__(0, now[0] + t))
s.enter(2, 1, print, ("second",))
e = s.enter(3, 1, print, ("never",))
s.enter(1, 1, print, ("first",), {"end": "!\n"})
s.enterabs(2, 0, print, ("before the second",))
s.cancel(e)
print(len(s.queue), s.empty(), s.run(blocking=False), s.run(), now, s.empty())
with tempfile.TemporaryDirectory() as d:
    path = os.path.join(d, "t.txt")
    with codecs.open(path, "w", encoding="utf-8") as f:
        f.write("eins\nzwölf")
    print(repr(linecache.getline(path, 2)), repr(linecache.getline(path, 9)), linecache.getlines(path), linecache.getline(path + "x", 1))
    linecache.clearcache()
    with codecs.open(path, encoding="utf-8") as f:
        print(f.read())
print(codecs.encode("é", "latin-1"), codecs.decode(b"\xc3\xa9"), codecs.encode(b"ab", "hex"), codecs.decode("Uryyb", "rot13"), codecs.BOM_UTF8, codecs.getencoder("utf-8")("aé"),
      codecs.getdecoder("utf-8")(b"abc"), list(codecs.iterencode(["a", "", "é"], "utf-8")), codecs.decode(b"aGk=\n", "base64"))
print(socket.gethostname() == platform.node(), isinstance(getpass.getuser(), str))
