# What assertions tell of values that are not equal, line by line; what was not raised, and by whom; names of open files; match of paths.
import pathlib, statistics, tempfile, unittest

case = unittest.TestCase()
small = unittest.TestCase()
small.maxDiff = 10


def told(f):
    try:
        f()
    except AssertionError as e:
        print(e, end="\n--\n")


for a, b in (({1: 2}, {1: 3}), ((1, 2), (1, 3)), ([1, 2, 3], [1, 3]), ("a\nb\n", "a\nc\n"), ("one", "two"), ({"k": ["x" * 30, "y" * 50]}, {"k": ["x" * 30, "z" * 50]}), ({1}, {2}), (1, 2), ([1], (1,)), ("a", b"a"), ([], [1])):
    told(lambda: case.assertEqual(a, b))
    told(lambda: small.assertEqual(a, b, "extra"))
told(lambda: case.assertSequenceEqual([1, 2], (1, 3)))
told(lambda: case.assertCountEqual([1, 2], [2, 3, 3]))
told(lambda: case.assertRaises(ValueError, int, "3"))
told(lambda: case.assertRaises((ValueError, KeyError), int, "3"))
told(lambda: case.assertRaisesRegex(ValueError, "other", int, "x"))


def quiet(message):
    with case.assertRaises(KeyError, msg=message):
        pass


told(lambda: quiet(None))
told(lambda: quiet("why"))
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "a.txt"
    with path.open("w") as f:
        print(f.name == str(path), type(f.name).__name__)
P = pathlib.PurePosixPath
print([P("/a/b/c.py").match(p) for p in ("*.py", "b/*.py", "/a/*/*.py", "/a/*.py", "c", "a/b/c/*.py", "*/*/*/*.py")], repr(P("a").drive))
print(statistics.median_grouped([1, 2, 2, 3, 4, 4, 4, 5]), statistics.median_grouped([1, 3, 3, 5, 7], interval=2))
