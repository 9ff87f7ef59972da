import numpy as np, collections, itertools, dataclasses, typing as t
class Task(t.NamedTuple):
    name: str; dur: float; deps: tuple = (); res: frozenset = frozenset()
def schedule(tasks, workers=2):
    by = {x.name: x for x in tasks}; done, end, free = {}, {}, [0.0] * workers; left = dict(by); out = []
    while left:
        ready = sorted((max([end[d] for d in x.deps], default=0.0), -x.dur, n) for n, x in left.items() if all(d in end for d in x.deps))
        if not ready: raise RuntimeError(f"cycle among {', '.join(sorted(left))}")
        est, _, n = ready[0]; w = int(np.argmin(free)); s = max(est, free[w]); end[n] = free[w] = s + by[n].dur; out.append((n, w, s, end[n])); del left[n]
    return out
ts = [Task('a', 2), Task('b', 3, ('a',)), Task('c', 1, ('a',), frozenset('x')), Task('d', 2.5, ('b', 'c')), Task('e', .5)]
for n, w, s, e in schedule(ts): print(f'{n} w{w} {s:4.1f}-{e:4.1f} ' + ' ' * int(2 * s) + '=' * int(2 * (e - s)))
try: schedule([Task('p', 1, ('q',)), Task('q', 1, ('p',))])
except RuntimeError as e: print(e)
print(ts[1]._asdict(), ts[0] < ts[1], Task.__annotations__.keys(), Task._field_defaults); A = np.zeros((5, 5), np.int64); ix = {x.name: i for i, x in enumerate(ts)}
for x in ts:
    for d in x.deps: A[ix[d], ix[x.name]] = 1
R = A.copy()
for _ in range(3): R |= (R @ A > 0)
print(R, np.linalg.matrix_power(A, 2), A.sum(0), np.flatnonzero(A.sum(1) == 0), np.tril(A).any()); lv = np.zeros(5, int)
for _ in range(5): lv = np.maximum(lv, (A * (lv[:, None] + 1)).max(0))
print(lv, {k: [x.name for x in g] for k, g in itertools.groupby(sorted(ts, key=lambda x: lv[ix[x.name]]), key=lambda x: int(lv[ix[x.name]]))}); M = np.ma if hasattr(np, 'nothing') else None
x = np.linspace(0, 2 * np.pi, 9); y = np.sin(x).round(3) + 0; print(np.interp([.5, 3, 7], x, y).round(4), np.trapezoid(y, x).round(6), np.gradient(y, x).round(4), np.polyfit(x, y, 3).round(4), np.argmax(y), np.roll(y, 2)[:3], np.sign(y).astype(int), np.where(y > .5, 'hi' if False else 1, 0), np.cumsum(y > 0), np.flatnonzero(np.diff(np.signbit(y))), np.percentile(y, [25, 75]), np.ptp(y), np.clip(y, -.5, .5), (y[:, None] <= y).sum(1), y.tobytes()[:4].hex(), y.astype('f4').view('u4')[1], np.frombuffer(b'\1\0\2\0', '<u2'), np.array(3).item(), np.float32(.1) + .2, np.float64(.1) + np.float32(.2), np.int8(127) + np.int8(0), np.uint8(200) // 7, -np.int16(5) % 3, np.bool_(True) + np.bool_(True), np.arange(3) ** 2, 2 ** np.arange(4), np.float32(7) // 2, divmod(np.int32(-7), 2), round(np.float64(2.5)), round(np.float32(2.567), 1), int(np.int64(5)), float(np.float16(.1)), complex(np.complex64(1j)), hash(np.int64(5)) == hash(5), np.int64(3) in [3], [1, 2, 3][np.int8(1)], 'ab' * np.int64(2), range(np.int32(3)), f'{np.float32(.1):.3f} {np.int64(7):05d} {np.float64(1e10):g}', '%d %.2f %s' % (np.int32(3), np.float32(1.5), np.float64(.1)), str(np.float32(1e-8)), repr(np.float64(3)), np.float64(1) / 3, str(np.bool_(0)))
