# cmd: test {} -v
# The fixture tmpdir: a folder as py.path.local has them.
import os


def test_files(tmpdir):
    path = tmpdir.join("a.txt")
    assert not path.check() and not path.exists()
    path.write("one\ntwo\n")
    assert path.read() == "one\ntwo\n" and path.readlines(cr=0) == ["one", "two"] and path.check(file=1) and path.size() == 8
    assert (path.basename, path.purebasename, path.ext, path.dirname) == ("a.txt", "a", ".txt", str(tmpdir))
    assert open(path).read() == path.read() and os.path.exists(path.strpath)
    (tmpdir / "b.bin").write(b"\x00\xff", mode="wb")
    assert (tmpdir / "b.bin").read_binary() == b"\x00\xff"
    assert [p.basename for p in tmpdir.listdir(sort=True)] == ["a.txt", "b.bin"]
    assert [p.basename for p in tmpdir.listdir("*.bin")] == ["b.bin"]
    path.remove()
    assert not path.check()


def test_folders(tmpdir, tmp_path):
    assert os.fspath(tmpdir) == str(tmp_path) and tmpdir == str(tmp_path)
    made = tmpdir.mkdir("sub")
    deep = tmpdir.ensure("x", "y", "z.txt")
    assert made.isdir() and deep.isfile() and deep.relto(tmpdir) == "x/y/z.txt" and made.check(dir=1) and made.check(file=0)
    old = made.chdir()
    assert os.getcwd() == str(made)
    old.chdir()
    tmpdir.join("x").remove()
    assert not deep.exists()
