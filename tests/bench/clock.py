# SPDX-License-Identifier: Apache-2.0
# The clock of rows that time themselves, under CPython and under `pallasc run`.
import time


def fastest(call, aim, rounds):
    """What a call gives, and the seconds of CPU that it takes: in the fastest of the rounds, each of `aim` seconds or one call."""
    result = call()
    start = time.process_time()
    call()
    once = time.process_time() - start
    count = max(1, int(aim / max(once, 1e-6)))
    best = float("inf")
    for _ in range(rounds if once < 1 else 1):
        start = time.process_time()
        for _ in range(count):
            call()
        best = min(best, (time.process_time() - start) / count)
    return result, best
