# inspect: closures, trees of classes, attributes and arguments; logging: styles, buffers, a configuration in a file.
import inspect
import io
import logging
import logging.config


def show(f):
    try:
        return repr(f())
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


class A:
    x = 1

    @property
    def p(self):
        return 1

    @staticmethod
    def s():
        pass

    @classmethod
    def c(cls):
        pass

    def m(self):
        pass


class B(A):
    pass


class C(B, list):
    pass


print([(a.name, a.kind, a.defining_class.__name__) for a in inspect.classify_class_attrs(B) if not a.name.startswith("__")])
print(inspect.getclasstree([A, B, C]), inspect.getmodulename("a/b.py"), inspect.getmodulename("x.so.1"), inspect.indentsize("   \tx"), inspect.CO_GENERATOR, inspect.CO_VARARGS)


def f(a, b=2, *args, k=3, **more):
    frame = inspect.currentframe()
    found = inspect.getargvalues(frame)
    return found.args, found.varargs, found.keywords, inspect.formatargvalues(*found[:3], {"a": 1, "b": 2, "args": (), "k": 3, "more": {}})


print(f(1), inspect.getargs(f.__code__))
logger = logging.getLogger("t")
record = logger.makeRecord("t", logging.INFO, "p", 1, "msg %s", ("x",), None)
record.message = record.getMessage()
for style, fmt in ((logging.PercentStyle, "%(levelname)s %(message)s"), (logging.StrFormatStyle, "{levelname}:{message}"), (logging.StringTemplateStyle, "$name $message")):
    print(style(fmt).format(record), style(fmt).usesTime(), style("").default_format, show(lambda: style("none").validate()))
print(repr(logging.BufferingFormatter(logging.Formatter("%(message)s;")).format([record, record])), logging.BufferingFormatter().format([]), logging.logThreads, isinstance(logging.Handler(), logging.Filterer))
text = """
[loggers]
keys=root,app

[handlers]
keys=out

[formatters]
keys=plain

[logger_root]
level=WARNING
handlers=out

[logger_app]
level=DEBUG
handlers=out
propagate=0
qualname=app.part

[handler_out]
class=StreamHandler
level=DEBUG
formatter=plain
args=(sys.stdout,)

[formatter_plain]
format=%(name)s|%(levelname)s|%(message)s
"""
logging.getLogger("old")
logging.config.fileConfig(io.StringIO(text))
logging.getLogger("app.part").debug("debug %d", 5)
logging.getLogger("other").info("not shown")
logging.getLogger("other").warning("shown")
logging.getLogger("old").error("disabled")
print(logging.getLogger("app.part").propagate, logging.getLogger("old").disabled, logging.root.level)
