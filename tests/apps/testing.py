# SPDX-License-Identifier: Apache-2.0
"""What a run of `pallasc test` leaves to the next one, and options of pytest's users. What is expected is what pytest 9.2 says of the same files."""
import json
import re
import signal
import subprocess

from bench import Failed, test

FIRST = '''import pytest
def test_1(): pass
def test_2():
    x, y = [1, 2], "s"
    assert len(x) == 3
class TestC:
    def test_3(self): assert 0
    def test_4(self): pass
'''
SECOND = '''import pytest
@pytest.mark.parametrize("n", [1, 2, 3])
def test_5(n): assert n != 2
def test_6(tmp_path, cache):
    (tmp_path / "x").write_text("1")
    cache.set("my/x", cache.get("my/x", 0) + 1)
'''


class Project:
    """A folder of its own; commands are run in it."""

    def __init__(self, b, name, **files):
        self.b, self.folder = b, b.folder / name
        for file, text in {'test_a': FIRST, 'test_b': SECOND, **files}.items():
            self.write(file + '.py', text)

    def write(self, file, text):
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def says(self, words, status, *wanted, **env):
        """Runs it; each wanted text stands in what it prints, in this order."""
        said = self.b.run(self.b.pallasc, 'test', *words.split(), cwd=self.folder, status=status, env=env)
        at = 0
        for text in wanted:
            at = said.find(text, at)
            if at < 0:
                raise Failed(f'pallasc test {words}: no (further) {text!r} in\n{said}')
        return said

    def kept(self, name):
        return json.loads((self.folder / '.pytest_cache/v' / name).read_text())

    def expect(self, name, wanted):
        if self.kept(name) != wanted:
            raise Failed(f'{name} is {self.kept(name)}, not {wanted}')


@test
def runs_what_failed_the_last_time(b):
    p = Project(b, 'last_failed', test_c='def test_7(): pass\n')
    p.says('', 1, '3 failed, 6 passed in')
    p.expect('cache/lastfailed', {'test_a.py::test_2': True, 'test_a.py::TestC::test_3': True, 'test_b.py::test_5[2]': True})
    p.says('--lf', 1, 'run-last-failure: rerun previous 3 failures (skipped 1 file)', '3 failed, 1 deselected in')
    p.says('--ff -v', 1, 'test_2 FAILED', 'test_3 FAILED', 'test_5[2] FAILED', 'test_1 PASSED', 'test_4 PASSED', 'test_5[1] PASSED', 'test_7 PASSED')
    p.says('--lf test_c.py', 0, '3 known failures not in selected tests', '1 passed in')
    p.write('test_a.py', FIRST.replace('== 3', '== 2').replace('assert 0', 'pass'))
    p.says('--last-failed -j2', 1, '1 failed, 2 passed, 1 deselected in')
    p.expect('cache/lastfailed', {'test_b.py::test_5[2]': True})
    p.write('test_b.py', 'import nothing_of_that_name\n')
    p.says('', 2, 'ERROR test_b.py')
    p.expect('cache/lastfailed', {'test_b.py::test_5[2]': True, 'test_b.py': True})
    p.write('test_b.py', SECOND.replace('!= 2', '!= 0'))
    p.says('--lf', 0, 'rerun previous 4 failures', '4 passed in')
    p.says('--lf', 0, 'no previously failed tests, not deselecting items.', '9 passed in')
    p.says('--lf --lfnf none', 5, 'no previously failed tests, deselecting all items.', '9 deselected in')
    p.says('--cache-clear --co', 0)
    if (p.folder / '.pytest_cache/v').exists():
        raise Failed('--cache-clear left values')


@test
def goes_on_where_it_stopped(b):
    p = Project(b, 'stepwise')
    told = 'Interrupted: Test failed, continuing from this test next run.'
    p.says('--sw', 2, 'stepwise: no previously failed tests, not skipping.', told, '1 failed, 1 passed in')
    p.says('--stepwise', 2, 'stepwise: skipping 1 already passed items', told, '1 failed, 1 deselected in')
    p.says('--sw --sw-skip', 2, told, '2 failed, 1 deselected in')
    p.write('test_a.py', FIRST.replace('== 3', '== 2').replace('assert 0', 'pass'))
    p.says('--sw', 2, 'skipping 2 already passed items', 'test_5[2]', told, '1 failed, 3 passed, 2 deselected in')
    p.write('test_a.py', 'def test_0(): pass\n')
    p.says('--sw', 2, 'test count changed, not skipping (now 5 tests, previously 8).', '1 failed, 2 passed in')
    p.says('--sw-reset', 2, 'resetting state, not skipping.', '1 failed, 2 passed in')
    p.expect('cache/nodeids', sorted(p.kept('cache/nodeids')))


@test
def runs_new_tests_first(b):
    p = Project(b, 'new_first')
    p.says('test_b.py', 1)
    p.says('--nf -v', 1, 'test_1 PASSED', 'test_4 PASSED', 'test_5[1] PASSED')
    p.says('test_b.py', 1)
    p.expect('my/x', 3)
    for name, begin in {'README.md': '# pytest', '.gitignore': '#', 'CACHEDIR.TAG': 'Signature: 8a477f597d28d172789f06886806bc55'}.items():
        if not (p.folder / '.pytest_cache' / name).read_text().startswith(begin):
            raise Failed(f'.pytest_cache/{name}')


@test
def keeps_what_failed_before_an_interrupt(b):
    p = Project(b, 'interrupted')
    p.write('test_i.py', 'import time\ndef test_a(): assert 0\ndef test_b():\n    while True: time.sleep(0.01)\n')
    with subprocess.Popen([str(b.pallasc), 'test', 'test_i.py'], cwd=p.folder, stdout=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as job:
        while job.stdout.read(1) not in (b'F', b''):
            pass
        job.send_signal(signal.SIGINT)
        said = job.stdout.read().decode()
    if job.returncode != 2 or 'KeyboardInterrupt' not in said:
        raise Failed(f'status {job.returncode}: {said}')
    p.expect('cache/lastfailed', {'test_i.py::test_a': True})


@test
def a_run_can_leave_nothing(b):
    p = Project(b, 'leaves_nothing')
    p.says('-p no:cacheprovider test_a.py', 1)
    p.says('', 1, PYTEST_ADDOPTS='-p no:cacheprovider')
    p.says('-p no:cacheprovider --lf', 4, '--lf: the cache is turned off')
    p.write('pytest.ini', '[pytest]\naddopts = -p no:cacheprovider\n')
    p.says('test_a.py', 1)
    if (p.folder / '.pytest_cache').exists():
        raise Failed('.pytest_cache is there')
    p.write('pytest.ini', '[pytest]\ncache_dir = kept/here\n')
    p.says('test_a.py', 1)
    if not (p.folder / 'kept/here/v/cache/lastfailed').exists():
        raise Failed('cache_dir is not acted on')


@test
def a_cache_that_cannot_be_written_is_told(b):
    p = Project(b, 'no_cache')
    p.write('.pytest_cache', 'a file\n')
    p.says('test_a.py', 1, 'WARNING cache could not write path', '2 failed, 2 passed')


@test
def settings_are_in_the_file_that_is_named(b):
    p = Project(b, 'settings')
    p.write('other.ini', '[pytest]\npython_functions = check test\n')
    p.write('conf/alt.toml', '[tool.pytest.ini_options]\naddopts = "-k test_1"\n')
    p.write('test_k.py', 'def check_1(): pass\n')
    p.says('-c other.ini test_k.py', 0, '1 passed in')
    p.says('--config-file=other.ini test_k.py', 0, '1 passed in')
    p.says('test_k.py', 5)
    p.says('-c conf/alt.toml test_a.py', 0, '1 passed, 3 deselected in')
    p.says('-c no.ini', 4, 'no.ini')


@test
def files_of_tests_are_where_one_says(b):
    p = Project(b, 'basetemp')
    p.write('bt/old', 'to be removed')
    p.says('--basetemp=bt test_b.py -j2', 1)
    found = sorted(path.relative_to(p.folder / 'bt').as_posix() for path in (p.folder / 'bt').rglob('*'))
    if found != ['test_60', 'test_60/x']:
        raise Failed(f'--basetemp has {found}')
    p.says('--basetemp=. test_b.py', 4, 'basetemp must not be empty, the current working directory')
    if not (p.folder / 'test_b.py').exists():
        raise Failed('--basetemp=. has removed the tests')


@test
def shows_local_variables(b):
    p = Project(b, 'locals')
    p.write('test_l.py', 'def half(n):\n    rest = n % 2\n    if rest:\n        raise ValueError(n)\n\ndef test_half():\n    many = list(range(9))\n    half(3)\n')
    wanted = ('test_l.py:8: in test_half\n    half(3)\n        many       = [0, 1, 2, 3, 4, 5, ...]\n'
              'test_l.py:4: in half\n    raise ValueError(n)\nE   ValueError: 3\n        n          = 3\n        rest       = 1\n')
    p.says('-l test_l.py', 1, wanted)
    p.says('--showlocals --tb=short test_l.py', 1, wanted)
    if 'rest' in p.says('test_l.py', 1).replace('rest = n', ''):
        raise Failed('local variables are shown without -l')


@test
def options_of_conftest_files_may_be_short(b):
    p = Project(b, 'short')
    p.write('conftest.py', 'def pytest_addoption(parser):\n    parser.addoption("-Z", "--zed", default="none")\n'
                           '    parser.addoption("-Q", action="store_true", dest="quick")\n')
    p.write('test_z.py', 'def test_z(request): assert request.config.getoption("zed") == "big"\n'
                         'def test_q(pytestconfig): assert pytestconfig.getoption("quick")\n')
    for words in ('-Z big -Q', '-Zbig -Q', '-Q --zed=big'):
        p.says(f'{words} test_z.py', 0, '2 passed in')
    p.says('-Q test_z.py', 1, '1 failed, 1 passed in')
    p.says('-Y test_z.py', 4, 'unrecognized arguments: -Y')
    p.says('-Z', 4, 'expected one argument')


@test
def tests_are_counted_where_they_are_listed(b):
    p = Project(b, 'listed')
    p.says('--co -q', 0, 'test_b.py::test_6', '8 tests collected in')
    p.says('--co -k test_5', 0, '3/8 tests collected (5 deselected) in')
    p.says('--co -k nothing', 5, 'no tests collected (8 deselected) in')
    p.says('--co test_a.py::test_1', 0, '1 test collected in')
    p.write('test_b.py', 'import nothing_of_that_name\n')
    p.says('--co', 2, '<Module test_a.py>', '<Function test_1>', ' ERRORS ', 'ERROR test_b.py', 'Interrupted: 1 error during collection', '4 tests collected, 1 error in')


@test
def stops_and_wrong_options_end_as_in_pytest(b):
    p = Project(b, 'wrong')
    p.says('-x', 1, 'stopping after 1 failures', '1 failed, 1 passed in')
    p.says('--maxfail=2 -j2', 1, 'stopping after 2 failures')
    for words in ('--nonsense', 'no_file.py', 'test_a.py::nothing', '--maxfail=x', '--tb=bad', '-k (', '-r', '--durations=x', '-o bad', '--pdb', '--lfnf=some'):
        p.says(words, 4)
    p.says('', 4, 'unrecognized arguments: --nonsense', PYTEST_ADDOPTS='--nonsense')
    (p.folder / 'empty').mkdir()
    p.says('--nonsense empty', 4, 'unrecognized arguments: --nonsense')
    p.says('empty', 5, 'no tests ran in')
    p.says('test_a.py', 0, '1 passed, 3 deselected in', PYTEST_ADDOPTS="-k 'test_1'")
    if re.search('FAILURES|summary', p.says('--no-summary --color=no', 1, '3 failed')):
        raise Failed('--no-summary tells more than the counts')


HIDES = {'--no-summary': 'FAILURES|summary|careful', '--disable-warnings': 'warnings summary|careful', '--disable-pytest-warnings': 'warnings summary|careful'}
DIRECT = 'import sys, pytest\nsys.exit(pytest.main(["test_w.py"]))\n'


@test
def settings_hide_what_options_hide(b):
    p = Project(b, 'hides')
    p.write('test_w.py', 'import warnings\ndef test_w():\n    warnings.warn("careful")\ndef test_f(): assert 0\n')
    p.write('direct.py', DIRECT)
    for option, hidden in HIDES.items():
        p.write('pytest.ini', f'[pytest]\naddopts = {option}\n')
        direct = subprocess.run([str(b.pallasc), 'run', 'direct.py'], cwd=p.folder, capture_output=True, text=True)
        for said in (p.says('--color=no test_w.py', 1, '1 failed, 1 passed, 1 warning in'), direct.stdout + direct.stderr):
            if re.search(hidden, said) or '1 failed, 1 passed, 1 warning in' not in said:
                raise Failed(f'{option} of the settings: {said}')


def package(b, name):
    p = Project(b, name)
    for file, text in {'conftest.py': 'import pytest\n@pytest.fixture\ndef top(): return 1\n', 'pkg/__init__.py': '', 'pkg/sub/__init__.py': '',
                       'pkg/conftest.py': 'import pytest\n@pytest.fixture\ndef inner(): return 2\n',
                       'pkg/test_p.py': 'def test_top(top): assert top == 1\ndef test_inner(inner): assert inner == 2\ndef test_none(): pass\n',
                       'pkg/sub/test_s.py': 'def test_s(inner): assert __name__ == "pkg.sub.test_s"\n'}.items():
        p.write(file, text)
    return p


@test
def modules_are_named_and_imported_as_pytest_does(b):
    p = package(b, 'modules')
    p.says('--pyargs pkg.sub.test_s', 0, 'pkg/sub/test_s.py .', '1 passed in')
    p.says('--pyargs pkg.test_p::test_none -v', 0, 'pkg/test_p.py::test_none PASSED', '1 passed in')
    p.says('--pyargs pkg', 0, '4 passed in')
    p.says('--pyargs test_b.py -k test_6', 0, '1 passed')
    p.says('--pyargs pkg.nothing', 4, 'module or package not found: pkg.nothing (missing __init__.py?)')
    p.says('pkg.test_p', 4)
    where = 'import os, sys\ndef test_w():\n    assert [i for i, path in enumerate(sys.path) if os.path.abspath(path or ".") == os.getcwd()][-1:] == %s\n'
    p.write('test_w.py', 'import helper\n' + where % '[len(sys.path) - 1]')
    p.write('helper.py', '')
    p.says('--import-mode append test_w.py', 0, '1 passed in')
    p.says('--import-mode=x', 4, "'--import-mode' takes prepend, append or importlib, not 'x'")
    for mode in ('prepend', 'append', 'importlib'):
        p.says(f'--import-mode={mode} pkg', 0, '4 passed in')


@test
def modules_are_named_where_the_settings_say_so(b):
    p = package(b, 'settings_modules')
    p.write('pytest.ini', '[pytest]\naddopts = --pyargs\n')
    p.says('pkg.sub.test_s', 0, 'pkg/sub/test_s.py .', '1 passed in')
    p.says('pkg.nothing', 4, 'module or package not found: pkg.nothing')
    p.write('pytest.ini', '[pytest]\naddopts = -q\n')
    p.says('no_file.py', 4, 'ERROR: file or directory not found: no_file.py')


@test
def what_there_is_is_told_in_place_of_a_run(b):
    p = package(b, 'told')
    p.says('', 1, '3 failed')
    p.says('--cache-show', 0, f'cachedir: {p.folder}/.pytest_cache', "cache values for '*'", 'cache/lastfailed contains:', "'test_a.py::test_2': True")
    if 'nodeids' in p.says('--cache-show=cache/last*', 0, "cache values for 'cache/last*'", 'cache/lastfailed contains:'):
        raise Failed('--cache-show tells what was not asked for')
    p.says('--fixtures pkg', 0, 'tmp_path', 'fixtures defined from conftest', 'top -- conftest.py:2', 'inner -- pkg/conftest.py:2')
    p.write('pytest.ini', '[pytest]\naddopts = --setup-plan\n')
    p.says('pkg/test_p.py', 0, 'SETUP    F inner', 'test_inner (fixtures used: inner)', 'TEARDOWN F inner', 'no tests ran in')
    p.write('direct.py', 'import pytest\nprint(int(pytest.main(["--co", "pkg"])), int(pytest.main(["--markers"])))\n')
    said = b.run(b.pallasc, 'run', 'direct.py', cwd=p.folder)
    if '<Package pkg>\n    <Package sub>\n      <Module test_s.py>' not in said or '@pytest.mark.skip' not in said or '0 0' not in said:
        raise Failed(said)


@test
def names_start_from_the_root(b):
    p = package(b, 'root')
    p.says('--rootdir=pkg pkg/sub -v', 0, 'sub/test_s.py::test_s PASSED')
    p.says('--rootdir nowhere', 4, f"Directory '{p.folder}/nowhere' not found. Check your '--rootdir' option.")


@test
def conftest_files_can_be_left_out(b):
    p = package(b, 'left_out')
    p.says('--noconftest pkg', 1, "ERROR pkg/sub/test_s.py::test_s - fixture 'inner' not found", "test_top - fixture 'top'", '1 passed, 3 errors in')
    p.says('--confcutdir pkg pkg', 1, "ERROR pkg/test_p.py::test_top - fixture 'top' not found", '3 passed, 1 error in')
    p.says('--confcutdir=pkg/sub pkg', 1, '1 passed, 3 errors in')
    p.says('--confcutdir=. pkg', 0, '4 passed in')
    p.says('--confcutdir nowhere pkg', 4, '--confcutdir must be a directory, given: nowhere')


@test
def settings_ask_for_what_took_longest(b):
    p = Project(b, 'slowest')
    p.write('test_t.py', 'import time\ndef test_long(): time.sleep(0.2)\ndef test_short(): time.sleep(0.02)\n')
    told = ('slowest 2 durations', 'call     test_t.py::test_long', 'call     test_t.py::test_short', '2 passed in')
    p.says('-o addopts=--durations=2 test_t.py', 0, *told)
    p.says('--durations=0 --durations-min 0.1 test_t.py', 0, 'slowest durations', 'test_long', '(5 durations < 0.1s hidden.)\n')
    p.says('--durations-min=x', 4, "argument --durations-min: invalid float value: 'x'")
    p.write('pytest.ini', '[pytest]\naddopts = --durations=1\n')
    p.says('test_t.py', 0, 'slowest 1 durations', 'test_long', '2 passed in')
    p.says('--durations=2 test_t.py', 0, *told)
