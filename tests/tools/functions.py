# SPDX-License-Identifier: Apache-2.0
"""Runs the functions test_* of the files test_*.py of a folder, each in a folder of its own if it takes tmp_path."""
import importlib
import inspect
import pathlib
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True


def passes(function, failures):
    try:
        with tempfile.TemporaryDirectory() as folder:
            function(*[pathlib.Path(folder)] if 'tmp_path' in inspect.signature(function).parameters else [])
    except failures:
        traceback.print_exc(file=sys.stdout)
        return False
    return True


def run(folder, failures=Exception):
    """The exit status, 0 if some ran and none fails. The last line is `N passed, N failed, N skipped`."""
    passed = failed = 0
    for file in sorted(folder.glob('test_*.py')):
        functions = vars(importlib.import_module(file.stem))
        for name in [name for name in functions if name.startswith('test_')]:
            if passes(functions[name], failures):
                passed += 1
            else:
                failed += 1
                print(f'FAIL {file.name}: {name}')
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return 1 if failed or not passed else 0
