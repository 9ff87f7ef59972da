# SPDX-License-Identifier: Apache-2.0
"""A copy of the tree under build/mutate, its build, and the code that says which tests come by which mutants.

The tree of the user is only read. Files of the copy are written when they differ, so that a build after a change compiles what changed.
"""
import collections
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINKED = ('tests/golden', 'tests/kernels')  # read where they are

# Ahead of line 1 of each probed source: says once a process that a mutant was come by, to the file that MUTATE_REACHED names.
PROBE = ('extern char *getenv(const char *); extern int open(const char *, int, ...); extern int close(int); extern long write(int, const void *, unsigned long); '
         '__attribute__((weak)) unsigned char mutate_seen[{count}]; '
         '__attribute__((weak)) void mutate_reach(int n); __attribute__((weak)) void mutate_reach(int n) {{ mutate_seen[n] = 1; '
         'const char *path = getenv("MUTATE_REACHED"); if (!path) return; int file = open(path, {flags}, 0644); '
         'if (file < 0) return; if (write(file, &n, sizeof n) < 0) mutate_seen[n] = 0; close(file); }} ')


@functools.cache
def text_of(name):
    """A source as it was when it was first asked for: who works on the tree meanwhile does no harm."""
    return (ROOT / name).read_text(encoding='utf-8')


class Broken(Exception):
    """The copy does not build."""


class Workshop:
    def __init__(self, tree):
        self.tree = tree
        self.build = self.tree / 'build'
        self.objects = {}  # source -> its objects

    def copy(self):
        """Makes the copy what the user's tree is now. Gives the text of every source."""
        listed = subprocess.run(['git', '-C', str(ROOT), 'ls-files', '-co', '--exclude-standard'], capture_output=True, text=True, check=True).stdout.splitlines()
        wanted = {name for name in listed if (ROOT / name).is_file() and not name.startswith(LINKED)}
        self.tree.mkdir(parents=True, exist_ok=True)
        for name in wanted:
            self.write(name, text_of(name) if name.endswith(('.c', '.def')) else (ROOT / name).read_bytes())
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
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            if os.access(ROOT / name, os.X_OK):
                path.chmod(0o755)

    def original(self, name):
        return text_of(name)

    def configure(self):
        flags = ['-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG']
        if shutil.which('mold'):
            flags += [f'-DCMAKE_{kind}_LINKER_FLAGS=-fuse-ld=mold' for kind in ('EXE', 'SHARED')]
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
        plugin = ('libpallasrt_mpi.so',) if 'runtime/transport/mpi/prt_mpi.c' in self.objects else ()
        return ('pallasc', 'libpallasrt.so', *plugin) if item.target == 'runtime' else (item.target,)

    def digest(self, name):
        """Of the objects of a source."""
        return hashlib.sha1(b''.join((self.build / path).read_bytes() for path in self.objects[name])).hexdigest()

    def compile(self, name):
        self.ninja(*self.objects[name], timeout=600)

    # ---- probes ----------------------------------------------------------------------------------
    def probe(self, mutants, numbers):
        """Puts a probe before the statement of each mutant. Gives those whose file took none."""
        of_file = collections.defaultdict(list)
        for mutant in mutants:
            if mutant.probe >= 0:
                of_file[mutant.path].append(mutant)
        head = PROBE.format(count=len(numbers) + 1, flags=os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        for name, some in of_file.items():
            source = self.original(name)
            for place in sorted({mutant.probe for mutant in some}, reverse=True):
                calls = ''.join(f'if (!mutate_seen[{numbers[m.id]}]) mutate_reach({numbers[m.id]}); ' for m in some if m.probe == place)
                source = source[:place] + calls + source[place:]
            self.write(name, head + source)
        without = {mutant.id for mutant in mutants if mutant.probe < 0}
        done = subprocess.run(['ninja', '-C', str(self.build), '-k', '0'], capture_output=True, text=True)
        if done.returncode:
            for name in set(re.findall(r'((?:compiler|runtime)/[\w/]+\.c):\d+:\d+: error', done.stdout)):
                self.write(name, self.original(name))
                without |= {mutant.id for mutant in of_file[name]}
            self.ninja()
        return without

    def restore(self, names):
        for name in names:
            self.write(name, self.original(name))
