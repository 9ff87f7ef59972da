# What host code of kernels checks against: softmax, layer norm, attention, rotary, top-k, one-hot, causal masks.
import numpy as np
rng = np.random.default_rng(0)
q, k, v = (rng.standard_normal((2, 4, 8)).astype(np.float32) for _ in range(3))
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
s = q @ k.swapaxes(-1, -2) / np.sqrt(8)
mask = np.tril(np.ones((4, 4), bool))
p = softmax(np.where(mask, s, -np.inf))
o = p @ v
print(o.shape, o.dtype, p.sum(-1).round(5), np.triu(p[0], 1).sum(), o.sum().round(3))
def layer_norm(x, eps=1e-5): return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)
n = layer_norm(q)
print(np.allclose(n.mean(-1), 0, atol=1e-6), n.std(-1).round(3), np.eye(4, dtype=int)[[2, 0]], np.argsort(-s[0], axis=-1)[:, :2], np.take_along_axis(s, np.argsort(-s, -1), -1)[0, 0].round(3))
half = q[..., :4], q[..., 4:]
ang = np.arange(4)[:, None] / 10000 ** (np.arange(4) / 4)
rot = np.concatenate([half[0] * np.cos(ang) - half[1] * np.sin(ang), half[0] * np.sin(ang) + half[1] * np.cos(ang)], -1)
print(rot.dtype, np.allclose((rot ** 2).sum(-1), (q ** 2).sum(-1)), np.einsum("bqd,bkd->bqk", q, k).round(2)[0, 0], np.logaddexp.reduce(s[0], axis=-1).round(3), (np.maximum(q, 0) > 0).mean().round(4))
