# SPDX-License-Identifier: Apache-2.0
"""A copy of the tree under build/mutate, its build, and the code that says which tests come by which mutants.

The tree of the user is only read. Files of the copy are written when they differ, so that a build after a change compiles what changed.
"""
import collections
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINKED = ('tests/golden', 'tests/kernels')  # read where they are
ARENA, JUNK = 'compiler/base/arena.c', b'#define POISON_WITH_JUNK\n#line 1\n'  # what is read beside an array is not 0 by chance

# Ahead of line 1 of each probed source: says once a process that a place was come by, to the file that MUTATE_REACHED names.
PROBE = ('extern char *getenv(const char *); extern int open(const char *, int, ...); extern int close(int); extern long write(int, const void *, unsigned long); '
         '__attribute__((weak)) unsigned char mutate_seen[{count}]; '
         '__attribute__((weak)) void mutate_reach(int n); __attribute__((weak)) void mutate_reach(int n) {{ mutate_seen[n] = 1; '
         'const char *path = getenv("MUTATE_REACHED"); if (!path) return; int file = open(path, {flags}, 0644); '
         'if (file < 0) return; if (write(file, &n, sizeof n) < 0) mutate_seen[n] = 0; close(file); }} ')


class Broken(Exception):
    """The copy does not build."""


class Workshop:
    def __init__(self, tree):
        self.tree = tree
        self.build = self.tree / 'build'
        self.objects = {}  # source -> its objects
        self.texts = {}    # source -> what it was when the copy was made: the user may work on

    def copy(self, probed=()):
        """Makes the copy what the user's tree is now, but for sources that get probes."""
        listed = subprocess.run(['git', '-C', str(ROOT), 'ls-files', '-co', '--exclude-standard'], capture_output=True, text=True, check=True).stdout.splitlines()
        wanted = {name for name in listed if (ROOT / name).is_file() and not name.startswith(LINKED)}
        self.tree.mkdir(parents=True, exist_ok=True)
        for name in wanted:
            data = (ROOT / name).read_bytes()
            if name.startswith(('compiler/', 'runtime/')):
                self.texts[name] = data
            if name not in probed or not (self.tree / name).exists():
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
        flags = ['-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG']
        linker = next((name for name, program in (('mold', 'mold'), ('lld', 'ld.lld')) if shutil.which(program)), None)
        if linker:
            flags += [f'-DCMAKE_{kind}_LINKER_FLAGS=-fuse-ld={linker}' for kind in ('EXE', 'SHARED')]
        if shutil.which('ccache'):
            flags.append('-DCMAKE_C_COMPILER_LAUNCHER=ccache')
        done = subprocess.run(['cmake', '-S', self.tree, '-B', self.build, '-G', 'Ninja', *flags], capture_output=True, text=True)
        if done.returncode:
            raise Broken(done.stdout[-2000:] + done.stderr[-2000:])
        self.objects = collections.defaultdict(list)
        for entry in json.loads((self.build / 'compile_commands.json').read_text()):
            source = pathlib.Path(entry['file']).resolve()
            if source.is_relative_to(self.tree.resolve()):
                self.objects[str(source.relative_to(self.tree.resolve()))].append(re.search(r' -o (\S+)', entry['command'])[1])

    def ninja(self, *targets, timeout=1800):
        done = subprocess.run(['ninja', '-C', str(self.build), *targets], capture_output=True, text=True, timeout=timeout)
        if done.returncode:
            raise Broken(done.stdout[-3000:])

    def targets_of(self, item):
        has_mpi = any(name.startswith('runtime/transport/mpi/') for name in self.objects)
        of_ranks = ('libpallasrt_mpi.so',) if item.name.startswith('ranks/') and has_mpi else ()
        return ('pallasc', 'libpallasrt.so', *of_ranks) if item.target == 'runtime' else (item.target,)

    def digest(self, name):
        """Of the objects of a source; a table has none of its own: all that pallasc is made of."""
        objects = self.objects.get(name)
        files = [self.build / path for path in objects] if objects else [self.build / 'pallasc']
        return hashlib.sha1(b''.join(path.read_bytes() for path in files)).hexdigest()

    def compile(self, name):
        objects = self.objects.get(name)
        self.ninja(*(objects or ['pallasc']), timeout=600)

    # ---- probes ----------------------------------------------------------------------------------
    def probe(self, places):
        """Puts the probes in and builds: {source: {offset: number}}. Gives the sources that took none."""
        head = PROBE.format(count=1 + max((n for numbers in places.values() for n in numbers.values()), default=0), flags=os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        for name, numbers in places.items():
            source = self.original(name)
            for offset in sorted(numbers, reverse=True):
                source = f'{source[:offset]}if (!mutate_seen[{numbers[offset]}]) mutate_reach({numbers[offset]}); {source[offset:]}'
            self.write(name, head + source)
        without = set()
        done = subprocess.run(['ninja', '-C', str(self.build), '-k', '0'], capture_output=True, text=True)
        if done.returncode:
            without = set(re.findall(r'((?:compiler|runtime)/[\w/]+\.c):\d+:\d+: error', done.stdout))
            for name in without:
                self.write(name, self.original(name))
            self.ninja()
        return without
