# out= has the shape of the result; casting= holds; resize() goes on in the order of memory; var, std and mean as methods.
import numpy as np

a = np.arange(6.).reshape(2, 3)


def tried(name, function, *args, **kwargs):
    try:
        result = function(*args, **kwargs)
    except (TypeError, ValueError) as error:
        result = "TypeError" if isinstance(error, TypeError) else "ValueError"
    print(name, result.tolist() if isinstance(result, np.ndarray) else result)


outs = [np.zeros((4, 2, 3)), np.zeros(3), np.zeros((2, 3), int), np.zeros((2, 3), np.float32), np.zeros((2, 3))]
for name, function in {
        "cumsum": lambda o: np.cumsum(a, 0, out=o), "cumprod": lambda o: a.cumprod(0, out=o), "take": lambda o: a.take([0, 1], 0, out=o),
        "compress": lambda o: np.compress([1, 1], a, 0, out=o), "round": lambda o: np.round(a / 3, 1, out=o), "round()": lambda o: a.round(out=o),
        "clip": lambda o: np.clip(a, 0, 1, out=o)[..., 0], "dot": lambda o: a.dot(np.eye(3), out=o), "np.dot": lambda o: np.dot(a, np.eye(3), out=o),
        "concatenate": lambda o: np.concatenate([a[:1], a[1:]], out=o)}.items():
    for out in outs:
        tried(f"{name} {out.shape} {out.dtype}", lambda: [round(float(x), 3) for x in np.asarray(function(out)).ravel()])
outs = [np.zeros((4, 3)), np.zeros(()), np.zeros(1), np.zeros(3)]
for name in ("sum", "max", "mean", "var", "std", "any", "argmax"):
    for out in outs[:3]:
        tried(f"{name} {out.shape}", getattr(np, name), a, 0, out=out)
        tried(f"{name}() {out.shape}", getattr(a, name), 0, out=out)
tried("std", np.std, a, 0, out=np.zeros(3, int))
tried("std", np.std, a, 0, out=outs[3])
tried("argmax", np.argmax, a, 0, out=np.zeros(3, np.float32))
tried("argmin", np.argmin, a, 0, out=np.zeros(3, int))

whole, real = np.arange(2), np.ones(2)
for casting in ("no", "safe", "same_kind", "unsafe"):
    tried(casting, np.concatenate, (whole, real), dtype=int, casting=casting)
    tried(casting, np.concatenate, (whole, real), casting=casting)
    tried(casting, np.hstack, (real, real), dtype=np.float32, casting=casting)
    tried(casting, np.vstack, (real, real), dtype=int, casting=casting)
    tried(casting, np.stack, (real, real), dtype=int, casting=casting)
tried("both", np.concatenate, (real, real), out=np.zeros(4), dtype=float)


def resized(a, *shape):
    a.resize(*shape)
    print(a.tolist(), a.flags.c_contiguous, a.flags.f_contiguous)


resized(np.arange(3))
resized(np.arange(3), None)
for shape in ((3, 2), (4, 3), (8,), (2,)):
    resized(np.array([[1, 2, 3], [4, 5, 6]]), shape)
    resized(np.array([[1, 2, 3], [4, 5, 6]], order="F"), shape)

mask = np.array([[True, False, True], [True, True, False]])
print(a.var(where=mask), a.std(1, where=mask), a.mean(where=mask), a.var(1, mean=np.full((2, 1), 2.)), a.var(mean=None), np.std(a, mean=None))
out = np.zeros(2)
print(a.mean(1, None, out, False), out, a.mean(1, keepdims=True), a.std(1, None, out), out)
for order in ("C", "F", "f", "A", "X", None):
    tried(f"eye {order}", lambda: np.eye(2, order=order).flags.f_contiguous)
