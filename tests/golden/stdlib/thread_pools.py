# Pools of threads: multiprocessing.pool and multiprocessing.dummy.
from multiprocessing.pool import ThreadPool, AsyncResult
from multiprocessing import dummy, TimeoutError
from multiprocessing.dummy import Pool
import multiprocessing.pool, time, concurrent.futures.thread
def t(f):
    try: print("=", f())
    except BaseException as e: print("!", type(e).__name__, e)
def sq(x): return x * x
def bad(x): raise KeyError(x)
with ThreadPool(3) as p:
    t(lambda: p.map(sq, range(10))); t(lambda: p.map(sq, iter([1, 2]), chunksize=1)); t(lambda: p.map(sq, [])); t(lambda: p.starmap(pow, [(2, 3), (3, 2)])); t(lambda: list(p.imap(sq, range(5), 2)))
    t(lambda: sorted(p.imap_unordered(sq, range(5)))); t(lambda: p.apply(sq, (4,))); t(lambda: p.apply(int, ("11",), {"base": 2})); r = p.apply_async(sq, (5,)); t(lambda: r.get(timeout=5)); t(lambda: (r.ready(), r.successful()))
    r = p.apply_async(bad, (5,)); t(lambda: r.get()); t(lambda: r.successful()); t(lambda: p.map(bad, [1, 2])); out = []
    r = p.map_async(sq, [1, 2, 3], callback=out.append); r.wait(); t(lambda: r.get()); t(lambda: out)
    r = p.apply_async(bad, (1,), error_callback=lambda e: out.append(repr(e))); r.wait(); time.sleep(0.05); t(lambda: out); t(lambda: p.join())
    r = p.apply_async(time.sleep, (0.3,)); t(lambda: r.get(timeout=0.01)); t(lambda: r.get())
    it = p.imap(sq, [1, 2]); t(lambda: next(it)); t(lambda: it.next()); t(lambda: next(it)); t(lambda: list(p.imap(bad, [1])))
t(lambda: p.map(sq, [1]))
t(lambda: ThreadPool(0)); t(lambda: ThreadPool(1, 3))
p = Pool(2); p.close(); t(lambda: p.map(sq, [1])); p.join(); t(lambda: repr(p))
q = dummy.Process(target=out.append, args=("z",)); q.start(); q.join(); t(lambda: (out[-1], q.exitcode)); t(lambda: dummy.Value("i", 3)); t(lambda: dummy.Namespace(b=1, a=2)); t(lambda: dummy.Array("i", [1, 2])); qq = dummy.Queue(); qq.put(1); t(lambda: qq.get())
print(concurrent.futures.thread.ThreadPoolExecutor is concurrent.futures.ThreadPoolExecutor)
