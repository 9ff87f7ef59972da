# SPDX-License-Identifier: Apache-2.0
# own: counts collections, which CPython does not need for this
# What a program drops where it was made leaves its memory to the next one: 160 MB of none of these have to be collected (builds that look for
# mistakes collect small objects now and then).
import gc

import numpy as np

big = np.ones((1024, 1024), np.float32)
rows = np.zeros((2, 1 << 20), np.float32)
mask = big.ravel() > 0


def stored():
    rows[0] = big.ravel() * 2


def stored_by_mask():
    rows[0][mask] = 2


DROPPED = {
    "concatenate": lambda: np.concatenate([big, big]),
    "stack": lambda: np.stack([big, big], axis=1),
    "eye": lambda: np.eye(1024),
    "einsum": lambda: np.einsum("i,j->ij", big[0], big[0]),
    "ascontiguousarray": lambda: np.ascontiguousarray(big.T),
    "convolve": lambda: np.convolve(rows[0], big[0, :2]),
    "conditional": lambda: big + big if len(rows) else None,
    "tobytes": lambda: len(big.tobytes()),
    "stored": stored,
    "stored by a mask": stored_by_mask,
}
for name, call in DROPPED.items():
    gc.collect()
    before = gc.get_stats()[2]["collections"]
    for _ in range(40):
        call()
    print(name, gc.get_stats()[2]["collections"] - before <= 1)
