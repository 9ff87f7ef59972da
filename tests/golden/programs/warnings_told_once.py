import numpy as np, warnings
warnings.simplefilter("error")
nan=np.nan
for f in (lambda: np.nanmax([nan]), lambda: np.nanmin(np.array([[nan,1],[nan,nan]]),axis=1), lambda: np.nanmax([[1,nan],[nan,3]],0), lambda: np.nanmin([1,2]), lambda: np.nanmax([nan,1.], initial=5.), lambda: np.nanmax([[1,nan]],axis=1,keepdims=True), lambda: np.nanmax(np.float32([nan,2])), lambda: np.polydiv([1,0,-1],[1,1]), lambda: np.polydiv([2.,5,1],[2]), lambda: np.polydiv([1],[1,2]), lambda: np.polydiv([1,2,3,4],[1,2])):
    try: print(repr(f()))
    except Warning as e: print(type(e), e)
o=np.zeros(2); print(np.nanmax([[1,nan],[2,3.]],axis=1,out=o), o)
import warnings as w
w.resetwarnings()
def warned(action, n=3, **k):
    with w.catch_warnings(record=True) as log:
        w.simplefilter(action, **k)
        for i in range(n):
            w.warn("same"); w.warn(f"other {i}"); w.warn("same")
    return [str(x.message) for x in log]
for a in ("always", "default", "module", "once", "ignore"): print(a, warned(a), warned(a))
import contextvars as cv, threading
v=cv.ContextVar("v", default=1); u=cv.ContextVar("u")
try: u.get()
except LookupError as e: print("lookup")
t=v.set(2); c=cv.copy_context(); print(c[v], v in c, u in c, len(c), c.get(u,"d"), [x.name for x in c], list(c.values()))
def f(): v.set(7); u.set(1); return v.get(), u.get()
print(c.run(f), v.get(), c[v], u in c); 
r=[]; th=threading.Thread(target=lambda: (r.append(v.get()), v.set(9))); th.start(); th.join(); print(r, v.get())
try: c.run(lambda: c.run(print))
except RuntimeError as e: print("already entered" in str(e))
try: c.run(lambda: v.reset(t))
except ValueError as e: print("created in a different Context" in str(e))
v.reset(t); print(v.get(), t.old_value is cv.Token.MISSING, t.var is v)
try: v.reset(t)
except RuntimeError as e: print("used once" in str(e))
