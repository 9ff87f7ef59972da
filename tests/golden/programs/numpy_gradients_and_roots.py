import numpy as np
from functools import partial, reduce
def num_grad(f, x, eps=1e-6):
    g = np.zeros_like(x)
    for i in np.ndindex(*x.shape): d = np.zeros_like(x); d[i] = eps; g[i] = (f(x + d) - f(x - d)) / (2 * eps)
    return g
class T:
    def __init__(self, v, parents=()): self.v = np.asarray(v, float); self.g = np.zeros_like(self.v); self.parents = parents
    def __add__(self, o): o = o if isinstance(o, T) else T(o); return T(self.v + o.v, [(self, lambda g: unb(g, self.v.shape)), (o, lambda g: unb(g, o.v.shape))])
    def __mul__(self, o): o = o if isinstance(o, T) else T(o); return T(self.v * o.v, [(self, lambda g: unb(g * o.v, self.v.shape)), (o, lambda g: unb(g * self.v, o.v.shape))])
    def __matmul__(self, o): return T(self.v @ o.v, [(self, lambda g: g @ o.v.T), (o, lambda g: self.v.T @ g)])
    def tanh(self): t = np.tanh(self.v); return T(t, [(self, lambda g: g * (1 - t * t))])
    def sum(self): return T(self.v.sum(), [(self, lambda g: np.broadcast_to(g, self.v.shape))])
    __radd__, __rmul__ = __add__, __mul__
    def backward(self):
        topo, seen = [], set()
        def visit(t):
            if id(t) in seen: return
            seen.add(id(t)); [visit(p) for p, _ in t.parents]; topo.append(t)
        visit(self); self.g = np.ones_like(self.v)
        for t in reversed(topo):
            for p, f in t.parents: p.g = p.g + f(t.g)
def unb(g, shape):
    while g.ndim > len(shape): g = g.sum(0)
    for i, n in enumerate(shape):
        if n == 1 and g.shape[i] != 1: g = g.sum(i, keepdims=True)
    return g
r = np.random.default_rng(0); x, w, b = r.normal(size=(5, 3)), r.normal(size=(3, 2)), r.normal(size=(1, 2))
def loss(w_, b_): return (T(x) @ w_ + b_).tanh()
W, B = T(w), T(b); L = (loss(W, B) * loss(W, B)).sum() + 0.5 * (W * W).sum(); L.backward()
f = lambda w_, b_: (np.tanh(x @ w_ + b_) ** 2).sum() + .5 * (w_ ** 2).sum()
print(L.v.round(6), np.abs(W.g - num_grad(lambda q: f(q, b), w)).max() < 1e-6, np.abs(B.g - num_grad(lambda q: f(w, q), b)).max() < 1e-6); print(W.g.round(4), B.g.round(4))
def rk4(f, y, t, h): k1 = f(t, y); k2 = f(t + h / 2, y + h / 2 * k1); k3 = f(t + h / 2, y + h / 2 * k2); k4 = f(t + h, y + h * k3); return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
y = np.array([1., 0.]); A = np.array([[0, 1], [-1, -.1]])
for i in range(100): y = rk4(lambda t, y: A @ y, y, i * .1, .1)
print(y.round(8)); print(np.allclose(y, reduce(lambda s, i: rk4(lambda t, y: A @ y, s, 0, .1), range(100), np.array([1., 0.]))))
def bisect(f, a, b, tol=1e-10):
    while b - a > tol: m = (a + b) / 2; a, b = (m, b) if f(a) * f(m) > 0 else (a, m)
    return (a + b) / 2
print(round(bisect(np.cos, 0, 3), 8), round(float(bisect(lambda x: x ** 3 - 2, 0, 2)), 8)); p = np.poly1d([1, -6, 11, -6]) if hasattr(np, "poly1d") else None; print(np.roots([1, -6, 11, -6]).round(6), np.polyval(np.polyder([1, -6, 11, -6]), 2.), np.polyint([2, 1]), np.polymul([1, 1], [1, -1]), np.polydiv([1, 0, -1], [1, 1])); mc = r.random((10000, 2)); print(round(4 * ((mc ** 2).sum(1) < 1).mean(), 2)); print(np.fft.rfft(np.sin(2 * np.pi * 3 * np.arange(32) / 32)).round(6)[2:5], np.abs(np.fft.fft2(np.eye(3))).round(3), np.fft.fftfreq(5), np.fft.fftshift(np.arange(4)))
