# cmd: test --log-level=info --capture=tee-sys {}
# status: 1
# --log-level: what is kept of what a test logs. --capture=tee-sys: what it prints is shown at once, too.
import logging


def test_levels(caplog):
    logging.getLogger("q").info("kept")
    logging.getLogger("q").debug("not kept")
    assert caplog.messages == ["kept"]


def test_fails():
    logging.info("shown")
    print("printed")
    assert False
