# SPDX-License-Identifier: Apache-2.0
"""The progress bar of the benches: one line on standard error if that is a terminal, drawn over and over."""
import os
import shutil
import sys
import time

CELLS = 24


class Progress:
    """Of `total` rows. Without --quiet, and on a terminal; else it is silent."""

    def __init__(self, total, quiet=False, out=sys.stderr):
        self.total, self.done, self.out, self.begun = max(total, 1), 0, out, time.monotonic()
        self.on = not quiet and out.isatty() and os.environ.get('TERM', 'dumb') != 'dumb'

    def at(self, name):
        """The row of this name is being measured."""
        if self.on:
            filled = CELLS * self.done // self.total
            left = ''
            if self.done:
                seconds = (time.monotonic() - self.begun) / self.done * (self.total - self.done)
                left = f', {seconds / 60:.0f} min left' if seconds >= 90 else f', {seconds:.0f} s left'
            line = f'[{"#" * filled}{" " * (CELLS - filled)}] {self.done}/{self.total}{left}: {name}'
            self.out.write('\r\033[K' + line[:shutil.get_terminal_size().columns - 1])
            self.out.flush()

    def step(self):
        """A row is done: the line goes, so that others can be printed."""
        self.done += 1
        self.wipe()

    def wipe(self):
        if self.on:
            self.out.write('\r\033[K')
            self.out.flush()
