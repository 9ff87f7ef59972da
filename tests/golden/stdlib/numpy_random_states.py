# Distributions of urns, of Wald and off centre; the states of the bit generators, taken and put back.
import numpy as np
np.set_printoptions(precision=12)
for make in (np.random.default_rng, np.random.RandomState):
    r = make(5)
    print([int(v) for v in r.hypergeometric([5, 50, 500, 20, 3, 1000], [7, 40, 300, 20, 0, 10], [4, 30, 700, 40, 3, 500], (3, 6)).ravel()])
    print(r.hypergeometric(15, 15, 15, 8), r.hypergeometric(100, 2, 10), r.hypergeometric(3, 100, 50, 5), r.hypergeometric(8, 2, 9, 4), r.hypergeometric(4, 6, 8, 4))
    print(r.wald(1.5, [2, 9], (2, 2)), r.wald(3, 1))
    print(r.noncentral_chisquare([.5, 1, 3], 2.5), r.noncentral_chisquare(2, 0), r.noncentral_f(3, 4, [0, 2.]), r.random())
    for f in (lambda: r.hypergeometric(-1, 2, 3), lambda: r.hypergeometric(1, 2, 9), lambda: r.hypergeometric(1, 2, -1), lambda: r.hypergeometric(10**9, 2, 1), lambda: r.wald(0, 1), lambda: r.wald(1, -1), lambda: r.noncentral_chisquare(0, 1), lambda: r.noncentral_chisquare(1, -1), lambda: r.noncentral_f(1, 0, 1)):
        try: f(); print('ok')
        except ValueError as e: print(e)
np.random.seed(3); print(np.random.wald(1, 2, 2), np.random.hypergeometric(3, 4, 5), np.random.noncentral_f(2, 3, 1))
for kind in (np.random.PCG64, np.random.PCG64DXSM, np.random.Philox, np.random.SFC64, np.random.MT19937):
    b = kind(7); g = np.random.Generator(b); g.random(3); g.integers(0, 9, dtype=np.int32)
    s = b.state; print(s if kind is not np.random.MT19937 else (s['bit_generator'], s['state']['key'][:3], s['state']['pos']))
    a = g.random(5), g.integers(0, 100, 3, dtype=np.int32); b.state = s; c = g.random(5), g.integers(0, 100, 3, dtype=np.int32)
    print(all(np.array_equal(x, y) for x, y in zip(a, c)))
    other = np.random.Generator(kind()); other.bit_generator.state = s; print(np.array_equal(other.random(5), a[0]))
    for bad in (3, {"bit_generator": "X"}) if kind is not np.random.SFC64 else (3,):
        try: b.state = bad
        except (TypeError, ValueError) as e: print(type(e).__name__, e)
b = np.random.PCG64(1); b.advance(10); c = np.random.PCG64(1); c.random_raw(10); print(b.state == c.state, np.random.PCG64DXSM(1).advance(2 ** 70).random_raw())
