# SPDX-License-Identifier: Apache-2.0
# Bounds of clip, ranges and comparisons near and beyond the limits of integers, and literals with a sign before brackets.
import ast

import numpy as np


def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, str(e)[:24])


t(lambda: np.clip(np.arange(5, dtype=np.int8), -1000, 3))
t(lambda: np.clip(np.arange(5, dtype=np.int8), 2, 1000))
t(lambda: np.clip(np.arange(5, dtype=np.uint8), -1, 1000))
t(lambda: np.clip(np.arange(5), None, 3))
t(lambda: np.clip([1.5, 2.5], 2, [3, 2]))
t(lambda: np.clip(np.arange(5.), 1, 3, out=np.zeros(5)))
t(lambda: np.clip(np.arange(5.), 1, 3, out=np.zeros(5, np.int32)))
t(lambda: np.clip(np.arange(5), max=2))
t(lambda: np.clip(np.arange(5)))
t(lambda: np.clip(np.array([1+2j, 3]), 1, 2))
t(lambda: np.arange(-2**63, -2**63 + 3))
t(lambda: np.arange(2**63 - 3, 2**63 - 1))
t(lambda: np.arange(2**62, -2**62, -2**61))
t(lambda: np.arange(0, -2**63, -2**62))
t(lambda: np.arange(2**63, 2**63 + 5, 2, dtype=np.uint64))
t(lambda: np.arange(2**63, 2**63 + 3).dtype)
t(lambda: np.arange(2**63 + 3, 2**63, -1))
t(lambda: np.arange(5, 0))
t(lambda: np.arange(3, dtype=np.float32))
t(lambda: np.arange(0, 1, 0.25))
t(lambda: np.arange(10, 0, -3))
t(lambda: np.arange(1, 10, 0))
t(lambda: np.arange(True, 3))
t(lambda: np.arange(np.int8(3)))
t(lambda: (np.isclose(2**70, 2**70), np.isclose(2**70, [1.0, 2.0**70]), np.isclose(2**63, 2**63 + 1), np.isclose(3, 3)))
for text in ("-(1)", "-((1))", "-(1,)", "-(1+2j)", "--1", "-(-1)", "1+(2j)", "1+-2j", "(1)-2j", "-1+2j", "(1+2j)+3j", "+(2.5)", "-(True)", "-'a'", "1 + 2", "{-(1): -(2)}"):
    t(lambda: ast.literal_eval(text))
