# Where elements lie: order=, contiguous copies, and shapes that are views where the strides allow it.
import numpy as np
sq = np.arange(12.0).reshape(3, 4)
v = sq.T
def show(name, x): print(name, x.shape, x.strides, x.flags.c_contiguous, x.flags.f_contiguous, x.ravel().tolist())
show("ascontig", np.ascontiguousarray(v)); show("asfortran", np.asfortranarray(sq)); show("asf self", np.asfortranarray(v))
print(np.ascontiguousarray(sq) is sq, np.asfortranarray(v) is v, np.ascontiguousarray(3.0).shape, np.asfortranarray(3.0).shape)
for o in "CFAK":
    show("array " + o, np.array(v, order=o)); show("array2 " + o, np.array(sq, order=o)); show("copy " + o, v.copy(order=o)); show("np.copy" + o, np.copy(v, order=o))
    show("astype " + o, v.astype(np.float32, order=o)); show("asarray " + o, np.asarray(v, order=o)); show("flat " + o, v.flatten(order=o)); show("ravel " + o, np.ravel(sq, order=o)); show("ravelT " + o, v.ravel(o))
    show("list " + o, np.array([[1, 2], [3, 4]], order=o))
    show("like " + o, np.zeros_like(v, order=o)); show("like " + o, np.ones_like(sq, order=o)); show("full " + o, np.full_like(v, 2, order=o)); print(np.empty_like(v, order=o).strides)
    if o != "K": show("reshape " + o, sq.reshape(2, 6, order=o)); show("reshapeT " + o, np.reshape(v, (6, 2), order=o)); show("reshapeT " + o, v.reshape((-1,), order=o))
for o in "CF":
    show("zeros", np.zeros((2, 3), order=o)); show("ones", np.ones((2, 3), order=o)); show("full", np.full((2, 3), 7, order=o)); print(np.empty((2, 3), order=o).strides)
for r in ("C", "F", ["C", "O"], ["F", "W"], None, "A", ["F_CONTIGUOUS"], ["C_CONTIGUOUS", "ENSUREARRAY"]):
    show("require " + str(r), np.require(v, requirements=r)); show("require2 " + str(r), np.require(sq, np.float32, r))
w = np.require(np.broadcast_to(np.arange(3), (2, 3)), requirements="W"); print(w.flags.writeable)
print(np.require(sq) is sq, np.isfortran(v), np.isfortran(sq), np.isfortran(np.arange(3)))
x = np.arange(24); y = x[::2].reshape(3, 4); y[1, 1] = 100; print(x.tolist(), y.strides)
z = np.arange(24).reshape(4, 6)[:, ::2]; q = z.reshape(2, 2, 3); q[1, 1, 1] = -1; print(z.tolist(), q.strides)
q = z.reshape(12); q[0] = 55; print(z[0, 0]); q = z.reshape(2, 6); q[0] = 55; print(z[0, 0])
t = np.arange(24).reshape(2, 3, 4).transpose(1, 0, 2); u = t.reshape(3, 2, 2, 2); u[0, 0, 0, 0] = 9; print(t[0, 0, 0], u.strides); u = t.reshape(3, 1, 8); u[0, 0, 0] = 77; print(t[0, 0, 0], u.strides)
show("tile", np.arange(6).reshape(2, 3)[::-1].reshape(1, 2, 3)); show("bc", np.broadcast_to(np.arange(3), (2, 3)).reshape(2, 3, 1)); print(np.zeros((0, 3)).T.reshape(0).shape, np.zeros((3, 0, 2)).reshape(0, 5).strides)
try: np.arange(6).reshape(2, 3).T.reshape(6, copy=False)
except ValueError as e: print(e)
for bad in ("Z", 3):
    for f in (lambda: np.array([1], order=bad), lambda: sq.copy(order=bad), lambda: sq.ravel(bad), lambda: np.zeros(3, order=bad), lambda: sq.reshape(12, order=bad)):
        try: f(); print("no error")
        except (ValueError, TypeError) as e: print(type(e).__name__, e)
try: np.zeros(3, order="K")
except ValueError as e: print(e)
try: sq.reshape(12, order="K")
except ValueError as e: print(e)
try: np.require(sq, requirements=["C", "F"])
except ValueError as e: print(e)

# What is raveled has no gaps, and is a copy where it would have some.
line = np.arange(8.0)
for order in "CFAK":
    for of in (line[::-1], line[::2], line[2:6], line.reshape(2, 4)[:, 1], line.reshape(2, 4)):
        flat = of.ravel(order)
        print(order, np.shares_memory(flat, line), np.shares_memory(np.ravel(of, order), line), flat.strides, flat.tolist())
