# logging and warnings, to streams of the program's own.
import io
import logging
import sys
import warnings

out = io.StringIO()
log = logging.getLogger("app.core")
h = logging.StreamHandler(out)
h.setFormatter(logging.Formatter("%(levelname)s:%(name)s:%(message)s"))
log.addHandler(h)
log.setLevel(logging.INFO)
log.propagate = False
log.debug("no")
log.info("value %d of %s", 3, "x")
log.warning("careful")
log.error("bad %r", [1])
log.log(logging.CRITICAL, "crit")
try:
    1 / 0
except ZeroDivisionError:
    log.exception("oops")
print(out.getvalue().splitlines()[:5], "ZeroDivisionError: division by zero" in out.getvalue(), log.isEnabledFor(logging.DEBUG), log.getEffectiveLevel(), logging.getLevelName(30), log.name, log.parent.name, logging.getLogger("app.core") is log, log.handlers == [h])
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    warnings.warn("first")
    warnings.warn("old", DeprecationWarning, stacklevel=1)
    warnings.warn(UserWarning("obj"))
    print([(x.category.__name__, str(x.message)) for x in w])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("raised", RuntimeWarning)
    except RuntimeWarning as e:
        print("caught", e)
with warnings.catch_warnings(record=True) as w:
    warnings.filterwarnings("ignore", message="skip.*")
    warnings.warn("skip this")
    warnings.warn("keep this")
    print(len(w), str(w[0].message))
print("to stdout", file=sys.stdout)
