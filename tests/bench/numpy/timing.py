# SPDX-License-Identifier: Apache-2.0
# Rows that time themselves. A row is (name, statement as a function without arguments); each prints "name|seconds|checksum". Arguments of the program: only
# rows whose names hold one of them.
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from clock import fastest


def checksum(value):
    if value is None:
        return 0.0
    if isinstance(value, str):
        return float(len(value))
    value = np.asarray(value, dtype=np.float64).ravel()
    return float(value[::997].sum())


def report(rows):
    texts = sys.argv[1:]
    for name, call in rows:
        if texts and not any(text in name for text in texts):
            continue
        try:
            result, best = fastest(call, 0.01, 5)
            print(f"{name}|{best:.9f}|{checksum(result):.6g}", flush=True)
        except Exception as error:
            print(f"{name}|nan|{type(error).__name__}: {error}", flush=True)
