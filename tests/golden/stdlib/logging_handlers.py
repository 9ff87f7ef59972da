# Files that are turned over, records that are kept, loggers as a dict says them.
import logging, logging.handlers, logging.config, os, sys, tempfile, queue
with tempfile.TemporaryDirectory() as d:
    h = logging.handlers.RotatingFileHandler(os.path.join(d, "a.log"), maxBytes=40, backupCount=2)
    l = logging.getLogger("rot"); l.addHandler(h); l.propagate = False
    for i in range(9): l.warning("message %d xx", i)
    h.close()
    for f in sorted(os.listdir(d)): print(f, repr(open(os.path.join(d, f)).read()))
    t = logging.handlers.TimedRotatingFileHandler(os.path.join(d, "t.log"), when="D", backupCount=3); l2 = logging.getLogger("tim"); l2.addHandler(t); l2.propagate = False; l2.error("timed"); t.close()
    print(open(os.path.join(d, "t.log")).read(), t.interval)
    out = logging.StreamHandler(sys.stdout)
    m = logging.handlers.MemoryHandler(3, target=out); lm = logging.getLogger("mem"); lm.propagate = False; lm.addHandler(m)
    for k in range(4): lm.warning("kept %d", k)
    print("--"); lm.error("now"); print(m.buffer); lm.warning("end"); m.close()
    q = queue.Queue(); lq = logging.getLogger("q"); lq.propagate = False; lq.addHandler(logging.handlers.QueueHandler(q)); lq.warning("one %s", 1)
    li = logging.handlers.QueueListener(q, out); li.start(); lq.error("two"); li.stop()
    old = logging.getLogger("old")
    cfg = {"version": 1, "disable_existing_loggers": True,
        "formatters": {"f": {"format": "%(levelname)s|%(name)s|%(message)s"}, "g": {"format": "{message}!", "style": "{"}},
        "filters": {"x": {"()": "logging.Filter", "name": "app"}},
        "handlers": {"con": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "f", "level": "INFO", "filters": ["x"]},
                     "file": {"class": "logging.FileHandler", "filename": os.path.join(d, "c.log"), "formatter": "g", "mode": "w"},
                     "rf": {"class": "logging.handlers.RotatingFileHandler", "filename": os.path.join(d, "r.log"), "maxBytes": 1000, "backupCount": 1}},
        "loggers": {"app": {"level": "DEBUG", "handlers": ["con", "file"], "propagate": False}, "app.sub": {"handlers": ["rf"]}},
        "root": {"level": "WARNING", "handlers": ["con"]}}
    logging.config.dictConfig(cfg)
    a = logging.getLogger("app"); a.debug("dbg"); a.info("inf"); logging.getLogger("app.sub").warning("subw"); logging.getLogger("zz").error("dropped by the filter")
    print(old.disabled, a.disabled, [h.name for h in a.handlers], logging.getLogger().level)
    print(open(os.path.join(d, "c.log")).read(), open(os.path.join(d, "r.log")).read())
    for bad in ({}, {"version": 2}, {"version": 1, "handlers": {"h": {"class": "logging.Nope"}}}, {"version": 1, "loggers": {"l": {"handlers": ["none"]}}}):
        try: logging.config.dictConfig(bad)
        except ValueError as e: print(e)
    logging.shutdown()
