import threading, time, queue, concurrent.futures as cf, functools, os
class RateLimiter:
    def __init__(self, n): self.sem = threading.BoundedSemaphore(n); self.active = self.peak = 0; self.lock = threading.Lock()
    def __call__(self, f):
        @functools.wraps(f)
        def g(*a, **k):
            with self.sem:
                with self.lock: self.active += 1; self.peak = max(self.peak, self.active)
                try: return f(*a, **k)
                finally:
                    with self.lock: self.active -= 1
        return g
lim = RateLimiter(2)
@lim
def work(i): time.sleep(.002); return i * i
with cf.ThreadPoolExecutor(max_workers=5) as ex: print(sum(ex.map(work, range(10))), lim.peak <= 2)
class Pipeline:
    def __init__(self, *stages): self.qs = [queue.Queue() for _ in range(len(stages) + 1)]; self.ts = [threading.Thread(target=self.run, args=(s, i), daemon=True) for i, s in enumerate(stages)]; [t.start() for t in self.ts]
    def run(self, f, i):
        while True:
            x = self.qs[i].get()
            if x is None: self.qs[i + 1].put(None); return
            self.qs[i + 1].put(f(x))
    def __call__(self, items):
        for x in items: self.qs[0].put(x)
        self.qs[0].put(None)
        while (y := self.qs[-1].get()) is not None: yield y
print(list(Pipeline(lambda x: x + 1, lambda x: x * 2, str)(range(4))))
def fail(i):
    if i == 3: raise ValueError(f"bad {i}")
    return i
with cf.ThreadPoolExecutor(2) as ex:
    fs = [ex.submit(fail, i) for i in range(5)]; done, not_done = cf.wait(fs); print(len(done), [type(f.exception()).__name__ for f in fs])
    try: list(ex.map(fail, range(5)))
    except ValueError as e: print(e)
    log = []; f = ex.submit(lambda: 5); f.add_done_callback(lambda f: log.append(f.result())); f.result(); ex.shutdown(wait=True); print(log)
try: ex.submit(print)
except RuntimeError as e: print(e)
try: cf.ThreadPoolExecutor(0)
except ValueError as e: print(e)
done = threading.Event(); res = {}
def poller():
    n = 0
    while not done.is_set(): n += 1; time.sleep(.001)
    res["n"] = n > 0
t = threading.Thread(target=poller); t.start(); time.sleep(.01); done.set(); t.join(timeout=2); print(res, t.is_alive())
lk = threading.Lock(); print(lk.acquire(blocking=False), lk.acquire(False), lk.locked()); lk.release()
try: lk.release()
except RuntimeError as e: print(e)
b = threading.Barrier(2, timeout=5); out = []
def bar(i): out.append(b.wait() in (0, 1))
ts = [threading.Thread(target=bar, args=(i,)) for i in range(2)]; [t.start() for t in ts]; [t.join() for t in ts]; print(out, b.parties, b.n_waiting, b.broken)
class Once:
    def __init__(self): self._l = threading.Lock(); self._v = None; self.calls = 0
    def get(self):
        with self._l:
            if self._v is None: self.calls += 1; self._v = object()
            return self._v
o = Once(); vs = []; ts = [threading.Thread(target=lambda: vs.append(o.get())) for _ in range(5)]; [t.start() for t in ts]; [t.join() for t in ts]; print(len(set(map(id, vs))), o.calls)
with cf.ThreadPoolExecutor(3, initializer=lambda: None) as ex: print([f.result() for f in cf.as_completed([ex.submit(lambda: 7)], timeout=1)], sorted(ex.map(lambda a, b: a * b, [1, 2], [3, 4])))
def gen_worker(n):
    for i in range(n): yield i; time.sleep(0)
r = []; t = threading.Thread(target=lambda: r.extend(gen_worker(3))); t.start(); t.join(); print(r, threading.main_thread() is threading.current_thread())


