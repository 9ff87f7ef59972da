# with statements: several items, exits in order, exceptions that are swallowed, replaced or passed on, returns inside.
class M:
    def __init__(self, n, swallow=False, fail=None): self.n, self.swallow, self.fail = n, swallow, fail
    def __enter__(self):
        print("enter", self.n)
        if self.fail == "enter": raise OSError("enter " + self.n)
        return self.n * 2
    def __exit__(self, t, v, tb):
        print("exit", self.n, t and t.__name__, v)
        if self.fail == "exit": raise OSError("exit " + self.n)
        return self.swallow
def run(f):
    try:
        print("->", f())
    except Exception as e:
        print("!!", type(e).__name__, e, "|", repr(e.__context__))
def a():
    with M("x") as p, M("y", swallow=True) as (q, r):
        print(p, q, r)
        raise ValueError("in")
    return "after"
def b():
    with (M("x"), M("y", fail="enter"), M("z")):
        print("never")
def c():
    for i in range(3):
        with M(str(i)):
            if i == 0: continue
            if i == 1: break
    with M("r"):
        return "returned"
def d():
    with M("o", swallow=True):
        with M("i", fail="exit"):
            raise KeyError("k")
    return "swallowed"
def e():
    with M("e", fail="exit"):
        pass
for f in (a, b, c, d, e): run(f)
class NoExit:
    def __enter__(self): return 1
def g():
    with NoExit(): pass
def h():
    with 5: pass
run(g), run(h)
