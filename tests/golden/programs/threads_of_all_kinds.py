import threading, queue, time
q = queue.Queue(maxsize=2); out = []
def prod():
    for i in range(5): q.put(i)
    q.put(None)
def cons():
    while (x := q.get()) is not None: out.append(x * 2); q.task_done()
ts = [threading.Thread(target=f) for f in (prod, cons)]
for t in ts: t.start()
for t in ts: t.join()
print(out, q.qsize(), q.empty())
try: q.get_nowait()
except queue.Empty: print("empty")
pq = queue.PriorityQueue(); [pq.put(x) for x in (3, 1, 2)]; print([pq.get() for _ in range(3)]); lq = queue.LifoQueue(); lq.put(1); lq.put(2); print(lq.get())
b = threading.Barrier(3); order = []
def w(i):
    order.append(f"a{i}"); b.wait(); order.append(f"b{i}")
ts = [threading.Thread(target=w, args=(i,)) for i in range(3)]; [t.start() for t in ts]; [t.join() for t in ts]; print(sorted(order), all(x[0] == "a" for x in order[:3]))
s = threading.Semaphore(2); act = 0; peak = 0; lk = threading.Lock()
def lim():
    global act, peak
    with s:
        with lk: act += 1; peak = max(peak, act)
        time.sleep(.001)
        with lk: act -= 1
ts = [threading.Thread(target=lim) for _ in range(5)]; [t.start() for t in ts]; [t.join() for t in ts]; print(peak <= 2, act)
cond = threading.Condition(); ready = False
def waiter():
    with cond:
        cond.wait_for(lambda: ready, timeout=5); print("woke", ready)
t = threading.Thread(target=waiter, daemon=True); t.start()
with cond: ready = True; cond.notify_all()
t.join(); loc = threading.local(); loc.x = 1
def tl(): print(hasattr(loc, "x")); loc.x = 2
t = threading.Thread(target=tl); t.start(); t.join(); print(loc.x, threading.current_thread().name, threading.active_count(), t.is_alive(), t.daemon)
tm = threading.Timer(.001, lambda: print("timer")); tm.start(); tm.join(); e = threading.Event(); print(e.wait(.001), e.is_set())
class Worker(threading.Thread):
    def __init__(self, n): super().__init__(name=f"wk{n}"); self.n = n; self.r = None
    def run(self): self.r = sum(range(self.n))
ws = [Worker(n) for n in (10, 20)]; [x.start() for x in ws]; [x.join() for x in ws]; print([x.r for x in ws], ws[0].name)
r = threading.RLock()
with r:
    with r: print("re")
def boom(): raise ValueError("in thread")
threading.excepthook = lambda a: print("hook", a.exc_type.__name__, a.exc_value, a.thread.name)
t = threading.Thread(target=boom, name="bt"); t.start(); t.join()
