# print() writes each part of its own to a file whose class the program made.
import io
import sys
from contextlib import redirect_stdout


class Log:
    def __init__(self):
        self.parts = []

    def write(self, text):
        self.parts.append(text)


class Tee(io.StringIO):
    parts = ()

    def write(self, text):
        self.parts += (text,)
        return super().write(text)


class Delegated:
    def __init__(self, to):
        self.to = to

    def __getattr__(self, name):
        return getattr(self.to, name)


log, tee = Log(), Tee()
print("a", 1, None, file=log)
print(file=log)
print("x", "y", sep="", end="", file=log)
print("b", [2], sep="--", end="!", file=tee)
print(log.parts, tee.parts, tee.getvalue())
with redirect_stdout(log):
    print("inside", 5)
print("through", 3, file=Delegated(log))
print(log.parts[-8:])
plain = io.StringIO()
print("p", 1.5, file=plain)
print(repr(plain.getvalue()))
print("end", file=sys.stdout)
