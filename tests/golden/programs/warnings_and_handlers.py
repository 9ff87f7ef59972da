import warnings, logging, sys, io
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    warnings.warn("old", DeprecationWarning); warnings.warn("plain"); warnings.warn(RuntimeWarning("obj"), stacklevel=1)
    print(len(w), [x.category.__name__ for x in w], str(w[0].message), w[1].lineno)
with warnings.catch_warnings():
    warnings.filterwarnings("error", message="bad.*", category=UserWarning)
    try: warnings.warn("bad thing")
    except UserWarning as e: print("raised", e)
with warnings.catch_warnings():
    warnings.simplefilter("ignore"); warnings.warn("silent")
class MyW(UserWarning): pass
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("once")
    for _ in range(3): warnings.warn("same", MyW)
    print(len(w), warnings.formatwarning("m", MyW, "f.py", 3, "line"))
buf = io.StringIO()
log = logging.getLogger("app.core"); log.propagate = False; log.setLevel(logging.DEBUG)
h = logging.StreamHandler(buf); h.setFormatter(logging.Formatter("{levelname}:{name}:{funcName}:{message}", style="{")); h.setLevel(logging.INFO); log.addHandler(h)
class Drop(logging.Filter):
    def filter(self, r): return "secret" not in r.getMessage()
h.addFilter(Drop())
def work():
    log.debug("no"); log.info("x=%d y=%s", 1, "b"); log.warning("secret"); log.error("e", extra={"k": 1})
    try: 1 / 0
    except ZeroDivisionError: log.exception("failed")
work(); t = buf.getvalue(); print(t[:60], "ZeroDivisionError: division by zero" in t, "Traceback" in t)
print(logging.getLevelName(30), log.isEnabledFor(10), log.getEffectiveLevel(), logging.getLogger("app").getChild("core") is log, log.hasHandlers(), log.name, log.parent.name, log)
ad = logging.LoggerAdapter(log, {"u": 1}); ad.info("adapted"); print(buf.getvalue().splitlines()[-1])
class H(logging.Handler):
    def __init__(s): super().__init__(); s.r = []
    def emit(s, r): s.r.append((r.levelname, r.msg, r.args, r.lineno > 0))
hh = H(); log.addHandler(hh); log.critical("c %s", 1); print(hh.r); log.removeHandler(hh); log.log(25, "custom"); logging.addLevelName(25, "NOTE"); log.log(25, "named"); print(buf.getvalue().splitlines()[-2:])
logging.disable(logging.ERROR); log.error("off"); logging.disable(logging.NOTSET); print("off" in buf.getvalue())
