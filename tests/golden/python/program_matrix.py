# A matrix class: indexing by tuples and slices, arithmetic, comparison, determinants with fractions.
def gcd(a, b):
    while b:
        a, b = b, a % b
    return abs(a)


class Frac:
    def __init__(self, n, d=1):
        if d == 0:
            raise ZeroDivisionError(f'Frac({n}, 0)')
        if d < 0:
            n, d = -n, -d
        g = gcd(n, d) or 1
        self.n, self.d = n // g, d // g

    @staticmethod
    def of(x):
        return x if isinstance(x, Frac) else Frac(x) if isinstance(x, int) else NotImplemented

    def _op(f):
        def method(self, other):
            other = Frac.of(other)
            return other if other is NotImplemented else f(self, other)
        return method

    __add__ = __radd__ = _op(lambda a, b: Frac(a.n * b.d + b.n * a.d, a.d * b.d))
    __sub__ = _op(lambda a, b: Frac(a.n * b.d - b.n * a.d, a.d * b.d))
    __rsub__ = _op(lambda a, b: b - a)
    __mul__ = __rmul__ = _op(lambda a, b: Frac(a.n * b.n, a.d * b.d))
    __truediv__ = _op(lambda a, b: Frac(a.n * b.d, a.d * b.n))
    __rtruediv__ = _op(lambda a, b: b / a)
    __eq__ = _op(lambda a, b: (a.n, a.d) == (b.n, b.d))
    __lt__ = _op(lambda a, b: a.n * b.d < b.n * a.d)

    def __hash__(self):
        return hash((self.n, self.d))

    def __neg__(self):
        return Frac(-self.n, self.d)

    def __bool__(self):
        return self.n != 0

    def __float__(self):
        return self.n / self.d

    def __repr__(self):
        return f'{self.n}/{self.d}' if self.d != 1 else f'{self.n}'


class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]
        widths = {len(r) for r in self.rows}
        if len(widths) > 1:
            raise ValueError(f'rows of lengths {sorted(widths)}')

    @classmethod
    def identity(cls, n):
        return cls([[int(i == j) for j in range(n)] for i in range(n)])

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0]) if self.rows else 0

    def __getitem__(self, key):
        if isinstance(key, tuple):
            r, c = key
            if isinstance(r, slice):
                return [row[c] for row in self.rows[r]]
            return self.rows[r][c]
        return self.rows[key]

    def __setitem__(self, key, value):
        r, c = key
        self.rows[r][c] = value

    def __matmul__(self, o):
        if self.shape[1] != o.shape[0]:
            raise ValueError(f'cannot multiply {self.shape} and {o.shape}')
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])

    def __mul__(self, k):
        return Matrix([[v * k for v in r] for r in self.rows])

    __rmul__ = __mul__

    def __add__(self, o):
        return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, o.rows)])

    def __eq__(self, o):
        return isinstance(o, Matrix) and self.rows == o.rows

    def __pow__(self, n):
        if n == 0:
            return Matrix.identity(len(self.rows))
        half = self ** (n // 2)
        return half @ half @ self if n % 2 else half @ half

    def __iter__(self):
        return (v for r in self.rows for v in r)

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def det(self):
        m, sign, n = [list(map(Frac, r)) for r in self.rows], 1, len(self.rows)
        result = Frac(1)
        for i in range(n):
            pivot = next((r for r in range(i, n) if m[r][i]), None)
            if pivot is None:
                return Frac(0)
            if pivot != i:
                m[i], m[pivot] = m[pivot], m[i]
                sign = -sign
            result *= m[i][i]
            for r in range(i + 1, n):
                k = m[r][i] / m[i][i]
                m[r] = [a - k * b for a, b in zip(m[r], m[i])]
        return result * sign

    def __repr__(self):
        return 'Matrix(' + ', '.join(map(str, self.rows)) + ')'


a = Matrix([[1, 2], [3, 4]])
print(a @ a, a * 2, 2 * a == a + a, a.T, a[0, 1], a[1], a[:, 0], a.det(), a ** 5, a ** 0, list(a), a.shape)
a[0, 0] = 9
print(a, sum(a), max(a))
fib = Matrix([[1, 1], [1, 0]]) ** 90
print(fib[0, 1])
print(Matrix([[2, 0, 1], [1, 3, 2], [1, 1, 1]]).det(), Matrix([[1, 2], [2, 4]]).det(), Matrix([[0, 1], [1, 0]]).det())
for bad in (lambda: Matrix([[1], [1, 2]]), lambda: a @ Matrix([[1]]), lambda: Frac(1, 0), lambda: Frac(1) + 'x'):
    try:
        bad()
    except (ValueError, ZeroDivisionError, TypeError) as e:
        print(type(e).__name__, e)
h = sum(Frac(1, i) for i in range(1, 11))
print(h, float(h), 1 - Frac(1, 3), 2 / Frac(4, 6), Frac(2, 4) == Frac(1, 2), Frac(1, 3) < Frac(1, 2) < 1, len({Frac(1, 2), Frac(2, 4)}))
