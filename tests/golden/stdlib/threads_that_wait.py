# Threads that wait for each other: items, places, barriers, conditions, events, locks, futures.
import queue
import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, as_completed, wait


def producer(q, n):
    for i in range(n):
        q.put(i)
    q.put(None)


def consumer(q, out):
    while (x := q.get()) is not None:
        out.append(x)


def run(*threads):
    for t in threads:
        t.start()
    for t in threads:
        t.join()


q, out = queue.Queue(maxsize=2), []
threads = [threading.Thread(target=consumer, args=(q, out)), threading.Thread(target=producer, args=(q, 7))]
run(*threads)
print(out, [t.is_alive() for t in threads])

barrier, got = threading.Barrier(3), []


def part(i):
    got.append(("before", i))
    barrier.wait()
    got.append(("behind", i))


run(*[threading.Thread(target=part, args=(i,)) for i in range(3)])
print([name for name, _ in got], sorted(got))

condition, items = threading.Condition(), []


def waiter():
    with condition:
        condition.wait_for(lambda: items)
        print("got", items.pop())


t = threading.Thread(target=waiter)
t.start()
with condition:
    items.append(5)
    condition.notify()
t.join()

event, seen = threading.Event(), []
t = threading.Thread(target=lambda: (event.wait(), seen.append(1)))
t.start()
print(seen, event.is_set())
event.set()
t.join()
print(seen)

lock = threading.Lock()
print(lock.acquire(), lock.acquire(blocking=False), lock.acquire(timeout=0.01), lock.locked())
t = threading.Thread(target=lambda: [lock.acquire(), seen.append(2)])
t.start()
lock.release()
t.join()
print(seen)
with (again := threading.RLock()):
    with again:
        print("again")
semaphore = threading.Semaphore(2)
print(semaphore.acquire(), semaphore.acquire(False), semaphore.acquire(False))
try:
    threading.BoundedSemaphore(1).release()
except ValueError as error:
    print(error)

own = threading.local()
own.x = 1


def other():
    print(hasattr(own, "x"))
    own.x = 2


run(threading.Thread(target=other))
print(own.x, hasattr(own, "y"))

with ThreadPoolExecutor(2) as pool:
    late = queue.Queue()
    futures = [pool.submit(late.get), pool.submit(lambda: 7), pool.submit(lambda: 1 / 0)]
    done, left = wait(futures[:2], return_when=FIRST_COMPLETED)
    print(len(done), len(left), futures[0].done())
    late.put("late")
    print(sorted(type(f.exception()).__name__ for f in as_completed(futures)), futures[0].result())
try:
    late.get(timeout=0.01)
except queue.Empty:
    print("empty")

work, squares = queue.Queue(), []


def worker():
    while True:
        n = work.get()
        squares.append(n * n)
        work.task_done()


for _ in range(2):
    threading.Thread(target=worker, daemon=True).start()
for i in range(6):
    work.put(i)
work.join()
print(sorted(squares))


class Square(threading.Thread):
    def __init__(self, n):
        super().__init__(name=f"square {n}")
        self.n = n

    def run(self):
        self.result = self.n ** 2


threads = [Square(i) for i in range(3)]
run(*threads)
print([t.result for t in threads], threads[0].name, threading.current_thread().name)


def generated(q):
    while (x := q.get()) is not None:
        yield x


q, out = queue.Queue(), []
t = threading.Thread(target=lambda: out.extend(generated(q)))
t.start()
for i in (1, 2, None):
    q.put(i)
t.join()
print(out)

q = queue.Queue()
threading.Thread(target=lambda: print("at the end", q.get())).start()
q.put("an item")
