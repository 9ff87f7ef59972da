#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the functions test_* of the files test_*.py of this folder, with the pallasc that this Python imports.

Exit status 0 if none fails. The last line is `N passed, N failed, N skipped`.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent / 'tools')]

import functions

if __name__ == '__main__':
    sys.exit(functions.run(HERE))
