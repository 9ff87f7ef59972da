# Threads that ask and do not wait, and waits that end by their time.
import queue
import threading
import time


def start(target, *args, **facts):
    thread = threading.Thread(target=target, args=args, **facts)
    thread.start()
    return thread


beats, stop = [], threading.Event()


def beat():
    while not stop.wait(0.02):
        beats.append(1)


heart = start(beat)
try:
    queue.Queue().get(timeout=0.11)
except queue.Empty:
    print("empty", len(beats) > 2)
before = time.monotonic()
time.sleep(0.06)
print(time.monotonic() - before >= 0.06, len(beats) > 5)
stop.set()
heart.join()

timer = threading.Timer(0.02, print, ("fired",))
timer.start()
while timer.is_alive():
    pass
print("done")

flag, rounds = threading.Event(), []


def ask():
    while not flag.is_set():
        rounds.append(1)


asks = start(ask)
time.sleep(0.01)
flag.set()
asks.join()
print(len(rounds) > 1)

order = []


def sleeper(name, seconds):
    for i in range(2):
        time.sleep(seconds)
        order.append((name, i))


threads = [start(sleeper, "slow", 0.3), start(sleeper, "fast", 0.02)]
for thread in threads:
    thread.join()
print(order)


def naps():
    for i in range(2):
        time.sleep(0.01)
        yield i


out = []
start(lambda: out.extend(naps())).join()
print(out)

held = threading.Lock()
held.acquire()
t = start(lambda: print("in vain", held.acquire(timeout=0.01)))
t.join()
condition = threading.Condition()
with condition:
    print(condition.wait(0.01), condition.wait_for(lambda: False, 0.02))


def refused(call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except (RuntimeError, ValueError, AssertionError, TypeError) as error:
        print(type(error).__name__, error)


refused(held.acquire, timeout=-5)
refused(held.acquire, False, 1)
refused(condition.notify)


def hold():
    with condition:
        time.sleep(0.03)


holder = start(hold)
refused(condition.notify)
refused(condition.wait)
holder.join()
refused(threading.Thread, "a group")
refused(threading.local, 1)
refused(time.sleep, -1)


class Own(threading.local):
    size = 3

    def __init__(self, value):
        self.items = [value]


own = Own(5)
own.items.append(6)


def other():
    own.items.append(7)
    print(own.items, own.size)


start(other).join()
print(own.items)


def forever():
    try:
        threading.Event().wait()
    finally:
        print("never: a daemon is left where it waits")


start(forever, daemon=True)

for seconds in (float("nan"), float("inf"), -1e300, -1.0):
    try:
        time.sleep(seconds)
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
