#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the jaxprs that texts.py has written of tests/kernels and compares with what JAX gave: run_texts.py FOLDER [OPTION]...

Each is compiled as the case's own source would be, and must give the arrays that are stored beside the case. Exit status 0 if no case fails.
The last line is `N passed, N failed, N skipped`.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ROOT / 'tests' / 'kernels'
sys.dont_write_bytecode = True
sys.path.insert(0, str(KERNELS))

import arrays
import case_file


def run(args, folder, text):
    """What is wrong with one text; '' if nothing is."""
    name = text.relative_to(args.folder)
    stem, entry, _ = name.name.split('.')
    case = case_file.read(KERNELS / name.parent / f'{stem}.pk')
    wanted = case.array_paths(entry, 'out')
    made = [folder / f'{str(name).replace("/", ".")}.{path.name}' for path in wanted]
    command = [args.pallasc, 'run', *case.flags, *args.pallasc_args, f'{text}:{entry}', *case.array_paths(entry, 'in')]
    for path in made:
        command += ['-o', path]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=args.timeout, errors='replace')
    if done.returncode:
        return '\n    '.join([f'exit status {done.returncode}', *done.stderr.strip().splitlines()[:args.lines]])
    for got, want in zip(made, wanted):
        difference = arrays.compare(arrays.read_npy(got), arrays.read_npy(want), case.tolerance)
        got.unlink()
        if difference:
            return f'{want.name}: {difference}'
    return ''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--pallasc', default=str(ROOT / 'build' / 'pallasc'))
    parser.add_argument('--pallasc-args', default='', metavar='ARGS')
    parser.add_argument('--filter', action='append', default=[], metavar='TEXT')
    parser.add_argument('--timeout', type=float, default=300)
    parser.add_argument('--lines', type=int, default=4)
    parser.add_argument('-j', type=int, default=2)
    args = parser.parse_args()
    args.pallasc_args = args.pallasc_args.split()
    texts = [path for path in sorted(args.folder.rglob('*.jaxpr')) if all(t in str(path.relative_to(args.folder)) for t in args.filter)]
    if not texts and not args.filter:
        sys.exit(f'there is no jaxpr in {args.folder}')
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        def one(text):
            try:
                return run(args, pathlib.Path(folder), text)
            except (subprocess.TimeoutExpired, OSError, ValueError, arrays.NpyError) as error:
                return str(error)
        for text, wrong in zip(texts, pool.map(one, texts)):
            if wrong:
                failed += 1
                print(f'FAIL {text.relative_to(args.folder)}: {wrong}', flush=True)
    print(f'{len(texts) - failed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
