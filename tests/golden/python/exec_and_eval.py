# eval, exec and compile: names of dicts, of calls; functions made of texts; errors.
import sys
x = 5
print(eval("x + 1"), eval("a * 2", {"a": 4}), eval("a + b", {"a": 1}, {"b": 2}))
def f(n):
    k = 3
    return eval("n + k + x"), [eval("n * i", {"n": n, "i": i}) for i in range(3)]
print(f(2))
ns = {}
exec("""
import math
def area(r):
    return math.pi * r ** 2
class P:
    def __init__(self, v): self.v = v
    def __repr__(self): return f"P({self.v})"
total = sum(range(10))
""", ns)
print(sorted(k for k in ns if k != "__builtins__"), ns["total"], round(ns["area"](2), 3), ns["P"](3))
exec("y = x * 2"); print(y)
code = compile("z = y + 1\nprint('in', z)", "<gen>", "exec"); exec(code); exec(code); print(code.co_filename, type(code).__name__)
for bad in ("1 +", "x = 1", "nope + 1", "1/0", "def"):
    try: print(eval(bad))
    except Exception as e: print(type(e).__name__, e.args[0] if not isinstance(e, SyntaxError) else "")
def make(fields):
    src = f"def __init__(self, {', '.join(fields)}):\n" + "".join(f"    self.{n} = {n}\n" for n in fields)
    d = {}; exec(src, {}, d); return d["__init__"]
class Q: __init__ = make(["a", "b"])
print(vars(Q(1, 2)), eval(compile("[i for i in range(3) if i]", "f", "eval")), eval("lambda v: v + 1")(2), eval(" 3 "))
loc = {"a": 1}; exec("a += 1\nb = a", {}, loc); print(loc)
try: exec("raise ValueError('inside')")
except ValueError as e: print(repr(e), e.__traceback__ is not None)
try: eval(3)
except TypeError as e: print(e)
