# Handlers of signals: sent to oneself, by timers, in the middle of a sleep and of a loop; SIGINT; what is refused.
import os
import signal
import time

seen = []


def note(number, frame):
    seen.append((signal.Signals(number).name, frame.f_code.co_name))


def send():
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.raise_signal(signal.SIGUSR2)


print(signal.signal(signal.SIGUSR1, note), signal.signal(signal.SIGUSR2, note), signal.getsignal(signal.SIGUSR1) is note)
send()
print(seen, signal.SIGTERM, repr(signal.SIGHUP), repr(signal.SIG_DFL), signal.Signals(9).name, signal.strsignal(15))


class TooLong(Exception):
    pass


def late(number, frame):
    raise TooLong(number)


signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, 0.03)
start = time.monotonic()
try:
    time.sleep(5)
except TooLong as error:
    print('late', error, time.monotonic() - start < 3)
signal.setitimer(signal.ITIMER_REAL, 0.03)
try:
    count = 0
    while True:
        count += 1
except TooLong:
    print('stopped', count > 0)
signal.signal(signal.SIGALRM, lambda *given: seen.append('alarm'))
signal.setitimer(signal.ITIMER_REAL, 0.02)
start = time.monotonic()
time.sleep(0.1)
print(seen[-1], time.monotonic() - start >= 0.1, signal.getitimer(signal.ITIMER_REAL), signal.alarm(9), signal.alarm(0))
signal.signal(signal.SIGINT, signal.default_int_handler)  # who started this may have had it ignored
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    print('interrupted')
old = signal.signal(signal.SIGINT, lambda number, frame: print('asked to stop', number))
signal.raise_signal(signal.SIGINT)
print(signal.signal(signal.SIGINT, old) is not old, signal.signal(signal.SIGUSR1, signal.SIG_IGN) is note)
os.kill(os.getpid(), signal.SIGUSR1)
for bad in (lambda: signal.signal(99, note), lambda: signal.signal(signal.SIGUSR1, 'x'), lambda: signal.signal(signal.SIGKILL, note)):
    try:
        bad()
    except (ValueError, TypeError, OSError) as error:
        print(type(error).__name__, error)
signal.signal(signal.SIGRTMAX, note)
signal.raise_signal(signal.SIGRTMAX)
print(seen[-1])
try:
    signal.setitimer(signal.ITIMER_REAL, float('inf'))
except OverflowError as error:
    print(error)
