# Records that cannot be written are reported by the handler, and the program goes on; formats are looked at when they are given.
import contextlib, io, logging

log = logging.getLogger("mistakes")
log.addHandler(logging.StreamHandler(io.StringIO()))
log.propagate = False
errors = io.StringIO()
with contextlib.redirect_stderr(errors):
    log.warning("%d %s", "x", 1)
lines = errors.getvalue().splitlines()
print(lines[0], *[l for l in lines if l.startswith(("TypeError", "Message", "Arguments", "Call"))], sep="\n")
logging.raiseExceptions = False
log.warning("%d", "x")


class Counting(logging.StreamHandler):
    def handleError(self, record):
        print("not written:", record.msg, record.args)


log.addHandler(Counting(io.StringIO()))
log.warning("%d", "y")
for style, formats in {"%": ("%(x", "plain", "%(levelname)-8s"), "{": ("{", "{}", "plain", "{message:>10}"), "$": ("plain", "$message", "${x}")}.items():
    for text in formats:
        try:
            logging.Formatter(text, style=style)
            print("taken:", text)
        except ValueError as e:
            print(e)
print(logging.Formatter("plain", validate=False).format(logging.makeLogRecord({"msg": "m"})))
