# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C while a kernel runs. Python's own handler takes effect when the main thread is back from the kernel. So that this is soon, a thread of ours
hears of the signal at once, by the file of `signal.set_wakeup_fd`, and stops the machines. A program that uses that file itself, or handles SIGINT, is
left alone."""
import os
import select
import signal
import threading
import time

_lock = threading.Lock()
_calls = []  # machines of the main thread's calls that are under way
_others = []  # (whether a call runs, machine) of kernels that XLA calls
_process, _file = None, -1  # in which we listen, to what
LONGEST = 2  # seconds until what was stopped, and goes on, is left to itself


def _listen(fd):
    while numbers := os.read(fd, 64):
        if signal.SIGINT not in numbers or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            continue
        with _lock:
            for machine in _calls:
                machine.stop(True)
            running = [(runs, machine) for runs, machine in _others if runs()]
        for _, machine in running:
            machine.stop(True)
        end = time.monotonic() + LONGEST
        while any(runs() for runs, _ in running) and time.monotonic() < end and not select.select([fd], [], [], 0.01)[0]:
            pass
        for _, machine in running:
            machine.stop(False)


def listen():
    """Called where kernels are about to run, to no effect but in the main thread, which signals belong to."""
    global _process, _file
    if _process == os.getpid() or threading.current_thread() is not threading.main_thread():
        return
    reads, writes = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    os.set_blocking(reads, True)
    try:
        before = signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    except ValueError:  # an interpreter that gets no signals
        before = None
    if before == -1 or before == _file:  # nobody's, or, after a fork, of the parent's thread
        threading.Thread(target=_listen, args=(reads,), name="pallasc Ctrl-C", daemon=True).start()
        _file = writes
    elif before is not None:
        signal.set_wakeup_fd(before)
    _process = os.getpid()


def call(machine, function, *arguments):
    """function(*arguments), which machine.stop(True) ends."""
    if threading.get_ident() != threading.main_thread().ident:
        return function(*arguments)
    listen()
    _calls.append(machine)
    try:
        return function(*arguments)
    finally:
        with _lock:
            _calls.remove(machine)
            if machine.is_stopped:
                machine.stop(False)


def also(runs, machine):
    """A machine whose kernels are called by others: runs() says whether one is under way."""
    _others.append((runs, machine))
    listen()
