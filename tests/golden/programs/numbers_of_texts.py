# SPDX-License-Identifier: Apache-2.0
# Texts and objects as elements of arrays whose type is known: Python's own types read them.
import numpy as np
def show(f):
    try:
        r = f()
        print("ok", repr(r))
    except BaseException as e: print(type(e).__name__, e)
def put(dt, v):
    a = np.zeros(2, dt); a[0] = v; return a
show(lambda: np.array("1 2.5 3".split(), dtype=float))
show(lambda: np.array(["1", "2"], dtype=int))
show(lambda: np.array(["1", "2"], dtype=np.float32))
show(lambda: np.array([["1", "2"], ["3", "4"]], dtype=np.int32))
show(lambda: np.array(["1.5"], dtype=int))
show(lambda: np.array(["x"], dtype=float))
show(lambda: np.array(["nan", " inf ", "-1e3"], dtype=float))
show(lambda: np.array([b"1", b"2"], dtype=float))
show(lambda: np.array(["1", 2, 3.5], dtype=float))
show(lambda: np.array("7", dtype=float))
show(lambda: np.array("7", dtype=int))
show(lambda: np.asarray(["1", "2"], float))
show(lambda: np.array(["300"], dtype=np.uint8))
show(lambda: np.array(["-1"], dtype=np.uint8))
show(lambda: np.array(["1_000"], dtype=int))
show(lambda: np.array(["0x10"], dtype=int))
show(lambda: np.array(["1+2j"], dtype=complex))
show(lambda: np.array(["x"], dtype=complex))
show(lambda: put(float, "2.5"))
show(lambda: put(int, "12"))
show(lambda: put(int, "1.5"))
show(lambda: put(int, "a"))
show(lambda: put(float, "a"))
show(lambda: put(float, b"2"))
show(lambda: put(float, ["1", "2"]))
show(lambda: put(float, None))
show(lambda: put(float, {}))
show(lambda: put(int, None))
show(lambda: np.array([None, 1.0], dtype=float))
show(lambda: np.array([None], dtype=int))
show(lambda: np.array([object()], dtype=float))
show(lambda: np.fromstring("1 2 3", sep=" "))
show(lambda: np.loadtxt(["1 2", "3 4"]))
show(lambda: np.genfromtxt(["1,2", "3,x"], delimiter=","))
show(lambda: np.full(2, "3", dtype=float))
show(lambda: np.float64("1.5") + np.int32("4"))
show(lambda: np.array(["True"], dtype=bool))
show(lambda: np.array(["", "a", "0"], dtype=bool))
show(lambda: np.fromiter(["1", "2"], float))
def sl():
    a = np.zeros(3); a[:2] = ["4", "5"]; a[1:] = "9"; return a
show(sl)


import decimal
import fractions
import ml_dtypes
show(lambda: np.array([decimal.Decimal("1.5"), fractions.Fraction(1, 4)], dtype=float))
show(lambda: np.array([decimal.Decimal("2")], dtype=int))
for kind in (ml_dtypes.bfloat16, ml_dtypes.int4):
    for value in ("1", None, b"1", {}):
        show(lambda: np.array([value], dtype=kind))
