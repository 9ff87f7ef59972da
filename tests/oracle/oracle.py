# SPDX-License-Identifier: Apache-2.0
"""JAX as the oracle of the tests.

  oracle.py make [FILE...]         run the cases of tests/kernels under JAX and store what they give, beside them
  oracle.py check [FILE...]        run them again and compare with what is stored
  oracle.py run-examples [DIR]     run every .pk file below DIR (default dsl-examples) under JAX

What verified.txt records is not run again, except with --all; --record adds what passes (`make` does so always). A FILE may be a folder. -j N: processes (default 2). -v: show what JAX said where a case expects an error.
Exit status 0 if all is well. The last line is `N passed, N failed, N skipped`.
"""
import argparse
import concurrent.futures
import contextlib
import io
import logging
import multiprocessing
import pathlib
import re
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / 'tests' / 'kernels'), str(ROOT / 'tests' / 'oracle')]

import arrays
import case_file
import pk_under_jax
import verified

TIMEOUT_S = 600
CODE = [ROOT / 'tests' / name for name in ('oracle/oracle.py', 'oracle/pk_under_jax.py', 'oracle/input_arrays.py', 'kernels/case_file.py', 'kernels/arrays.py')]


class CaseFailed(Exception):
    pass


# ---- one case ----------------------------------------------------------------------------------------------------------------

def run_script(case):
    """What the program prints."""
    import numpy as np
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), np.printoptions(), pk_under_jax.kernels_interpreted(case.oracle):
        pk_under_jax.run_module(case.path)
    return printed.getvalue()


def run_failure(case):
    """What JAX says of a program that must fail."""
    logging.disable()
    try:
        printed = run_script(case)
    except Exception as error:
        return f'{type(error).__name__}: {error}'
    finally:
        logging.disable(logging.NOTSET)
    raise CaseFailed(f'JAX accepts it, and it prints {printed!r}')


def run_entries(case):
    """{(entry, 'in' or 'out', index): numpy array} for all entries of the file."""
    import input_arrays
    import jax
    import numpy as np
    made = {}
    with contextlib.redirect_stdout(io.StringIO()), pk_under_jax.kernels_interpreted(case.oracle):
        names = pk_under_jax.run_module(case.path)
        for entry in case.entries:
            positional, keywords = [], {}
            for index, (name, annotation, keyword_only) in enumerate(entry.params):
                kind = eval(annotation, names)
                array = input_arrays.make(case, entry.name, name, kind.shape, kind.dtype)
                made[entry.name, 'in', index] = array
                if keyword_only:
                    keywords[name] = jax.numpy.asarray(array)
                else:
                    positional.append(jax.numpy.asarray(array))
            leaves = jax.tree.leaves(names[entry.name](*positional, **keywords))
            for index, leaf in enumerate(leaves):
                made[entry.name, 'out', index] = np.asarray(leaf)
    return made


# ---- make, check, run-examples -----------------------------------------------------------------------------------------------

def make(case):
    for path in case.stored_paths():
        path.unlink()
    if case.kind == 'failure':
        return run_failure(case)
    if case.kind == 'script':
        case.stdout_path.write_text(run_script(case), encoding='utf-8')
        return ''
    import numpy as np
    for key, array in run_entries(case).items():
        np.save(case.array_path(*key), array)
    return ''


def check(case):
    if case.kind == 'failure':
        return run_failure(case)
    if case.kind == 'script':
        if not case.stdout_path.exists():
            raise CaseFailed('nothing is stored: oracle.py make')
        if run_script(case) != case.stdout_path.read_text(encoding='utf-8'):
            raise CaseFailed(f'prints something else than {case.stdout_path.name}')
        return ''
    import numpy as np
    made = run_entries(case)
    stored = set(case.stored_paths())
    with tempfile.TemporaryDirectory() as folder:
        for key, array in made.items():
            path = case.array_path(*key)
            if path not in stored:
                raise CaseFailed(f'{path.name} is missing: oracle.py make')
            stored.remove(path)
            again = pathlib.Path(folder) / path.name
            np.save(again, array)
            exact = case_file.Tolerance(signed_zeros=True)
            difference = arrays.compare(arrays.read_npy(again), arrays.read_npy(path),
                                        exact if key[1] == 'in' else case.tolerance)
            if difference:
                raise CaseFailed(f'{path.name}: {difference}')
    if stored:
        raise CaseFailed(f'{sorted(stored)[0].name} belongs to nothing')
    return ''


def run_example(case):
    if case.kind == 'failure':
        return run_failure(case)
    if case.entries:
        run_entries(case)
    else:
        run_script(case)
    return ''


COMMANDS = {'make': make, 'check': check, 'run-examples': run_example}


def process(command, path):
    """(outcome, text) of one case: outcome is passed, failed or skipped."""
    try:
        case = case_file.read(path)
        if case.oracle == 'none':
            return 'skipped', 'JAX cannot run it'
        return 'passed', COMMANDS[command](case)
    except CaseFailed as error:
        return 'failed', str(error)
    except BaseException:
        return 'failed', traceback.format_exc()


def find_cases(names, default):
    files = []
    for name in names or [default]:
        path = pathlib.Path(name)
        files += sorted(path.rglob('*.pk')) if path.is_dir() else [path]
    return [file for file in files if 'modules' not in file.parts]


def devices_of(file):
    """How many devices the case's machine has: JAX is told when it is imported."""
    found = re.search(r'^# flags:.*--devices[ =](\d+)', file.read_text(encoding='utf-8', errors='replace'), re.MULTILINE)
    return int(found[1]) if found else 1


def files_of(file):
    """What the comparison of a case depends on."""
    return [file, *case_file.read(file).stored_paths(), *verified.modules_of(file.parent)]


def run_all(args, files, is_quick):
    """(file, outcome, text) of each."""
    for devices in sorted({devices_of(file) for file in files}):
        mine = [file for file in files if devices_of(file) == devices]
        with concurrent.futures.ProcessPoolExecutor(
                max(1, min(args.j, len(mine))), multiprocessing.get_context('spawn'), pk_under_jax.set_up, (devices, is_quick)) as pool:
            jobs = [(file, pool.submit(process, args.command, file)) for file in mine]
            for file, job in jobs:
                yield file, *job.result(TIMEOUT_S)


def results(args, files):
    """What is stored comes from programs that XLA took its time for. What quick ones give otherwise, these settle."""
    if args.command == 'make':
        yield from run_all(args, files, False)
        return
    again = []
    for file, outcome, text in run_all(args, files, True):
        if outcome == 'failed':
            again.append(file)
        else:
            yield file, outcome, text
    yield from run_all(args, again, False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('command', choices=COMMANDS)
    parser.add_argument('files', nargs='*')
    parser.add_argument('-j', type=int, default=2, metavar='N')
    parser.add_argument('-v', action='store_true')
    parser.add_argument('--all', action='store_true', help='run what is recorded, too')
    parser.add_argument('--record', action='store_true', help='record what passes')
    args = parser.parse_intermixed_args()
    default = ROOT / ('dsl-examples' if args.command == 'run-examples' else 'tests/kernels')
    files = find_cases(args.files, default)
    record = verified.Record(CODE)
    known = [file for file in files if args.command != 'make' and not args.all and record.has(file, files_of(file))]
    count = dict(passed=len(known), failed=0, skipped=0)
    for file, outcome, text in results(args, sorted(set(files) - set(known))):
        other = verified.why_texts_differ()
        if outcome == 'failed' and other and case_file.read(file).kind == 'script':
            outcome, text = 'skipped', other
            print(f'skipped: {file}: {text}', flush=True)
        count[outcome] += 1
        if outcome == 'failed' or (args.v and text):
            print(f'{outcome}: {file}: {text}', flush=True)
        elif outcome == 'passed':
            record.add(file, files_of(file))
    if args.record or args.command == 'make':
        record.save()
    print(', '.join(f'{number} {outcome}' for outcome, number in count.items()))
    return 1 if count['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
