# SPDX-License-Identifier: Apache-2.0
# Functions that have a shorter way for what is usual: beside it, what is not.
import re
import warnings

import numpy as np

warnings.simplefilter("error")


def told(call):
    try:
        print(repr(call()))
    except Exception as error:
        print(type(error).__name__, error)


row, none, words = np.arange(7), np.zeros(0), np.arange(6).reshape(2, 3)
for shift in (0, 2, -2, 7, 15, True, np.int64(3)):
    print(np.roll(row, shift), np.roll(row, shift, 0), np.roll(row, shift, -1), np.roll(none, shift), np.roll(words, shift).tolist())
told(lambda: np.roll(row, 1, 1))
told(lambda: np.roll(row, (1, 1), (0, 0)))
for a in (row, row.astype(np.uint8)[::-1], row > 3, none, row[:1], [1.5, 4], np.array([np.inf, 1.0])):
    print(np.diff(a), np.diff(a, 2), np.diff(a).dtype)
told(lambda: np.diff(3))
told(lambda: np.diff(row, axis=1))
told(lambda: np.diff(np.array([np.inf, np.inf])))
for a, b in ((row, row), (row, row + 0.0), (row, row[1:]), (3, 3.0), (none, none), ([np.nan], [np.nan])):
    told(lambda: (np.array_equal(a, b), np.array_equal(a, b, equal_nan=True)))
for x in (0.0, -0.0, 1.5, 0.1, 1e-30, 1e300, float("inf"), float("nan"), 3.4028235677973366e38):
    for kind in (np.float64, np.float32, np.float16):
        told(lambda: kind(x))
told(lambda: np.float32(1e-40))
told(lambda: type(np.float32(0.5) + np.float64(2.5)))
for kind in (np.float64, np.float32, np.int16):
    sums = np.zeros(4, kind)
    np.add.at(sums, [0, -1, -1, 2, 0], 1)
    np.add.at(sums[::2], np.array([1, -1]), np.array([2, 3], kind))
    print(sums)
    told(lambda: np.add.at(sums, [1, 4], 1))
    told(lambda: np.add.at(sums, [1, -5], 1))
    print(sums)
table = np.arange(24).reshape(4, 6)
table[:, [0, 2]] = -1
table[[1, 3], 4] = 7
table[1:3, [1, 5]] = [[8], [9]]
table[[0, 0], :] = 5
print(table, table[::2, [3, -1, 3]], table[[[0], [1]], [1, 2]], table.T[:, [1]], table[[], 1])
cube = np.arange(24).reshape(2, 3, 4)
cube[:, :, [1, 2]] = 0
cube[0, [1, 2]] = [1, 2, 3, 4]
cube[:, [0, 2], 1] = [[5, 6]]
print(cube.tolist(), cube[:, :, [3, 0]].tolist())
print(re.sub("a+", "-", "caat"), re.sub("(a)", r"[\1]", "cat"), re.sub(b"a", b"-", b"cat"), re.subn("x", "", "axxb", 1), re.sub("b*", "-", "abc"))
told(lambda: re.sub("a", "-", b"cat"))
print(re.compile("A", re.I) is re.compile("A", 2), re.compile("A") is re.compile("A", 0), re.sub("A", "-", "a", flags=re.I))
print(list(enumerate("ab", 2**63 - 1)), list(enumerate("ab", True)), [i for i, _ in enumerate("ab", -1)])
