# What an encoding cannot express, its attributes and texts; files of an OSError.
def tell(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e, "|", e.args)
        for name in ("encoding", "object", "start", "end", "reason", "errno", "strerror", "filename", "filename2"):
            if hasattr(e, name):
                print("  ", name, repr(getattr(e, name)))


tell(lambda: "aéüb".encode("ascii"))
tell(lambda: "a€".encode("latin-1"))
tell(lambda: b"\xff\xfe".decode())
tell(lambda: b"ab\xe2\x82".decode())
tell(lambda: b"\xf0\x9f\x98x".decode())
tell(lambda: b"\xe0\x80\x80".decode())
tell(lambda: b"\xed\xa0\x80".decode())
tell(lambda: b"a\xff".decode("ascii"))
for how in ("replace", "ignore", "backslashreplace"):
    print([bad.decode("utf-8", how) for bad in (b"a\xffb", b"\xf0\x9f\x98x", b"\xe2\x82", b"\xed\xa0\x80")], "éa€".encode("ascii", how))
tell(lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"))
tell(lambda: UnicodeDecodeError("utf-8", b"\xff\xfe", 0, 2, "bad"))
tell(lambda: UnicodeEncodeError("x", "ab", 5, 6, "far"))


def raised(e):
    raise e


tell(lambda: raised(OSError(2, "No such file", "f.txt")))
tell(lambda: raised(OSError(2, "No such file", "f.txt", None, "g.txt")))
tell(lambda: raised(OSError(2, "No such file")))
tell(lambda: raised(OSError("one")))
tell(lambda: raised(FileNotFoundError(2, "nope", None)))
tell(lambda: open("not_there.txt"))
