# SPDX-License-Identifier: Apache-2.0
# dot and inner of stacks of matrices, what does not fit, and samples that are larger than what they are drawn of.
import numpy as np

a, b = np.arange(24.).reshape(2, 3, 4), np.arange(40.).reshape(2, 4, 5)


def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


t(lambda: a.dot(b).shape)
t(lambda: np.dot(a, b).shape)
t(lambda: (a.dot(b) == np.einsum("ijk,lkm->ijlm", a, b)).all())
t(lambda: a.dot(np.arange(4.)).shape)
t(lambda: a.dot(b[0]).shape)
t(lambda: np.arange(4).dot(b).shape)
t(lambda: np.zeros(2).dot(np.zeros(3)))
t(lambda: np.dot(np.zeros((2, 3)), np.zeros((2, 3))))
t(lambda: np.dot(a, np.zeros((2, 3))))
t(lambda: a.dot(2).shape)
t(lambda: np.inner(a, a).shape)
t(lambda: np.random.default_rng(0).choice(3, 5, replace=False))
t(lambda: np.random.choice(3, 5, replace=False))
t(lambda: np.random.default_rng(0).choice(3, 5, replace=False, p=[.2, .3, .5]))
t(lambda: (np.inner(a, a) == np.einsum("ijk,lmk->ijlm", a, a)).all())
t(lambda: np.inner(2, [1, 2]))
t(lambda: np.inner([1, 2], 3))
t(lambda: np.inner([1, 2], [3, 4]))
t(lambda: np.inner(np.zeros((2, 3)), np.zeros((2, 4))))
t(lambda: np.inner(np.zeros(3), np.zeros((2, 3))).shape)
t(lambda: a.astype(np.int8).dot(b.astype(np.int16)).dtype)
t(lambda: a[:, ::2, ::-1].dot(b[:, ::-1, 1:3]).sum())
t(lambda: np.zeros((2, 0)).dot(np.zeros((3, 0, 4))))
t(lambda: np.zeros((0, 4)).dot(b).shape)
t(lambda: np.random.choice(3, 5, replace=False, p=[.2, .3, .5]))
t(lambda: np.random.default_rng(0).choice(3, 3, replace=False, p=[.5, .5, 0]))
t(lambda: np.random.default_rng(0).choice(5, 3, replace=False))
t(lambda: np.dot(a, b, out=np.zeros((2, 3, 2, 5)))[1, 2])
