# Linear algebra of arrays without elements; and what else of them is refused.
import numpy as np

L = np.linalg


def show(r):
    if isinstance(r, tuple):
        return "(" + ", ".join([show(x) for x in r]) + ")"
    r = np.asarray(r)
    return f"{r.dtype}{r.shape}{r.tolist()}"


def tell(name, f):
    try:
        print(name, show(f()))
    except ValueError as error:
        print(name, type(error).__name__, error)


for shape in ((0, 0), (0, 3), (3, 0), (0, 2, 2), (2, 0, 0), (2, 0, 3), (2, 3, 0), (0, 0, 2), (0, 3, 2)):
    a = np.zeros(shape)
    print(shape)
    for name in ("inv", "det", "slogdet", "cholesky", "eigh", "eigvalsh", "eig", "eigvals", "svdvals", "pinv", "matrix_rank", "cond"):
        tell(name, lambda: getattr(L, name)(a))
    tell("qr", lambda: tuple(L.qr(a)) + tuple(L.qr(a, "complete")) + (L.qr(a, "r"),))
    tell("svd", lambda: tuple(L.svd(a.astype(np.float32))) + tuple(L.svd(a, full_matrices=False)) + (L.svd(a, compute_uv=False),))
    tell("powers", lambda: tuple([L.matrix_power(a, n) for n in (0, 2, -1)]))
    tell("complex", lambda: (L.det(a.astype(np.complex64)), L.inv(a + 0j), *L.eigh(a.astype(np.complex64)), *L.eig(a + 0j)))
    for order in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        tell(f"norm {order}", lambda: L.norm(a, order, axis=(-2, -1)))
for a, b in (((0, 0), (0,)), ((0, 0), (0, 3)), ((2, 2), (2, 0)), ((0, 2, 2), (0, 2, 1)), ((0, 2, 2), (2,)), ((0, 2, 2), (2, 3)),
             ((3, 0, 0), (3, 0, 2)), ((1, 2, 2), (0, 2, 1)), ((0, 0), (1,)), ((2, 2), (3, 1))):
    tell(f"solve {a} {b}", lambda: L.solve(np.zeros(a) + np.eye(a[-1]), np.zeros(b)))
for a, b in (((0, 0), (0,)), ((0, 3), (0,)), ((3, 0), (3,)), ((0, 3), (0, 2)), ((3, 0), (3, 2)), ((3, 2), (3, 0)), ((0, 0), (1,))):
    tell(f"lstsq {a} {b}", lambda: L.lstsq(np.zeros(a), np.ones(b), rcond=None))
for order in (None, 0, 1, 2, 3, np.inf, -np.inf):
    tell(f"vector {order}", lambda: (L.norm(np.zeros((0, 3)), order, axis=1), L.norm(np.zeros((0, 3)), order, axis=0), L.norm(np.zeros(0), order)))
tell("tensors", lambda: L.tensorsolve(np.zeros((0, 0)), np.zeros(0)))
tell("tensorinv", lambda: L.tensorinv(np.zeros((0, 0)), 1))
for axis in (0, 1):
    for name in ("min", "max", "sum", "prod", "all", "argmin", "argmax"):
        tell(f"{name} {axis}", lambda: getattr(np.zeros((0, 2)), name)(axis))
        tell(f"{name} of {axis}", lambda: getattr(np.zeros((0, 0)), name)(axis))
tell("initial", lambda: (np.zeros((0, 3)).max(axis=0, initial=2), np.min(np.zeros(0), initial=5)))
for shape in ((-1, 0), (-1, 0, 0), (0, -1), (3, -1), (-1, 3), (-1,), (0, 5)):
    tell(f"reshape {shape}", lambda: np.zeros((0, 3)).reshape(shape))
for shape in ((-1, 4), (4, -1), (-1, 2, 2), (2, -1, 2), (5, -1, 5), (2, 2), 4, (7,)):
    tell(f"reshape {shape}", lambda: np.zeros(6).reshape(shape))
