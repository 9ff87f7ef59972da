# os.path of names that are bytes: the results are bytes, and texts are not mixed with them.
import os


def shown(f):
    try:
        print(f())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)


for name in "split splitext basename dirname normpath isabs exists isfile isdir islink lexists normcase splitdrive expanduser realpath".split():
    shown(lambda: (name, getattr(os.path, name)(b"/none/a.b/../c.d")))
shown(lambda: os.path.join(b"a", b"b", b"/c", b"d"))
shown(lambda: os.path.commonprefix([b"abc", b"abd"]))
shown(lambda: os.path.commonpath([b"a/b", b"a/c"]))
shown(lambda: os.path.relpath(b"a/b", b"a"))
shown(lambda: os.path.relpath(path=b"a/b", start=b"c"))
shown(lambda: os.path.abspath(b"a") == os.path.abspath("a").encode())
shown(lambda: os.path.splitext(b"a\xff.\xfe"))
shown(lambda: os.path.expandvars(b"$NOT_THERE/a"))
shown(lambda: os.path.exists(b"/"))
shown(lambda: os.path.join(b"a", "b"))
shown(lambda: os.path.relpath("a", b"b"))
shown(lambda: os.path.commonpath(["a", b"b"]))
shown(lambda: os.path.join("a", "b"))
print(os.path.join.__name__)
