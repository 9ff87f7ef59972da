from concurrent.futures import ThreadPoolExecutor, as_completed, wait, FIRST_COMPLETED
import concurrent.futures as cf, threading, time
def square(x): return x * x
with ThreadPoolExecutor(max_workers=4) as ex:
    print(list(ex.map(square, range(6))))
    fs = {ex.submit(pow, i, 2): i for i in range(5)}
    print(sorted(f.result() for f in as_completed(fs)))
    bad = ex.submit(lambda: 1 / 0)
    print(type(bad.exception()).__name__)
    try:
        bad.result()
    except ZeroDivisionError as e:
        print("caught", e)
    done, pending = wait([ex.submit(square, 3)], return_when=FIRST_COMPLETED)
    print(len(done), len(pending))
    print(cf.TimeoutError is TimeoutError)
ev = threading.Event()
with ThreadPoolExecutor(1, thread_name_prefix="w") as ex:
    f = ex.submit(ev.wait, 5); g = ex.submit(lambda: threading.current_thread().name)
    print(g.done(), g.running(), f.running())
    try: g.result(timeout=0.02)
    except cf.TimeoutError: print("timed out")
    print(g.cancel(), g.cancelled())
    ev.set(); print(f.result())
total = 0; lock = threading.Lock()
def add(n):
    global total
    for _ in range(n):
        with lock: total += 1
ts = [threading.Thread(target=add, args=(100,), name=f"t{i}") for i in range(4)]
[t.start() for t in ts]; [t.join() for t in ts]
print(total, [t.is_alive() for t in ts], ts[0].name)
