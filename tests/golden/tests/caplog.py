# cmd: test {} -v
# status: 1
# What tests log, and where they run.
import logging, os, sys, pytest, json, warnings
log = logging.getLogger("app.core")
def work(n):
    log.info("working on %d", n)
    if n > 2: log.warning("large %s", n)
    if n > 5: log.error("too large", extra={"n": n})
    print("out", n); print("err", n, file=sys.stderr)
    return n * 2
def test_caplog(caplog):
    with caplog.at_level(logging.INFO):
        assert work(3) == 6
    assert "large 3" in caplog.text
    assert [r.levelname for r in caplog.records] == ["INFO", "WARNING"]
    assert caplog.record_tuples == [("app.core", logging.INFO, "working on 3"), ("app.core", logging.WARNING, "large 3")]
    assert caplog.messages == ["working on 3", "large 3"]
    caplog.clear(); assert caplog.records == []
def test_caplog_level(caplog):
    caplog.set_level(logging.DEBUG, logger="app")
    work(1); assert caplog.messages == ["working on 1"]
    assert caplog.get_records("call")[0].args == (1,)
    assert caplog.handler is not None
def test_caplog_default(caplog):
    work(6); assert caplog.messages == ["large 6", "too large"]; assert caplog.records[-1].n == 6

def test_capcombo(capsys, caplog):
    caplog.set_level("INFO")
    work(1)
    assert capsys.readouterr().out == "out 1\n"
    assert caplog.records[0].getMessage() == "working on 1"


def test_filtering(caplog):
    with caplog.filtering(lambda record: record.levelno > logging.WARNING):
        work(6)
    assert caplog.messages == ["too large"]


def test_levels_are_back(caplog):
    work(1)
    assert caplog.messages == []


def test_text(caplog):
    log.warning("a %s", "b")
    assert caplog.text == "WARNING  app.core:caplog.py:%d a b\n" % caplog.records[0].lineno


def test_wrong(caplog):
    log.warning("x")
    assert caplog.messages == ["y"]


def test_record_property(record_property, request):
    record_property("key", 1)
    assert request.node.user_properties == [("key", 1)]


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_elsewhere(elsewhere):
    open("x.txt", "w").write("a")
    assert (elsewhere / "x.txt").read_text() == "a" and os.listdir(".") == ["x.txt"]


def test_here_again():
    assert os.path.exists("caplog.py")
