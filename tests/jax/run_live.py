#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the functions test_* of the files test_*.py of this folder under a Python that has JAX.

Exit status 0 if none fails. The last line is `N passed, N failed, N skipped`.
"""
import os
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent / 'tools'), str(HERE.parents[1] / 'python')]
os.environ['JAX_PLATFORMS'] = 'cpu'
os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=4'  # before JAX is imported

import functions

if __name__ == '__main__':
    sys.exit(functions.run(HERE, (Exception, pytest.fail.Exception)))  # the latter is none
