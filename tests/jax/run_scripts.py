#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of tests/kernels under JAX, their kernels compiled by pallasc, and compares what they print: run_scripts.py [--filter TEXT]...

Exit status 0 if no case fails. The last line is `N passed, N failed, N skipped`.
"""
import argparse
import contextlib
import io
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ROOT / 'tests' / 'kernels'
sys.dont_write_bytecode = True
sys.path[:0] = [str(KERNELS), str(ROOT / 'tests' / 'oracle'), str(ROOT / 'python')]

import case_file
import pk_under_jax


def run(case):
    """What is wrong with one program; '' if nothing is."""
    import pallasc.jax
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), pallasc.jax.machine():
            pk_under_jax.run_module(case.path)
    except Exception as error:
        return f'{type(error).__name__}: {str(error).strip()}'
    if case.stdout_path.exists() and printed.getvalue() != case.stdout_path.read_text(encoding='utf-8'):
        return f'prints something else: {printed.getvalue()[:300]!r}'
    return ''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--filter', action='append', default=[], metavar='TEXT')
    parser.add_argument('--lines', type=int, default=4)
    args = parser.parse_args()
    pk_under_jax.set_up()
    passed = failed = skipped = 0
    for path in sorted(KERNELS.rglob('*.pk')):
        name = path.relative_to(KERNELS)
        if 'modules' in name.parts or not all(text in str(name) for text in args.filter):
            continue
        source = path.read_text(encoding='utf-8')
        if 'pallas_call' not in source and 'pl.kernel' not in source and 'core_map' not in source:
            continue
        case = case_file.read(path)
        if case.kind != 'script':
            continue
        if '--devices' in source or case.oracle == 'none':
            skipped += 1
            continue
        wrong = run(case)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print('\n    '.join([f'FAIL {name}:', *wrong.splitlines()[:args.lines]]), flush=True)
    print(f'{passed} passed, {failed} failed, {skipped} skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
