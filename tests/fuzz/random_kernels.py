#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random well-formed kernels, run by pallasc and by JAX, which must agree.

One seed is one case: a grid, block shapes, dtypes, expressions, control flow and reductions. Without --keep only the sources of cases
that disagree stay. Needs JAX (the venv of the oracle); the last line is `N passed, N failed, N skipped`.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / 'oracle'))
import pk_under_jax  # noqa: E402

INTS = ['int32', 'int16', 'int8', 'uint8', 'uint32']
FLOATS = ['float32', 'bfloat16']
SHORT = {'float32': 'f32', 'bfloat16': 'bf16', 'int32': 'i32', 'int16': 'i16', 'int8': 'i8', 'uint8': 'u8', 'uint32': 'u32'}


class Kernel:
    """Writes one source. Every expression has the shape of a block and the dtype that is asked for."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        r = self.r
        self.rank = r.choice([1, 2, 2, 2, 3])
        self.grid = [r.randint(1, 3) for _ in range(self.rank)]
        self.block = [r.choice([1, 2, 3, 4, 8]) for _ in range(self.rank)]
        self.block[-1] = r.choice([8, 16, 32, 128, 5])
        self.shape = [g * b for g, b in zip(self.grid, self.block)]
        self.whole = r.random() < 0.75  # edge blocks hold values that mean nothing: then nothing crosses elements
        if not self.whole:
            self.shape = [n - r.randrange(b) for n, b in zip(self.shape, self.block)]
        self.inputs = [r.choice(INTS + FLOATS * 2) for _ in range(r.randint(1, 3))]
        self.out = r.choice(INTS + FLOATS * 2)
        self.lines = []
        self.names = [(f'x{i}', dtype) for i, dtype in enumerate(self.inputs)]
        self.fresh = 0

    def value(self, dtype, depth):
        """An expression of this dtype."""
        r = self.r
        known = [name for name, kind in self.names if kind == dtype]
        if depth <= 0 or r.random() < 0.15:
            if known and r.random() < 0.8:
                return r.choice(known)
            if r.random() < 0.6:
                name, _ = r.choice(self.names)
                return f'{name}.astype(jnp.{dtype})' if dtype in FLOATS or self.is_int(name) else f'jnp.clip({name}, 0, 100).astype(jnp.{dtype})'
            return f'jnp.full({tuple(self.block)}, {r.randint(0, 9)}, jnp.{dtype})'
        one, two = (lambda: self.value(dtype, depth - 1)), (lambda: self.value(dtype, depth - 2))
        forms = [lambda: f'({one()} + {two()})', lambda: f'({one()} - {two()})', lambda: f'jnp.maximum({one()}, {two()})',
                 lambda: f'jnp.minimum({two()}, {one()})', lambda: f'jnp.where({self.condition(depth - 1)}, {one()}, {two()})',
                 lambda: f'({one()} * {r.randint(1, 3)})']
        if dtype in INTS:
            forms += [lambda: f'({one()} & {two()})', lambda: f'({one()} | {two()})', lambda: f'({one()} ^ {two()})',
                      lambda: f'({one()} * {two()})', lambda: f'({one()} >> {r.randint(0, 5)})', lambda: f'({one()} // {r.randint(1, 9)})',
                      lambda: f'({one()} % {r.randint(1, 9)})', lambda: f'({one()} << {r.randint(0, 5)})']
        else:
            forms += [lambda: f'jnp.abs({one()})', lambda: f'(-{one()})', lambda: f'jnp.floor({one()})', lambda: f'(0.5 * {one()})']
        if self.whole:
            axis = r.randrange(self.rank)
            forms += [lambda: f'jnp.broadcast_to(jnp.max({one()}, axis={axis}, keepdims=True), {tuple(self.block)})',
                      lambda: f'jnp.flip({one()}, {axis})', lambda: f'jnp.roll({one()}, {r.randint(-3, 3)}, {axis})',
                      lambda: f'{one()}.reshape({tuple(reversed(self.block))}).T.reshape({tuple(self.block)})',
                      lambda: f'jnp.concatenate([lax.slice_in_dim(a, {self.block[axis] // 2}, {self.block[axis]}, axis={axis}) if p else '
                              f'lax.slice_in_dim(a, 0, {self.block[axis] // 2}, axis={axis}) for p in (1, 0) for a in [{one()}]], axis={axis})'
                      if self.block[axis] > 1 else one()]
            if dtype in INTS:
                forms += [lambda: f'jnp.broadcast_to(jnp.sum({one()}, axis={axis}, keepdims=True, dtype=jnp.{dtype}), {tuple(self.block)})']
        return r.choice(forms)()

    def is_int(self, name):
        return dict(self.names)[name] in INTS

    def condition(self, depth):
        dtype = self.r.choice([kind for _, kind in self.names])
        return f'{self.value(dtype, depth - 1)} {self.r.choice(["<", "<=", ">", "==", "!="])} {self.value(dtype, depth - 2)}'

    def statement(self):
        r = self.r
        name, dtype = f'v{self.fresh}', r.choice(INTS + FLOATS)
        self.fresh += 1
        form = r.randrange(4)
        if form == 0:
            self.lines.append(f'{name} = lax.fori_loop(0, {r.randint(0, 4)}, lambda i, c: {self.loop(dtype)}, {self.value(dtype, 2)})')
        elif form == 1:
            self.lines.append(f'{name} = lax.cond(pl.program_id({r.randrange(self.rank)}) > 0, lambda: {self.value(dtype, 2)}, lambda: {self.value(dtype, 2)})')
        else:
            self.lines.append(f'{name} = {self.value(dtype, 4)}')
        self.names.append((name, dtype))

    def loop(self, dtype):
        self.names.append(('c', dtype))
        body = f'({self.value(dtype, 2)} + i.astype(jnp.{dtype}))'
        self.names.pop()
        return f'{body}.astype(jnp.{dtype})'

    def source(self):
        refs = [f'r{i}' for i in range(len(self.inputs))]
        self.lines += [f'x{i} = r{i}[...]' for i in range(len(self.inputs))]
        for _ in range(self.r.randint(0, 4)):
            self.statement()
        self.lines.append(f'o[...] = {self.value(self.out, 4)}')
        if self.r.random() < 0.5:
            self.lines += [f'@pl.when(pl.program_id(0) == {self.r.randrange(self.grid[0])})', 'def _():',
                           f'  o[...] = jnp.maximum(o[...], {self.value(self.out, 2)})']
        axes = ', '.join('abc'[:self.rank])
        spec = f'pl.BlockSpec({tuple(self.block)}, lambda {axes}: ({axes},))'
        params = ', '.join(f'p{i}: {SHORT[d]}{self.shape}' for i, d in enumerate(self.inputs))
        return (f'def kernel({", ".join(refs)}, o):\n' + ''.join(f'  {line}\n' for line in self.lines) + f'\n\ndef f({params}):\n'
                f'  spec = {spec}\n  return pl.pallas_call(kernel, grid={tuple(self.grid)}, in_specs=[spec] * {len(refs)}, out_specs=spec,\n'
                f'                        out_shape=jax.ShapeDtypeStruct({tuple(self.shape)}, jnp.{self.out}))'
                f'({", ".join(f"p{i}" for i in range(len(refs)))})\n')


def arrays(kernel, seed):
    import ml_dtypes
    import numpy as np
    rng = np.random.default_rng(seed)
    for dtype in kernel.inputs:
        yield rng.integers(0 if dtype[0] == 'u' else -20, 21, kernel.shape).astype(getattr(ml_dtypes, dtype, None) or dtype)


def compare(got, want):
    import numpy as np
    if got.shape != want.shape or got.dtype.itemsize != want.dtype.itemsize:
        return f'{got.dtype}{got.shape}, not {want.dtype}{want.shape}'
    got = got.view(want.dtype).astype(np.float64)
    differ = ~((got == want.astype(np.float64)) | (np.isnan(got) & np.isnan(want.astype(np.float64))))
    if not differ.any():
        return None
    at = tuple(int(i) for i in np.argwhere(differ)[0])
    return f'{int(differ.sum())} of {differ.size} elements differ, first at {at}: {got[at]}, not {want[at]}'


def run_case(pallasc, seed, folder):
    """None, or how pallasc and JAX disagree. Raises what JAX raises."""
    import jax
    import numpy as np
    kernel = Kernel(seed)
    path = folder / f'k{seed}.pk'
    path.write_text(kernel.source())
    inputs = list(arrays(kernel, seed))
    with pk_under_jax.kernels_interpreted('interpret'):
        want = np.asarray(pk_under_jax.run_module(path)['f'](*map(jax.numpy.asarray, inputs)))
    names = [str(folder / f'{seed}.{i}.npy') for i in range(len(inputs))]
    for name, array in zip(names, inputs):
        np.save(name, array)
    out = folder / f'{seed}.out.npy'
    done = subprocess.run([pallasc, 'run', f'{path}:f', *names, '-o', out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1500)
    if done.returncode:
        return f'pallasc ends with status {done.returncode}\n{done.stdout[:1500]}'
    return compare(np.load(out), want)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pallasc', default=str(ROOT / 'build' / 'pallasc'), metavar='PATH')
    parser.add_argument('--count', type=int, default=100, metavar='N')
    parser.add_argument('--seed', type=int, default=1, metavar='S')
    parser.add_argument('--keep', metavar='FOLDER', help='leave the sources there')
    args = parser.parse_args()
    pk_under_jax.set_up()
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(args.keep or name)
        folder.mkdir(exist_ok=True)
        for seed in range(args.seed, args.seed + args.count):
            try:
                wrong = run_case(args.pallasc, seed, folder)
            except Exception as error:  # JAX refuses it: the generator's fault
                skipped += 1
                print(f'skipped: seed {seed}: {type(error).__name__}: {str(error)[:200]}', flush=True)
                continue
            failed += wrong is not None
            passed += wrong is None
            if wrong:
                print(f'failed: seed {seed}: {wrong}\n{(folder / f"k{seed}.pk").read_text()}', flush=True)
    print(f'{passed} passed, {failed} failed, {skipped} skipped')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
