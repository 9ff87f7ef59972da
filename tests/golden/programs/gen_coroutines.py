# Coroutines by generators: a scheduler, pipelines, and early ends.
from collections import deque
def task(name, n):
    for i in range(n):
        got = yield f"{name}{i}"
        if got: print("got", name, got)
    return name.upper()
def run(*tasks):
    q, out, done = deque((t, None) for t in tasks), [], []
    while q:
        t, v = q.popleft()
        try:
            out.append(t.send(v))
            q.append((t, len(out) if len(out) % 3 == 0 else None))
        except StopIteration as s:
            done.append(s.value)
    return out, done
print(run(task("a", 3), task("b", 1), task("c", 2)))
def source(n): yield from range(n)
def grep(src, f): return (x for x in src if f(x))
def tee(src, log):
    for x in src:
        log.append(x)
        yield x
log = []
print(sum(grep(tee(source(10), log), lambda x: x % 3 == 0)), log)
def outer():
    try:
        r = yield from inner()
        yield ("inner returned", r)
    except RuntimeError as e:
        yield ("outer caught", str(e))
def inner():
    try:
        yield 1
    except ValueError:
        raise RuntimeError("translated")
    return 5
g = outer(); print(next(g), next(g)); g = outer(); next(g); print(g.throw(ValueError))
