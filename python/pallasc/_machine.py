# SPDX-License-Identifier: Apache-2.0
"""Machines that kernels run on, and what they tell: findings as data and as text, reports of deadlocks, debug prints."""
import ctypes
import json
import re
import sys
import threading
import weakref

from pallasc import _native
from pallasc.errors import finding_error

CHIPS = {"v2": ("TPU_V2", 1), "v3": ("TPU_V3", 1), "v4i": ("TPU_V4I", 1), "v4": ("TPU_V4", 2), "v5e": ("TPU_V5E", 1),
         "v5p": ("TPU_V5P", 2), "v6e": ("TPU_V6E", 1), "v7x": ("TPU_7X", 1), "v8i": ("TPU_8I", 1)}  # the chips of --tpu, in JAX's names, and their cores


def chip_named(tpu):
    """The chip of any name that --tpu takes, as CHIPS has it; None of None."""
    if tpu is None:
        return None
    found = _native.compiler().pallasc_chip(tpu.encode("utf-8", "replace")) if isinstance(tpu, str) else None
    if found is None:
        raise ValueError(f"tpu must be one of {', '.join(CHIPS)}, got {tpu!r}")
    return found.decode()


def _given(function, finding):
    """A text that the runtime writes as snprintf does."""
    size = function(finding, None, 0) + 1
    buffer = ctypes.create_string_buffer(size)
    function(finding, buffer, size)
    return _native.said(buffer.value)


class Trial:
    """A call that is made in several schedules: what its runs find is reported once, what they print as the last one does."""

    def __init__(self):
        self._known, self._is_first, self._printed = set(), True, []

    def begin_again(self):
        self._is_first, self._printed = False, []

    def is_news(self, finding):
        """Of a race, or what has a note elsewhere, the places count; else what is said, but for numbers, which may be others in another run."""
        place, *others = ((at.get("file"), at.get("line"), at.get("column")) for at in (finding, *finding.get("notes", ())[:1]))
        if others and (others[0] != place or finding["kind"] == "race"):
            key = frozenset((place, *others))
        else:
            key = place, re.sub(r"[0-9]+", "#", finding["message"].split("; ")[0])
        is_news = self._is_first or key not in self._known
        self._known.add(key)
        return is_news

    def print(self, text):
        self._printed.append(text)

    def end(self):
        sys.stdout.write("".join(self._printed))


class NativeMachine:
    """A prt_machine of one runtime. What it tells is kept until error() asks."""

    def __init__(self, threads=0, seed=None, tell=None, *, copies=None, runtime=None, chip=None, devices=None):
        """tell: called with each finding, as data and as text; it gives whether it is an error. copies: when they are made, 'late' or 'early', on one
        thread; without a seed nothing else is drawn."""
        runtime = runtime or _native.runtime()
        self.lock = threading.Lock()  # held for calls of checked code: findings belong to their calls
        self.others = []  # machines whose findings are this one's, too
        self.trial = None  # of the call that is under way
        self._reported = reported = ([], [], [])  # findings as data, as text, reports

        def on_finding(_, finding):
            data, text = json.loads(_given(runtime.prt_finding_json, finding), strict=False), _given(runtime.prt_finding_text, finding)
            trial = this().trial
            if (trial is None or trial.is_news(data)) and (not tell or tell(data, text)):
                reported[0].append(data)
                reported[1].append(text)

        this = weakref.ref(self)  # the callbacks live as long as the machine

        def on_print(_, text, length):
            (this().trial.print if this().trial else sys.stdout.write)(text[:length].decode("utf-8", "replace"))

        def on_report(_, text, length):
            data = _given(runtime.prt_finding_json, runtime.prt_machine_deadlock(this().address))
            reported[2].append((json.loads(data, strict=False), text[:length].decode("utf-8", "replace")))
        self._runtime, self.is_stopped = runtime, False
        callbacks = _native.REPORTED(on_finding), _native.WROTE(on_print), _native.WROTE(on_report)
        options = _native.MachineOptions()
        runtime.prt_machine_options_init_size(ctypes.byref(options), ctypes.sizeof(options))
        options.threads = threads
        if devices is not None:
            options.devices = devices
        options.chip = chip.encode() if chip else None
        options.on_finding, options.on_print, options.on_report = (ctypes.cast(c, ctypes.c_void_p) for c in callbacks)
        options.max_turns = 1_000_000_000  # of a while loop, where they are counted: under checks
        options.seeded, options.seed = seed is not None or copies is not None, seed or 0
        self.address = runtime.prt_machine_new(ctypes.byref(options))
        if not self.address:
            raise ValueError(_native.said(runtime.prt_error_message()))
        if copies is not None:
            words = copies if seed is None else f"{copies},seed={seed}"
            runtime.prt_machine_schedule(self.address, words.encode())
        weakref.finalize(self, _free, runtime, self.address, callbacks).atexit = False

    def stop(self, on):
        """Calls end, or may go on. Nothing is called back then: Python might handle the signal there, where its exception is lost."""
        self.is_stopped = on
        if on:
            self._runtime.prt_machine_stop_silently(self.address)
        else:
            self._runtime.prt_machine_stop(self.address, False)

    def error(self):
        """The exception for what has been reported since the last one; None if nothing was."""
        reported = [[], [], []]
        for machine in (self, *self.others):
            for items, all_of_it in zip(machine._reported, reported):
                taken = list(items)
                del items[:len(taken)]
                all_of_it += taken
        return finding_error(*reported)


def _free(runtime, address, _):
    runtime.prt_machine_free(address)


class Machine:
    """What functions run on. Libraries that hold a runtime of their own get a machine there, made when it is first needed."""

    def __init__(self, *, threads=0, seed=None, tpu=None, devices=None):
        for name, value in (("threads", threads), ("devices", 1 if devices is None else devices)):
            if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 31:
                raise ValueError(f"{name} must be an int of at least 0, got {value!r}")
        if seed is not None and (not isinstance(seed, int) or not 0 <= seed < 1 << 64):
            raise ValueError(f"seed must be an int of 64 bits, got {seed!r}")
        tpu = chip_named(tpu)
        self._options = threads, seed
        self._tpu, self._devices = tpu, devices
        self._made, self._lock = {}, threading.Lock()
        if threads or devices is not None:  # what is wrong with them is reported now
            NativeMachine(*self._options, chip=tpu, devices=devices)

    def __repr__(self):
        said = dict(zip(("threads", "seed"), self._options), tpu=self._tpu, devices=self._devices)
        return f"pallasc.Machine({', '.join(f'{name}={value!r}' for name, value in said.items() if value not in (None, 0) or name == 'seed' and value == 0)})"

    def _native_for(self, runtime, chip):
        key = runtime._handle, self._tpu or chip
        found = self._made.get(key)
        if found is None:
            with self._lock:
                found = self._made.get(key)
                if found is None:
                    found = self._made[key] = NativeMachine(*self._options, runtime=runtime, chip=key[1], devices=self._devices)
        return found


default = Machine()
