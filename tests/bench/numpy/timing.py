# SPDX-License-Identifier: Apache-2.0
# Rows that time themselves. A row is (name, statement as a function without arguments); each prints "name|seconds|checksum", the seconds of CPU of one
# call in the fastest of several rounds.
import time

import numpy as np


def checksum(value):
    if value is None:
        return 0.0
    if isinstance(value, str):
        return float(len(value))
    value = np.asarray(value, dtype=np.float64).ravel()
    return float(value[::997].sum())


def report(rows):
    for name, call in rows:
        try:
            result = call()
            start = time.process_time()
            call()
            once = time.process_time() - start
            count = max(1, min(2000, int(0.01 / max(once, 1e-9))))
            best = 1e9
            rounds = 5 if once < 1 else 1
            for _ in range(rounds):
                start = time.process_time()
                for _ in range(count):
                    call()
                best = min(best, (time.process_time() - start) / count)
            print(f"{name}|{best:.9f}|{checksum(result):.6g}", flush=True)
        except Exception as error:
            print(f"{name}|nan|{type(error).__name__}: {error}", flush=True)
