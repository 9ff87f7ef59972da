# SPDX-License-Identifier: Apache-2.0
"""The tests that are held against mutants, one item a case, and the order in which they are tried.

In: a build folder with pallasc and the unit tests. Out: items that can be run alone, each in a process group of its own with a limit of time.
"""
import dataclasses
import functools
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]

# A test gets this much more than it took on the unchanged code, with other work on the machine.
SLOWER, PATIENCE = 10.0, 5.0
UNKNOWN = 600.0  # for one that nobody has timed

# Which tests are tried first: those that are cheap and say much (of what `emitted` makes nothing is run). Last come those that start many
# processes, or come by the places of others once more. Then which are near a source.
FIRST = ('emitted/', 'unit/', 'golden/')
LAST = ('kernels/check:', 'kernels/seeds:', 'apps/', 'ranks/', 'command/', 'fuzz/')
NEAR = {
    'compiler/passes/': ('emitted/', 'golden/ir/', 'golden/lowered', 'golden/diagnostics', 'fuzz/'),
    'compiler/ir/': ('emitted/', 'golden/ir/', 'golden/interpret', 'golden/lowered'),
    'compiler/plan/': ('emitted/', 'golden/plan', 'golden/report', 'kernels/', 'fuzz/'),
    'compiler/codegen/': ('emitted/', 'golden/entry', 'golden/numerics', 'kernels/', 'fuzz/'),
    'compiler/': ('golden/python', 'golden/stdlib', 'golden/programs', 'golden/bad_input', 'golden/diagnostics', 'golden/tests'),
    'runtime/': ('golden/races', 'golden/deadlock', 'golden/semaphores', 'golden/check', 'apps/', 'ranks/'),
}


class Failed(Exception):
    """The test does not hold: the mutant is caught."""


class Hung(Failed):
    pass


def load(name, path):
    """A module from a script whose name has no ending."""
    sys.path.insert(0, str(path.parent))
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module
    loader.exec_module(module)
    return module


@functools.cache
def text_of_unit(name):
    return (TESTS / 'unit' / f'{name}.c').read_text(encoding='utf-8')


@dataclasses.dataclass
class Item:
    name: str                # golden/…, emitted/…, kernels/…, unit/PROGRAM/TCASE, apps/…, ranks/…, fuzz/…, command/…
    target: str              # what must be built for it
    run: object              # run(timeout): raises Failed
    is_settled: bool = False # by no clock and no thread: what has passed once passes again

    def turn(self):
        """When it is surveyed: 0 first."""
        return len(FIRST) + 1 if self.name.startswith(LAST) else next((turn for turn, name in enumerate(FIRST) if self.name.startswith(name)), len(FIRST))

    def is_near(self, path):
        """How much likelier than others it is to notice a change of this source."""
        file = pathlib.PurePath(path).name
        if self.name.startswith('unit/'):
            return 20 if file in text_of_unit(self.name.split('/')[1]) else 4
        return 6 if self.name.startswith(next(near for room, near in NEAR.items() if path.startswith(room))) else 1


def kind_of(name):
    """Tests of a kind come by the same places: what they are made of, and the folder that they are in."""
    return '/'.join(name.split('/')[:2]) if name.startswith(('golden/', 'kernels/')) else name.split('/')[0]


def end_session(number):
    """Its processes, those too that made a group of their own, as Check's do."""
    for stat in pathlib.Path('/proc').glob('[0-9]*/stat'):
        try:
            if int(stat.read_text().rpartition(')')[2].split()[3]) == number:
                os.kill(int(stat.parent.name), signal.SIGKILL)
        except (OSError, ValueError):
            pass


def run_group(command, timeout, env=None, cwd=None):
    """Like subprocess.run, but what the command started ends with it."""
    child = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd,
                             env={**os.environ, **(env or {})}, start_new_session=True, errors='replace', text=True)
    try:
        out, _ = child.communicate(timeout=timeout)
        return child.returncode, out
    except subprocess.TimeoutExpired:
        raise Hung(f'still running after {timeout:.0f} s') from None
    finally:
        end_session(child.pid)
        child.wait()


class Suite:
    def __init__(self, build, sample=1):
        self.build, self.sample = build, sample
        self.pallasc = str(build / 'pallasc')
        self.golden = load('run_golden', TESTS / 'golden' / 'run_golden')
        self.kernels = load('run_cases', TESTS / 'kernels' / 'run_cases')
        self.emitted = load('run_emitted', TESTS / 'emitted' / 'run_emitted')
        self.apps = load('run_apps', TESTS / 'apps' / 'run_apps')
        self.ranks = load('run_ranks', TESTS / 'ranks' / 'run_ranks')
        self.items = [*self.units(), *self.goldens(), *self.what_is_made(), *self.kernel_cases(), *self.programs(), *self.over_ranks(), *self.commands()]

    # ---- one kind of test after the other --------------------------------------------------------
    def units(self):
        for source in sorted((TESTS / 'unit').glob('test_*.c')):
            for tcase in dict.fromkeys(re.findall(r'tcase_create\("([^"]+)"\)', source.read_text(encoding='utf-8'))):
                yield Item(f'unit/{source.stem}/{tcase}', f'unit/{source.stem}', lambda timeout, name=source.stem, tcase=tcase: self.run_unit(name, tcase, timeout))

    def run_unit(self, name, tcase, timeout):
        env = {'CK_RUN_CASE': tcase, 'CK_DEFAULT_TIMEOUT': str(int(timeout)), 'CK_TIMEOUT_MULTIPLIER': '1'}
        status, out = run_group([self.build / 'unit' / name], timeout, env, self.build)
        if status != 0:
            if 'Test timeout expired' in out:
                raise Hung(out[-400:])
            raise Failed(out[-400:])

    def goldens(self):
        for number, case in enumerate(self.golden.find_cases([])):
            if number % self.sample and case.stored.is_relative_to(self.golden.HERE / 'races'):
                continue
            yield Item(f'golden/{case.stored.relative_to(self.golden.HERE)}', 'pallasc', lambda timeout, case=case: self.run_golden(case, timeout))

    def run_golden(self, case, timeout):
        args = self.golden.parse(['--pallasc', self.pallasc, '--timeout', str(timeout), '--diff-lines', '8'])
        try:
            self.golden.check(args, case)
        except self.golden.CaseFailed as error:
            raise (Hung if 'still running' in str(error) else Failed)(str(error)[:400]) from None

    def what_is_made(self):
        for source, line in self.emitted.kernels():
            yield Item(f'emitted/{source}', 'emitted', lambda timeout, source=source, line=line: self.run_emitted(source, line, timeout), True)

    def run_emitted(self, source, line, timeout):
        args = self.emitted.parse(['--emitted', str(self.build / 'emitted'), '--timeout', str(timeout)])
        try:
            differences = self.emitted.differences_of(args, source, line)
        except subprocess.TimeoutExpired:
            raise Hung(source) from None
        if differences:
            raise Failed(differences[0][:400])

    def kernel_cases(self):
        for variant, options in (('', {}), ('check:', {'check': True}), ('seeds:', {'seeds': 1})):
            for path in sorted(self.kernels.HERE.rglob('*.pk'))[::self.sample if variant else 1]:
                below = path.relative_to(self.kernels.HERE)
                if 'modules' in below.parts or options.get('seeds') and not self.kernels.WAITS.search(path.read_text(encoding='utf-8')):
                    continue
                yield Item(f'kernels/{variant}{below}', 'pallasc', lambda timeout, path=path, options=options: self.run_kernel(path, options, timeout))

    def run_kernel(self, path, options, timeout):
        args = self.kernels.parse(['--pallasc', self.pallasc])
        vars(args).update(timeout=timeout, packages=None, pallasc_args=['-O1'] if options else [], **options)
        outcome, text = self.kernels.run_case(args, path)
        if outcome == 'failed':
            raise (Hung if 'still running' in text else Failed)(text[:400])

    def programs(self):
        for function in self.apps.TESTS:
            yield Item(f'apps/{function.__name__}', 'runtime', lambda timeout, function=function: self.run_app(function))

    def run_app(self, function):
        with tempfile.TemporaryDirectory() as folder:
            bench = self.apps.Bench(self.build, pathlib.Path(folder))
            try:
                bench.make_kernels()
                function(bench)
            except self.apps.Skipped:
                pass
            except subprocess.TimeoutExpired:
                raise Hung(function.__name__) from None
            except (self.apps.Failed, OSError) as error:
                raise Failed(str(error)[:400]) from None

    # Those that end a rank look for its process by name, which may be one of another campaign.
    def over_ranks(self):
        for function in self.ranks.tests if shutil.which('mpirun') else ():
            if not function.__name__.startswith('a_rank_that'):
                yield Item(f'ranks/{function.__name__}', 'runtime', lambda timeout, function=function: self.run_over_ranks(function))

    def run_over_ranks(self, function):
        with tempfile.TemporaryDirectory() as folder:
            outcome, text = self.ranks.outcome(self.ranks.Build(self.build, folder, 'mpi'), function)
        if outcome == 'failed':
            raise Failed(text[:400])

    def commands(self):
        for name, words in (*COMMANDS, *random_programs()):
            yield Item(name, 'pallasc', lambda timeout, words=words: self.run_command(words, timeout))

    def run_command(self, words, timeout):
        status, out = run_group([word.format(tests=TESTS, pallasc=self.pallasc, root=TESTS.parent) for word in words], timeout)
        if status != 0:
            raise Failed(out[-400:])


# What ./tests/run starts as one command.
COMMANDS = (
    ('command/rings', ('python3', '{tests}/fuzz/random_rings.py', '--pallasc', '{pallasc}', '--count', '12')),
    ('command/races', ('python3', '{tests}/fuzz/random_races.py', '--pallasc', '{pallasc}', '--count', '20', '--jobs', '1')),
    ('command/bad_input', ('python3', '{tests}/golden/bad_input/run_bad_input', '--pallasc', '{pallasc}', '--jobs', '1')),
    ('command/examples', ('python3', '{tests}/tools/run_seeds.py', '--pallasc', '{pallasc}', '--examples', '{root}/dsl-examples', '-j', '1')),
)


def random_programs():
    """A part of those that ./tests/run makes, a file an item."""
    for script, options, most, batch in (('random_in_place', ('--quick',), 60, 4), ('random_effects', (), 40, 5)):
        for seed in range(0, most, batch):
            counts = ('--seed', str(seed), '--count', str(batch), '--batch', str(batch), '--jobs', '1')
            yield f'fuzz/{script}:{seed}', ('python3', f'{{tests}}/fuzz/{script}.py', '--pallasc', '{pallasc}', *options, *counts)
