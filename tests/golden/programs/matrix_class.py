from __future__ import annotations
import operator, functools, math, itertools, numbers, random, sys
from fractions import Fraction
class Matrix:
    __slots__ = 'rows',
    def __init__(self, rows): self.rows = tuple(tuple(r) for r in rows); assert len({len(r) for r in self.rows}) == 1, 'ragged'
    shape = property(lambda s: (len(s.rows), len(s.rows[0])))
    T = property(lambda s: Matrix(zip(*s.rows)))
    @classmethod
    def eye(cls, n): return cls([[int(i == j) for j in range(n)] for i in range(n)])
    def _zip(self, o, f):
        if isinstance(o, numbers.Number): return Matrix([[f(a, o) for a in r] for r in self.rows])
        if not isinstance(o, Matrix): return NotImplemented
        if o.shape != self.shape: raise ValueError(f'shapes {self.shape} and {o.shape} differ')
        return Matrix([[f(a, b) for a, b in zip(r, q)] for r, q in zip(self.rows, o.rows)])
    def __add__(s, o): return s._zip(o, operator.add)
    def __sub__(s, o): return s._zip(o, operator.sub)
    def __mul__(s, o): return s._zip(o, operator.mul)
    __radd__, __rmul__ = __add__, __mul__
    def __matmul__(s, o): return Matrix([[sum(map(operator.mul, r, c)) for c in zip(*o.rows)] for r in s.rows])
    def __pow__(s, n): return Matrix.eye(s.shape[0]) if n == 0 else (h := s ** (n // 2)) @ h @ (s if n % 2 else Matrix.eye(s.shape[0]))
    def __getitem__(s, k): i, j = k if isinstance(k, tuple) else (k, slice(None)); r = s.rows[i]; return Matrix([q[j] if isinstance(j, slice) else [q[j]] for q in (r if isinstance(i, slice) else [r])]) if isinstance(i, slice) or isinstance(j, slice) else r[j]
    def __eq__(s, o): return isinstance(o, Matrix) and s.rows == o.rows
    def __hash__(s): return hash(s.rows)
    def __neg__(s): return s * -1
    def __iter__(s): return itertools.chain.from_iterable(s.rows)
    def __contains__(s, x): return any(x in r for r in s.rows)
    def __bool__(s): return any(s)
    def __abs__(s): return math.sqrt(sum(x * x for x in s))
    def __repr__(s): w = max(len(f'{x}') for x in s); return '\n'.join('[' + ' '.join(f'{str(x):>{w}}' for x in r) + ']' for r in s.rows)
    def det(s): return s.rows[0][0] if s.shape == (1, 1) else sum((-1) ** j * x * Matrix([r[:j] + r[j + 1:] for r in s.rows[1:]]).det() for j, x in enumerate(s.rows[0]))
    def inv(s):
        n = s.shape[0]; a = [[Fraction(x) for x in r] + [Fraction(int(i == j)) for j in range(n)] for i, r in enumerate(s.rows)]
        for c in range(n):
            p = next((r for r in range(c, n) if a[r][c]), None)
            if p is None: raise ZeroDivisionError('singular')
            a[c], a[p] = a[p], a[c]; a[c] = [x / a[c][c] for x in a[c]]
            for r in range(n):
                if r != c: a[r] = [x - a[r][c] * y for x, y in zip(a[r], a[c])]
        return Matrix([r[n:] for r in a])
m = Matrix([[2, 1, 0], [1, 3, -1], [0, 5, 4]]); print(m, m.T, m @ m, m ** 5, 2 * m + 1, -m, m.det(), m.inv(), m @ m.inv() == Matrix.eye(3), m[0, 1], m[1:, :2], m[0], sep='\n--\n'); print(abs(m), 5 in m, bool(m), hash(m) == hash(m.T.T), {m: 1}[m.T.T], sum(m), max(m), m != 3, m.__slots__)
for f in (lambda: m + Matrix([[1]]), lambda: m + 'x', lambda: Matrix([[1], [2, 3]]), lambda: Matrix([[1, 2], [2, 4]]).inv(), lambda: m[9, 9], lambda: m.foo, lambda: setattr(m, 'z', 1), lambda: 'x' * m, lambda: m @ 3, lambda: [] < m, lambda: m(), lambda: len(m)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
