# SPDX-License-Identifier: Apache-2.0
"""What the tests of programs share: the lists of them, a folder with compiled kernels, and commands that must end well."""
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WARNINGS = ['-O1', '-Wall', '-Wextra', '-Wshadow', '-Werror', '-pedantic']


class Skipped(Exception):
    pass


class Failed(Exception):
    pass


class Bench:
    """A folder with what the tests share: the object, the header and the library of kernels.pk."""

    def __init__(self, build, folder, tsan=None):
        self.build, self.folder = build, folder
        self.pallasc = build / 'pallasc'
        self.includes = [f'-I{folder}', f'-I{ROOT / "runtime"}']
        self.runtime = [str((tsan.resolve() if tsan else build) / 'libpallasrt.a'), '-lm', '-pthread']

    def run(self, *command, cwd=None, env=None, status=0):
        done = subprocess.run([str(word) for word in command], cwd=cwd or self.folder, env={**os.environ, **(env or {})}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=3000)
        if done.returncode != status:
            raise Failed(f'{" ".join(map(str, command))}\nexit status {done.returncode}\n{done.stdout[-9000:]}')
        return done.stdout

    def make_kernels(self):
        self.run(self.pallasc, HERE / 'kernels.pk', '-o', 'kernels.o', '-h', 'kernels.h')
        self.run(self.pallasc, '-shared', HERE / 'kernels.pk', '-o', 'libkernels.so')

    def make_devices(self):
        """The object of devices.pk on eight devices, with its header, once."""
        if not (self.folder / 'devices.o').exists():
            self.run(self.pallasc, '--devices', '8', HERE / 'devices.pk', '-o', 'devices.o', '-h', 'devices.h')
        return 'devices.o'

    def link(self, source, *words, to=None, std='c11'):
        """A program of a source in C, of this folder or made by the test, with objects and options."""
        source = HERE / source if (HERE / source).exists() else pathlib.Path(source)
        self.run('cc', f'-std={std}', *WARNINGS, *self.includes, source, *words, *self.runtime, '-o', to or source.stem)


TESTS, RACES = [], []


def test(function):
    TESTS.append(function)
    return function


def race(function):
    """Under ThreadSanitizer: the kernels tell it of their accesses, and so does the runtime of --tsan."""
    RACES.append(function)
    return function
