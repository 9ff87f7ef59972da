"""Who asks again and again and does not wait lets the other threads go on, and reset() of a barrier wakes all that wait."""
import contextvars
import logging
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait

logging.disable(logging.CRITICAL)


def told(work):
    try:
        return work()
    except Exception as error:
        return f'{type(error).__name__}: {error}'


barrier, ends = threading.Barrier(4), []


def wait_at_barrier(i):
    try:
        barrier.wait()
        ends.append((i, 'through'))
    except threading.BrokenBarrierError:
        ends.append((i, 'broken'))


threads = [threading.Thread(target=wait_at_barrier, args=(i,), daemon=True) for i in range(3)]
for thread in threads:
    thread.start()
time.sleep(0.02)
print(barrier.n_waiting)
barrier.reset()
for thread in threads:
    thread.join(1)
print(sorted(ends), barrier.broken, barrier.n_waiting, [thread.is_alive() for thread in threads])

threads = [threading.Thread(target=wait_at_barrier, args=(i,), daemon=True) for i in range(3, 7)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(1)
print(sorted(ends)[3:])

with ThreadPoolExecutor(1) as pool:
    future = pool.submit(time.sleep, 0.02)
    while future.running():
        pass
    print(future.done(), future.running())

semaphore, lock = threading.Semaphore(1), threading.Lock()


def hold(what):
    with what:
        time.sleep(0.02)


threading.Thread(target=hold, args=(semaphore,)).start()
while not semaphore.acquire(blocking=False):
    pass
print('semaphore')
threading.Thread(target=hold, args=(lock,)).start()
while lock.locked():
    pass
print('lock')

future = Future()
print(told(lambda: wait([future], 0, 'some')))
future.set_result(1)
print(told(future.set_running_or_notify_cancel), len(wait([future], 0, 'some').done))
print(told(lambda: contextvars.ContextVar(3)))
