# threading, queue and futures where each is done before it is looked at.
import queue, threading
from concurrent.futures import ThreadPoolExecutor, as_completed
out, lock = [], threading.Lock()
def work(n):
    with lock: out.append(n * n)
ts = [threading.Thread(target=work, args=(i,), name=f"t{i}") for i in range(4)]
for t in ts: t.start()
for t in ts: t.join()
print(sorted(out), ts[0].name, ts[0].is_alive(), threading.current_thread().name, lock.locked())
q = queue.Queue()
for i in range(3): q.put(i)
print(q.qsize(), q.get(), q.empty(), [q.get() for _ in range(2)], q.empty())
p = queue.PriorityQueue()
for x in (3, 1, 2): p.put((x, str(x)))
print([p.get()[1] for _ in range(3)], queue.LifoQueue is not None)
try: q.get_nowait()
except queue.Empty as e: print("Empty", e)
with ThreadPoolExecutor(2) as ex:
    print(list(ex.map(lambda v: v + 1, [1, 2, 3])), ex.submit(pow, 2, 5).result(), sorted(f.result() for f in as_completed([ex.submit(abs, -i) for i in range(3)])))
    bad = ex.submit(lambda: 1 / 0)
    print(type(bad.exception()).__name__, bad.done())
local = threading.local(); local.x = 5; print(local.x)
e = threading.Event(); e.set(); print(e.is_set(), e.wait(0.01))
