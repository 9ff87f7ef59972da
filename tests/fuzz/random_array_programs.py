#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of NumPy arrays, run by NumPy and by pallasc: what they print is compared.

    build/oracle-venv/bin/python tests/fuzz/random_array_programs.py --count 3000 --seed 1

random_arrays.py compares single expressions; a program here has 10 to 30 statements that share arrays: views and what is changed through them, out= and
where=, masks, stores at places, iteration, texts with print options, files, random streams, linear algebra, sets. After each the arrays that it
made or changed are printed; of an exception the type. `--seed S --count 1 --show` prints a program.
The last line is `N passed, N failed, N skipped`.
"""
import random
import subprocess
import sys

from differential import Trial, parser_of

HEAD = '''import io
import warnings
import numpy as np
warnings.simplefilter("ignore")
np.seterr(all="ignore")


def tell(*values):
    for x in values:
        if isinstance(x, (tuple, list)):
            tell(*x)
        elif isinstance(x, (np.ndarray, np.generic)):
            same = x if x.dtype.kind not in "fc" else np.round(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64), 3) + 0
            print(type(x).__name__, x.dtype, x.shape, np.asarray(same).tolist())
        else:
            print("dtype" if isinstance(x, np.dtype) else type(x).__name__, x)


def tried(f):
    print("#", f.__name__)
    try:
        f()
    except Exception as e:
        kinds = ("IndexError", "OverflowError", "ZeroDivisionError", "LinAlgError", "ValueError", "TypeError", "AttributeError", "NotImplementedError")
        names = [c.__name__ for c in type(e).__mro__]
        print(next((k for k in kinds if k in names), names[0]))
'''
DTYPES = ('bool', 'int8', 'int16', 'int32', 'int64', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'float32', 'float32', 'float64', 'float64', 'complex64',
          'complex128')
SHAPES = ('(6,)', '(4,)', '(2, 3)', '(3, 4)', '(4, 4)', '(3, 3)', '(2, 3, 4)', '(1, 4)', '(4, 1)', '()', '(0,)', '(2, 0)', '(12,)', '(3, 1, 2)')

# What statements are made of: A an array, B another, N a new name, I a small int, X a number, D a type, R an axis, M a mask of A, P places in A's first
# dimension, S slices, F a function of floats. Those that begin with a name of an array change it.
MADE = '''
A.T|A[S]|A[::-1]|A[..., None]|A.reshape(-1)|A.ravel()|A.ravel("F")|A.flatten("F")|np.atleast_2d(A)|A[None]|A.swapaxes(0, -1)|np.moveaxis(A, 0, -1)|A[M]|A[P]|A.copy(order="F")
A.astype(D)|np.asfortranarray(A)|A.view(D)|np.broadcast_to(A, (2,) + A.shape)|np.concatenate([A, B], axis=None)|np.stack([A, A], R)|np.hstack([A, A])|np.vstack([A, A])
np.where(M, A, X)|np.where(A > B, A, B)|np.clip(A, X, X + 3)|np.tile(A, 2)|np.repeat(A, 2, R)|np.roll(A, I, R)|np.pad(A, 1)|np.pad(A, (1, 2), mode="edge")|np.flip(A, R)|np.rot90(A)
A + B|A - B|A * X|A / B|A // X|A % X|A ** 2|-A|abs(A)|A == B|A & 3|A >> 1|~(A > X)|A @ A.T|np.outer(A, B)|np.maximum(A, B)|np.add.outer(A, B)|np.diff(A)|np.cumsum(A, R)
np.cumprod(A[:3])|np.sort(A, R)|np.argsort(A, R, kind="stable")|np.unique(A)|np.take(A, P, 0)|np.take_along_axis(A, np.argsort(A, -1, kind="stable"), -1)|np.diag(A)|np.triu(A)|np.tril(A, I)
np.eye(3, 4, I, D)|np.arange(I, 9, 2, D)|np.linspace(X, 4, 5, dtype=D)|np.full((2, 2), X, D)|np.zeros_like(A)|np.ones(A.shape, D)|np.full_like(A, X)|np.empty((0, 3), D)|np.identity(3, D)
np.kron(A, [1, 2])|np.einsum("...i->...", A)|np.einsum("ij,kj->ik", A, A)|np.tensordot(A, A.T, 1)|np.dot(A, A.T)|np.vdot(A, A)|np.inner(A, A)|np.trace(A)|np.meshgrid(A, [1, 2])[0]|np.indices((2, 2))
np.select([A > X, A < 0], [A, -A], 7)|np.choose(np.arange(4) % 2, [A[:1].sum(), X])|np.piecewise(A, [A < X], [0, 1])|np.digitize(A, [0, 2, 4])|np.searchsorted(np.sort(A.ravel()), [1, X])
np.bincount(np.abs(A).ravel())|np.histogram(A, 4)|np.histogram(A, [0, 1, 5])|np.interp([0.5, 1.5], np.arange(A.size), A.ravel())|np.convolve(A.ravel(), [1, 2])|np.gradient(A)|np.trapezoid(A)
np.delete(A, I, R)|np.insert(A, 1, X, R)|np.append(A, B)|np.split(A, 2)|np.array_split(A, 3)|np.block([[A], [A]])|np.column_stack([A, A])|np.squeeze(A)|np.expand_dims(A, 0)|np.block([A, A])
np.union1d(A, B)|np.intersect1d(A, B)|np.setdiff1d(A, B)|np.isin(A, B)|np.unique(A, return_counts=True)|np.unique(A, return_inverse=True)|np.nonzero(A)|np.argwhere(A)|np.flatnonzero(A > X)
np.apply_along_axis(lambda r: r[::-1].sum(), R, A)|np.vectorize(lambda v: v * 2 + 1)(A)|np.frompyfunc(lambda v: v, 1, 1)(A)|np.fromiter((v for v in A.ravel()), A.dtype)|np.array([A, A])|np.ix_(P, P)[0]
np.array(A.tolist())|np.frombuffer(A.tobytes(), A.dtype)|np.packbits(A > X)|np.nan_to_num(A / 0)|np.isnan(A / 0)|np.sign(A)|np.sqrt(np.abs(A))|np.floor(A)|np.round(A, 1)|np.modf(A)[0]|np.divmod(A, 3)[1]
np.linalg.norm(A)|np.linalg.det(A)|np.linalg.inv(A + 9 * np.eye(len(A)))|np.linalg.solve(A + 9 * np.eye(len(A)), B)|np.linalg.matrix_power(A, 2)|np.linalg.matrix_rank(A)|np.linalg.eigvalsh(A + A.T)
np.linalg.svd(A, compute_uv=False)|np.abs(np.linalg.qr(A)[1])|np.linalg.pinv(A)|np.linalg.lstsq(A, B, rcond=None)[0]|np.linalg.slogdet(A + 9 * np.eye(len(A)))|np.linalg.cholesky(A @ A.T + 50 * np.eye(len(A)))
np.fft.fft(A)|np.fft.rfft(A)|np.fft.ifft(A)|np.fft.fft2(A)|np.fft.fftshift(A)|np.fft.fftfreq(5)|np.fft.irfft(A)
np.nansum(A / A)|np.nanmean(A / A, R)|np.nanmax(A)|np.nanstd(A)|np.nanmedian(A)|np.nanpercentile(A, 30)|np.nanargmax(A)|np.nancumsum(A)
A.sum(R)|A.sum(R, keepdims=True)|A.mean(R)|A.std(R)|A.var(R, ddof=1)|A.min(R)|A.max()|A.argmax(R)|A.argmin()|A.prod(R)|A.any(R)|A.all()|np.median(A, R)|np.percentile(A, [25, 75])|np.quantile(A, 0.3, R)
np.ptp(A, R)|np.average(A, R)|np.average(A.ravel(), weights=np.arange(A.size))|np.count_nonzero(A, R)|np.cov(A)|np.corrcoef(A)|A.sum(where=M, initial=0)|np.add.reduce(A, R)|np.add.accumulate(A)|np.multiply.reduceat(A, [0, 1])
A.sum(dtype=D)|A.item(0)|A.tolist()|A[0]|A.flat[I]|A.flags.c_contiguous|A.flags.owndata|A.base is None|np.shares_memory(A, B)|A.nbytes|len(A)|float(A.sum())|np.result_type(A, B)|np.can_cast(A.dtype, D)
np.allclose(A, A + 1e-9)|np.array_equal(A, B)|np.array_equiv(A, A[None])|np.broadcast_shapes(A.shape, (1,))|np.unravel_index(I, A.shape)|np.ravel_multi_index((0,) * A.ndim, A.shape)|np.lexsort((A, B))
np.poly1d([1, 2])(A)|np.polyval([1, X], A)|np.polyfit(np.arange(A.size), A.ravel(), 1)|np.ldexp(A, 2)|np.gcd(A, 6)|np.hypot(A, 3)|np.arctan2(A, B)|np.exp(-np.abs(A))|np.log1p(np.abs(A))|np.heaviside(A, X)|np.sinc(A)
np.partition(A.ravel(), 1)[:2].max()|np.tri(3, k=I)|np.vander(A.ravel()[:3], 3)|np.cross([1, 2, 3], A.ravel()[:3])|np.rollaxis(A, -1)|np.fliplr(A)|np.resize(A, (2, 3))|np.trim_zeros(A.ravel())|np.ediff1d(A)|np.extract(M, A)
rng.integers(0, 9, 4)|rng.random(3)|rng.normal(0, 1, (2, 2))|rng.permutation(A)|rng.choice(A.ravel(), 3)|rng.standard_normal(2, dtype=np.float32)|rng.permuted(A, axis=R)|rng.uniform(-1, 1, 3)|rng.exponential(2, 2)|old.rand(2)|old.randint(0, 5, 3)|old.permutation(4)
'''
CHANGED = '''
A += 1|A -= B|A *= 2|A //= 2|A /= 2|A **= 2|A %= 3|A |= 1|A <<= 1|A[M] = X|A[P] = X|A[S] = X|A[S] += 1|A[M] += 1|A[P] *= 2|A[...] = B|A[0] = B|A[:, 0] = X|A[-1] = A[0]|A[::2] = A[1::2]|A.T[0] = X|A[A > X] = B.ravel()[:1]
np.add(A, B, out=A)|np.multiply(A, 2, out=A, where=M)|np.negative(A, out=A)|np.subtract(A, 1, out=A, casting="unsafe")|np.add.at(A, P, 1)|np.maximum.at(A, P, 5)|np.subtract.at(A, [0, 0], X)|np.put(A, [0, -1], X)|np.place(A, M, [1, 2])
np.copyto(A, X, where=M)|np.copyto(A, B)|np.putmask(A, M, [7, 8])|A.sort()|A.sort(0)|A.fill(X)|A.flat[0] = X|A.flat = [1, 2]|np.fill_diagonal(A, X)|A.reshape(-1)[I] = 7|A.ravel()[0] = 9|[A.partition(1), A.sort()]|rng.shuffle(A)
np.put_along_axis(A, np.argmax(A, -1, keepdims=True), X, -1)|np.cumsum(A, 0, out=A)|np.clip(A, 0, 3, out=A)|np.take(A, [0, 0], out=A[:2])|np.sqrt(A, out=A)|np.matmul(A, A, out=A)|np.sum(A, 0, out=A[0])
A.shape = (-1,)|A.setflags(write=False)|A[np.ix_([0, 1], [1, 0])] = X|A[[0, 1], [1, 0]] = [X, 3]|A[..., -1] += A[..., 0]|A[None, 0] = X|A[()] = X|np.floor_divide(A, 2, A)|np.random.default_rng(I).shuffle(A)
'''
SAID = '''
print(A)|print(repr(A))|print(A.dtype, A.shape, A.ndim, A.size)|print(f"{A.sum():.2f}")|print(str(A[:1]))|print([v for v in A])|print(*[r.sum() for r in A])|print(list(enumerate(A.ravel()[:3])))|print(A.tolist())
print({k: v for k, v in np.ndenumerate(A)})|print([int(v) for v in np.nditer(A)])|print(np.array2string(A, separator=", "))|print(np.array2string(A, max_line_width=30))|print(np.array_repr(A))|print(A.astype(str))
print(np.array(["a", "bc"])[P % 2])|print([f"{v!r}" for v in A.ravel()[:2]])|print(A.ravel()[:1].tobytes().hex())|print(sorted(A.ravel().tolist())[:3])|print(bool(A.any()), max(A.ravel()))|print(A.round(1))|print(np.array([A.size, None]))
'''
BLOCKS = ('''with np.printoptions(precision=2, suppress=True, threshold=5, edgeitems=1):
    print(A)''', '''with np.printoptions(linewidth=40, sign="+", floatmode="fixed"):
    print(A)''', '''with np.errstate(all="raise"):
    tell(A / B)''', '''with warnings.catch_warnings(record=True) as w, np.errstate(all="warn"):
    warnings.simplefilter("always")
    tell(np.log(A - 1), A // 0)
    print(sorted(str(x.message) for x in w))''', '''f = io.BytesIO()
np.save(f, A)
f.seek(0)
tell(np.load(f))''', '''f = io.BytesIO()
np.savez(f, A, b=B)
f.seek(0)
tell(*[np.load(f)[k] for k in ("arr_0", "b")])''', '''f = io.StringIO()
np.savetxt(f, A, fmt="%.3g", delimiter=",", header="h")
print(f.getvalue())
f.seek(0)
tell(np.loadtxt(f, delimiter=","))''', '''for i, row in enumerate(A):
    row += i
tell(A)''', '''for i in range(len(A)):
    if A[i].sum() > X:
        A[i] = -A[i]
tell(A)''', '''total = 0
for v in A.flat:
    total = total + v
tell(total)''', '''it = np.nditer(A, flags=["multi_index"])
for v in it:
    print(it.multi_index, v, end=";")
print()''', '''w = A[S]
w[...] = X
tell(w, A)''', '''w = A.reshape(-1)
w[::2] = 0
tell(w, A)''', '''w = A.view()
w += 1
tell(A is w.base, A)''', '''d = dict(zip("abc", A))
tell([d[k] for k in sorted(d)])''', '''u, i, c = np.unique(A, return_index=True, return_counts=True)
tell(u, i, c)''', '''q, r = np.divmod(A, 3)
tell(q, r)''', '''while A.ndim > 1:
    A = A.sum(0)
tell(A)''')


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.names = []

    def words(self, text):
        return [w for line in text.strip().split('\n') for w in self.parts(line)]

    def parts(self, line):
        """`|` divides, but where it is an operator."""
        return [w for w in line.replace(' |= ', ' \0= ').split('|') if w]

    def filled(self, template):
        """The statement with names for its letters, and the array that A is."""
        rng, a = self.rng, self.rng.choice(self.names)
        values = {'A': a, 'B': rng.choice(self.names), 'I': str(rng.randint(-2, 3)), 'X': rng.choice(('0', '1', '2', '-1', '3', '0.5', '2.5', '-3', 'True', '1j', '200')),
                  'D': f'"{rng.choice(DTYPES)}"', 'R': rng.choice(('0', '-1', '1', 'None', '0')), 'M': rng.choice((f'({a} > 1)', f'({a} != 0)', f'({a} < 2)')),
                  'P': rng.choice(('np.array([0, 1])', 'np.array([-1, 0, 0])', 'np.array([2, 1])', 'np.array([], int)')),
                  'S': rng.choice(('1:', '::2', '::-1', ':-1', '..., 0', '..., ::2', ':, 1:', '0', '-1:', '1:1'))}
        out, i = [], 0
        while i < len(template):
            c = template[i]
            before, behind = template[i - 1:i], template[i + 1:i + 2]
            alone = not (before.isalnum() or before in ('_', '"', "'")) and not (behind.isalnum() or behind in ('_', '"', "'"))
            out.append(values[c] if c in values and alone else c)
            i += 1
        return ''.join(out).replace('\0', '|'), a

    def new_array(self, name):
        rng = self.rng
        values = f'np.arange({rng.choice(("{n}", "-3, {n} - 3"))}) * {rng.choice(("1", "1", "3 % 7", "0.5", "2"))}'
        shape = rng.choice(SHAPES)
        values = values.replace('{n}', f'np.prod({shape}, dtype=int)')
        return f'{name} = ({values}).astype("{rng.choice(DTYPES)}").reshape({shape}){rng.choice(("", "", ".copy(order=chr(70))", "[::-1]" if shape != "()" else ""))}'

    def statement(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.4:
            name = f'v{len(self.names)}' if len(self.names) < 7 else rng.choice(self.names)
            text, _ = self.filled(rng.choice(self.words(MADE)))
            lines = [f'found = {text}', 'tell(found)', f'if isinstance(found, np.ndarray) and found.size < 200 and found.dtype.kind in "biufc":\n    {name} = found']
            if name not in self.names and rng.random() < 0.6:
                self.extra.append(name)
            else:
                lines.pop()
        elif kind < 0.7:
            text, a = self.filled(rng.choice(self.words(CHANGED)))
            lines = [text, f'tell({a})']
        elif kind < 0.85:
            lines = [self.filled(rng.choice(self.words(SAID)))[0]]
        else:
            lines = self.filled(rng.choice(BLOCKS))[0].split('\n')
        return '\n'.join(lines)

    def text(self, number):
        rng = self.rng
        lines = [f'print("#case {number}")', f'rng, old = np.random.default_rng({number % 7}), np.random.RandomState({number % 5})']
        for i in range(rng.randint(2, 4)):
            lines.append(self.new_array(f'v{i}'))
            self.names.append(f'v{i}')
        for i in range(rng.randint(10, 30)):
            self.extra = []
            body = self.statement()
            names = ', '.join(self.names + self.extra)
            for name in self.extra:
                lines.append(f'{name} = np.arange(4)')
            self.names += self.extra
            lines.append(f'def f{i}():\n    global {names}\n' + '\n'.join('    ' + line for line in body.split('\n')) + f'\ntried(f{i})')
        lines.append(f'tell({", ".join(self.names)})')
        return '\n'.join(lines) + '\n'


def text_of(seed):
    return Program(seed).text(seed)


class Compared(Trial):
    def run(self, path, way):
        command = [sys.executable, str(path)] if way == ('numpy',) else [self.args.pallasc, 'run', str(path)]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=self.args.timeout)
        except subprocess.TimeoutExpired:
            return '', f'{way[0]}: it hangs'
        return done.stdout, f'{way[0]}: status {done.returncode}\n{done.stderr[-800:]}' if done.returncode else None


def main():
    args = parser_of(__doc__, 100, batch=20).parse_args()
    if args.show:
        print(HEAD + text_of(args.seed))
        return 0
    failed = Compared(args, 'arrays', HEAD, text_of, [('numpy',), ('pallasc',)]).try_all()
    print(f'{args.count - failed} passed, {failed} failed, 0 skipped')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
