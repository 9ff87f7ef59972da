# cmd: test -v {}
# status: 1
# What a test puts into os.path is not what the runner, pathlib and tempfile ask.
import os
import pathlib
import tempfile


def test_patched(monkeypatch, tmp_path):
    monkeypatch.setattr("os.path.exists", lambda path: True)
    monkeypatch.setattr(os.path, "isdir", lambda path: False)
    assert os.path.exists("/no/such") and not pathlib.Path("no-such").exists() and tmp_path.is_dir()
    with tempfile.TemporaryDirectory() as folder:
        assert pathlib.Path(folder).is_dir()


def test_undone():
    assert not os.path.exists("no-such")


def teardown_module():
    raise OSError("said of the last test")
