#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the functions test_* of the files test_*.py of this folder under a Python that has JAX.

Exit status 0 if none fails. The last line is `N passed, N failed, N skipped`.
"""
import importlib
import inspect
import os
import pathlib
import sys
import tempfile
import traceback

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parents[1] / 'python')]
os.environ['JAX_PLATFORMS'] = 'cpu'
os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=4'  # before JAX is imported


def main():
    passed = failed = 0
    for file in sorted(HERE.glob('test_*.py')):
        module = importlib.import_module(file.stem)
        for name, function in list(vars(module).items()):
            if not name.startswith('test_'):
                continue
            try:
                with tempfile.TemporaryDirectory() as folder:
                    function(*[pathlib.Path(folder)] if 'tmp_path' in inspect.signature(function).parameters else [])
                passed += 1
            except (Exception, pytest.fail.Exception):  # which is none
                failed += 1
                print(f'FAIL {file.name}: {name}')
                traceback.print_exc(file=sys.stdout)
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
