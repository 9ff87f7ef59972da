# SPDX-License-Identifier: Apache-2.0
"""A copy of the tree under build/mutate and its one build, in which the mutants that were drawn stand with their switches.

The tree of the user is only read. Files of the copy are written when they differ, so that a build after a change compiles what changed, and
sources without a mutant are compiled as they always are, so that ccache has them.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess

import switches

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINKED = ('tests/golden', 'tests/kernels')  # read where they are
ARENA, JUNK = 'compiler/base/arena.c', b'#define POISON_WITH_JUNK\n#line 1\n'  # what is read beside an array is not 0 by chance


class Broken(Exception):
    """The copy does not build."""


class Workshop:
    def __init__(self, tree):
        self.tree = tree
        self.build = self.tree / 'build'
        self.texts = {}    # source -> what it was when the copy was made: the user may work on
        self.standing = {} # source -> its text with the mutants

    def copy(self):
        """Reads the user's tree, and makes the copy what it is but for the sources of compiler and runtime, which `install` writes."""
        listed = subprocess.run(['git', '-C', str(ROOT), 'ls-files', '-co', '--exclude-standard'], capture_output=True, text=True, check=True).stdout.splitlines()
        wanted = {name for name in listed if (ROOT / name).is_file() and not name.startswith(LINKED)}
        self.tree.mkdir(parents=True, exist_ok=True)
        for name in wanted:
            data = (ROOT / name).read_bytes()
            if name.startswith(('compiler/', 'runtime/')):
                self.texts[name] = data
            else:
                self.write(name, data)
        for name in LINKED:
            if not (self.tree / name).is_symlink():
                (self.tree / name).symlink_to(ROOT / name)
        for folder, subfolders, names in os.walk(self.tree):
            subfolders[:] = [sub for sub in subfolders if pathlib.Path(folder, sub) != self.build]
            for name in names:
                path = pathlib.Path(folder, name)
                if str(path.relative_to(self.tree)) not in wanted:
                    path.unlink()

    def write(self, name, data):
        path = self.tree / name
        data = data if isinstance(data, bytes) else data.encode()
        data = JUNK + data if name == ARENA else data
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            if os.access(ROOT / name, os.X_OK):
                path.chmod(0o755)

    def original(self, name):
        return self.texts[name].decode()

    def configure(self):
        flags = ['-DCMAKE_BUILD_TYPE=Release']
        linker = next((name for name, program in (('mold', 'mold'), ('lld', 'ld.lld')) if shutil.which(program)), None)
        if linker:
            flags += [f'-DCMAKE_{kind}_LINKER_FLAGS=-fuse-ld={linker}' for kind in ('EXE', 'SHARED')]
        if shutil.which('ccache'):
            flags.append('-DCMAKE_C_COMPILER_LAUNCHER=ccache')
        done = subprocess.run(['cmake', '-S', self.tree, '-B', self.build, '-G', 'Ninja', *flags], capture_output=True, text=True)
        if done.returncode:
            raise Broken(done.stdout[-2000:] + done.stderr[-2000:])

    def ninja(self, jobs, *targets):
        return subprocess.run(['ninja', '-C', str(self.build), '-k', '0', f'-j{jobs}', *targets], capture_output=True, text=True)

    def targets(self):
        has_mpi = any(name.startswith('runtime/transport/mpi/') for name in self.texts) and shutil.which('mpirun')
        units = [f'unit/{path.stem}' for path in sorted((self.tree / 'tests' / 'unit').glob('test_*.c'))]
        return ['pallasc', 'emitted', 'libpallasrt.so', *(['libpallasrt_mpi.so'] if has_mpi else []), *units]

    # ---- mutants with switches -------------------------------------------------------------------
    def install(self, numbered):
        """Writes the sources with the mutants {number: mutant}. Gives the numbers of those outside of functions."""
        by_source, outside = collections.defaultdict(dict), set()
        for number, mutant in numbered.items():
            by_source[mutant.path][number] = mutant
        count = max(numbered, default=0)
        for name in self.texts:
            self.standing[name] = self.texts[name]
            here = by_source.get(name)
            if here and name.endswith('.c'):
                self.standing[name], left = switches.switched(name, self.original(name), here, count, self.tree / name)
                outside.update(left)
            elif here:
                outside.update(here)
            self.write(name, self.standing[name])
        return outside

    def make(self, numbered, jobs):
        """Builds with these mutants. Gives the numbers of those outside of functions and of those that do not compile."""
        refused = set()
        while True:
            outside = self.install({number: mutant for number, mutant in numbered.items() if number not in refused})
            if not (self.build / 'build.ninja').exists():
                self.configure()
            done = self.ninja(jobs, *self.targets())
            if not done.returncode:
                return outside, refused
            broken = switches.broken_mutants(done.stdout) - refused
            if not broken:
                raise Broken('\n'.join(re.findall(r'.*error.*', done.stdout)[:20]) or done.stdout[-3000:])
            refused |= broken

    # ---- one mutant without a switch -------------------------------------------------------------
    def plant(self, mutant, jobs):
        """Builds with a mutant of a table in place of the source that stands there. Whether it compiles."""
        self.write(mutant.path, mutant.applied(self.original(mutant.path)))
        return not self.ninja(jobs, *self.targets()).returncode

    def unplant(self, mutant):
        self.write(mutant.path, self.standing[mutant.path])
