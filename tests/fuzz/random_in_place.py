#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels that change arrays in place: do all ways to run them give the same elements?

A program is one kernel on one core with some refs: scratch memory, outputs, and inputs that are outputs as well. Its statements load windows of
them, whole or in part, at places that are known or not, compute something of these, and store it over what was loaded, beside it or across it;
values live on behind the store, and past conditions and loops. Elements lie turned, rolled, exchanged, reshaped, reduced and spread between the load
and the store: what may be made in place, in which order, and what must be copied first, is for the compiler to find out. All numbers are
small and whole, so that every way to add them up gives the same. What is left in the refs is printed. It runs at -O0 to -O3, for CPUs of narrow
and of wide registers, and under check; a difference to -O0 is a failure. `--quick`: in four of these ways. `--jax PYTHON`: and with JAX.

The last line is `N passed, N failed, N skipped`.
"""
import pathlib
import random
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import differential  # noqa: E402

HEAD = '''import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def data(shape, dtype, k):
    v = (jnp.arange(int(np.prod(shape)), dtype=jnp.int32) * (7 * k + 13) + k) % 19 - 9
    v = v.reshape(shape)
    return v > 0 if dtype == jnp.bool_ else v.astype(dtype)
'''
SHAPES = ((8, 128), (24, 128), (5, 7), (1, 16), (16,), (4, 3, 8), (8, 3, 1), (6, 1), (13, 33), (12, 12), (16, 256), (3, 5, 7), (100,), (2, 40))
DTYPES = ('float32', 'bfloat16', 'int32', 'int8', 'bool_', 'float32', 'int32', 'int32', 'float32')
FLOATS = ('float32', 'bfloat16')
DEEPEST = 3  # of conditions and loops


def bounded(text, dtype):
    """Small and whole, as float."""
    return f'jnp.clip({text}, -100, 100)' if dtype in FLOATS else text


def cast(text, have, want):
    if have == want:
        return text
    if want == 'bool_':
        return f'({text} > 0)'
    return f'{bounded(text, "float32") if have in (*FLOATS, "int32") else text}.astype(jnp.{want})'


class Kernel:
    def __init__(self, seed):
        self.name, self.rng = f'p{seed}', random.Random(seed)
        rng = self.rng
        self.shape, self.steps = rng.choice(SHAPES), rng.choice((1, 1, 2, 3))
        self.rank = len(self.shape)
        dtypes = [rng.choice(DTYPES) for _ in range(2)]
        self.refs = [(f'r{i}', rng.choice(dtypes)) for i in range(rng.randint(1, 3))]
        self.kinds = {name: rng.choice(('scratch', 'output', 'alias')) for name, _ in self.refs}
        self.windows = [self.shape] + [tuple(rng.choice((d, max(1, d // 2), max(1, d - 1), 1, d)) for d in self.shape) for _ in range(rng.randint(1, 2))]
        self.lines, self.depth, self.names = [], 1, 0
        self.values = []                                                 # (name, window, dtype) in scope
        self.scalars = ['s[0]', 's[1]', 's[2]', 'step']
        self.place = None                                                # (index, window) that the statement writes

    # ---- small things
    def fresh(self, stem):
        self.names += 1
        return f'{stem}{self.names}'

    def say(self, line):
        self.lines.append('    ' * self.depth + line)

    def let(self, window, dtype, text):
        name = self.fresh('v')
        self.say(f'{name} = {text}')
        self.values.append((name, window, dtype))
        return name

    def without(self, window, axis):
        return tuple(1 if i == axis else d for i, d in enumerate(window))

    def start(self, room):
        """Where a window begins that may be moved by `room`."""
        if room == 0:
            return '0'
        if self.rng.random() < 0.5:
            return str(self.rng.choice((0, room, self.rng.randint(0, room))))
        scalar = self.rng.choice(self.scalars)
        return self.rng.choice((f'({scalar} % {room + 1})', f'jnp.minimum({scalar}, {room})'))

    def index(self, window):
        rng, parts = self.rng, []
        for size, part in zip(self.shape, window):
            if size == part and rng.random() < 0.9:
                parts.append(':')
                continue
            start = self.start(size - part)
            parts.append(f'{start}:{int(start) + part}' if start.isdigit() and rng.random() < 0.6 else f'pl.ds({start}, {part})')
        return '...' if set(parts) == {':'} and rng.random() < 0.7 else ', '.join(parts)

    def target(self):
        """A ref, its type, a window and an index of it."""
        name, dtype = self.rng.choice(self.refs)
        window = self.rng.choice(self.windows)
        return name, dtype, window, self.index(window)

    # ---- values
    def leaf(self, window, dtype):
        rng = self.rng
        known = [value for value in self.values if value[1] == window][-4:]
        if known and rng.random() < 0.5:
            name, _, have = rng.choice(known)
            return cast(name, have, dtype)
        if rng.random() < 0.8:
            name, have = rng.choice(self.refs + [('x', 'int32')] * (rng.random() < 0.3))
            is_there = self.place and self.place[1] == window and rng.random() < 0.6
            return cast(f'{name}[{self.place[0] if is_there else self.index(window)}]', have, dtype)
        if rng.random() < 0.5:
            return cast(f'lax.broadcasted_iota(jnp.int32, {window}, {rng.randrange(self.rank)})', 'int32', dtype)
        return f'jnp.full({window}, {rng.choice((True, False)) if dtype == "bool_" else rng.randint(-5, 5)}, jnp.{dtype})'

    def value(self, window, dtype, depth):
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(window, dtype)
        makers = [self.selected, self.selected, self.flipped, self.rolled, self.converted, self.spread, self.reduced, self.reduced]
        if self.rank >= 2:
            makers += [self.exchanged]
        makers += dict(bool_=[self.logical, self.compared], int32=[self.added, self.added, self.of_integers],
                       float32=[self.added, self.added, self.of_floats]).get(dtype, [self.added] * 3) * 2
        return self.rng.choice(makers)(window, dtype, depth - 1)

    def selected(self, window, dtype, depth):
        depths = self.rng.choice(((depth, depth - 1, depth - 1), (depth - 1, depth, depth)))
        return 'jnp.where(' + ', '.join(self.value(window, of, k) for of, k in zip(('bool_', dtype, dtype), depths)) + ')'

    def flipped(self, window, dtype, depth):
        return f'jnp.flip({self.value(window, dtype, depth)}, {self.rng.randrange(self.rank)})'

    def rolled(self, window, dtype, depth):
        return f'jnp.roll({self.value(window, dtype, depth)}, {self.rng.randint(-3, 3)}, {self.rng.randrange(self.rank)})'

    def converted(self, window, dtype, depth):
        other = self.rng.choice(DTYPES)
        return cast(self.value(window, other, depth), other, dtype)

    def spread(self, window, dtype, depth):
        return f'jnp.broadcast_to({self.value(self.without(window, self.rng.randrange(self.rank)), dtype, depth)}, {window})'

    def folded(self, text, dtype, axis):
        """A reduction of a value of a type that has sums."""
        function = self.rng.choice(('max', 'min', 'sum'))
        if function != 'sum':
            return f'jnp.{function}({text}, axis={axis}, keepdims=True)'
        if dtype == 'int8':
            return f'jnp.sum({text}, axis={axis}, keepdims=True, dtype=jnp.int32).astype(jnp.int8)'
        return bounded(f'jnp.sum({text}, axis={axis}, keepdims=True)', dtype)

    def reduced(self, window, dtype, depth):
        wide = 'int32' if dtype == 'bool_' else dtype
        axis = self.rng.choice((self.rng.randrange(self.rank),) * 3 + (None,))
        return cast(f'jnp.broadcast_to({self.folded(self.value(window, wide, depth), wide, axis)}, {window})', wide, dtype)

    def exchanged(self, window, dtype, depth):
        text = self.value(window, dtype, depth)
        ways = [f'{text}.T.reshape({window})']
        if window[0] == window[-1]:
            ways += [f'{text}.reshape({window[::-1]}).T'] + [f'{text}.T'] * (self.rank == 2)
        return self.rng.choice(ways)

    def logical(self, window, dtype, depth):
        a, b = self.value(window, dtype, depth), self.value(window, dtype, depth - 1)
        return self.rng.choice((f'({a} & {b})', f'({a} ^ {b})', f'({a} | {b})', f'(~{a})'))

    def compared(self, window, dtype, depth):
        other = self.rng.choice(('int32', 'float32', 'int8', 'bfloat16'))
        return f'({self.value(window, other, depth)} {self.rng.choice(("<", "<=", ">", ">=", "==", "!="))} {self.value(window, other, depth - 1)})'

    def added(self, window, dtype, depth):
        a, b = self.value(window, dtype, depth), self.value(window, dtype, depth - 1)
        ways = [bounded(text, dtype) for text in (f'({a} + {b})', f'({a} - {b})', f'({b} - {a})', f'({a} * {self.rng.randint(-2, 3)} + {b})')]
        return self.rng.choice(ways + [f'jnp.maximum({a}, {b})', f'jnp.minimum({b}, {a})', f'(-{a})', f'jnp.abs({a})'])

    def of_integers(self, window, dtype, depth):
        a, axis = self.value(window, dtype, depth), self.rng.randrange(self.rank)
        return self.rng.choice((f'jnp.cumsum({a}, axis={axis})', f'jnp.sort({a}, axis={axis})', f'({a} * {self.value(window, dtype, depth - 1)})',
                                f'jnp.broadcast_to(jnp.argmax({a}, axis={axis}, keepdims=True), {window}).astype(jnp.int32)',
                                f'({a} ^ {self.value(window, dtype, depth - 1)})', f'({a} >> 1)'))

    def of_floats(self, window, dtype, depth):
        a, axis = self.value(window, dtype, depth), self.rng.randrange(self.rank)
        ways = [bounded(f'jnp.cumsum({a}, axis={axis})', dtype), f'jnp.sort({a}, axis={axis})', f'jnp.floor({a} * 0.5)']
        if self.rank == 2 and window[0] <= 24:
            square = f'({window[0]}, {window[0]})'
            ways += [bounded(f'jnp.dot(jnp.ones({square}, jnp.float32), {a}, preferred_element_type=jnp.float32)', dtype),
                     bounded(f'({self.value(window, dtype, depth - 1)} + jnp.dot(lax.broadcasted_iota(jnp.float32, {square}, 1), {a}))', dtype)]
        return self.rng.choice(ways)

    # ---- statements
    def statement(self):
        kinds = [self.store] * 4 + [self.in_place] * 5 + [self.named] * 3 + [self.stored_sums] * 2 + [self.masked]
        if self.depth < DEEPEST:
            kinds += [self.condition, self.loop, self.carried]
        self.rng.choice(kinds)()

    def block(self, count):
        self.depth += 1
        kept = list(self.values)
        for _ in range(count):
            self.statement()
        self.values = kept
        self.depth -= 1

    def store(self):
        name, dtype, window, index = self.target()
        self.place = index, window
        text = self.value(window, dtype, self.rng.randint(1, 3))
        self.place = None
        self.say(f'{name}[{index}] = {text}')

    def in_place(self):
        """A load, perhaps something else, and a store of what is made of it to where it was."""
        rng = self.rng
        name, dtype, window, index = self.target()
        old = self.let(window, dtype, f'{name}[{index}]')
        if rng.random() < 0.33:
            rng.choice((self.named, self.store))()
        self.place = index, window
        text = self.value(window, dtype, 2)
        self.place = None
        if dtype == 'bool_':
            text = f'({old} ^ {text})'
        elif dtype in FLOATS:
            text = bounded(f'({old} {rng.choice("+-")} {text})', dtype)
        else:
            text = f'({old} * {rng.randint(1, 2)} + {text})'
        self.say(f'{name}[{index}] = {text}')
        if rng.random() < 0.6:
            rng.choice((self.named, self.store))()

    def named(self):
        window = self.rng.choice(self.windows)
        dtype = self.rng.choice(self.refs)[1] if self.rng.random() < 0.8 else self.rng.choice(DTYPES)
        self.let(window, dtype, self.value(window, dtype, self.rng.randint(1, 3)))

    def stored_sums(self):
        """A reduction that is stored, of what may have been stored itself."""
        rng, axis = self.rng, self.rng.randrange(self.rank)
        name, dtype = rng.choice(self.refs)
        wide = 'int32' if dtype == 'bool_' else dtype
        if rng.random() < 0.5:
            other, of = rng.choice(self.refs)
            value = self.let(self.shape, of, self.value(self.shape, of, 2))
            self.say(f'{other}[{self.index(self.shape)}] = {value}')
            text = cast(value, of, wide)
        else:
            text = self.value(self.shape, wide, 2)
        self.say(f'{name}[{self.index(self.without(self.shape, axis))}] = {cast(self.folded(text, wide, axis), wide, dtype)}')

    def masked(self):
        name, dtype, window, index = self.target()
        self.place = index, window
        mask, text = self.value(window, 'bool_', 1), self.value(window, dtype, 2)
        self.place = None
        self.say(f'pltpu.store({name}.at[{index}], {text}, mask={mask})')

    def condition(self):
        self.say(f'@pl.when({self.rng.choice(self.scalars)} % 2 == {self.rng.randrange(2)})')
        self.say('def _():')
        self.block(self.rng.randint(1, 3))

    def loop(self):
        i = self.fresh('i')
        self.say(f'@pl.loop(0, {self.rng.randint(1, 3)})')
        self.say(f'def _({i}):')
        self.scalars.append(i)
        self.block(self.rng.randint(1, 3))
        self.scalars.pop()

    def carried(self):
        """A loop that carries a value."""
        rng, i, turn, carry = self.rng, self.fresh('i'), self.fresh('turn'), self.fresh('c')
        window, dtype = rng.choice(self.windows), rng.choice(self.refs)[1]
        first = self.value(window, dtype, 1)
        self.say(f'def {turn}({i}, {carry}):')
        kept = list(self.values)
        self.scalars.append(i)
        self.values.append((carry, window, dtype))
        self.block(rng.randint(1, 3))
        self.depth += 1
        self.say(f'return {self.value(window, dtype, 2)}.astype(jnp.{dtype})')
        self.depth -= 1
        self.scalars.pop()
        self.values = kept
        self.let(window, dtype, f'lax.fori_loop(0, {rng.randint(1, 3)}, {turn}, {first})')

    # ---- the whole
    def begin(self):
        for name, dtype in self.refs:
            start = f'{name}_in[...]' if self.kinds[name] == 'alias' and self.rng.random() < 0.5 else cast('x[...]', 'int32', dtype)
            self.say('@pl.when(step == 0)')
            self.say('def _():')
            self.say(f'    {name}[...] = {start}')

    def text(self):
        rng, refs, kinds = self.rng, self.refs, self.kinds
        outputs = [ref for ref in refs if kinds[ref[0]] != 'scratch']
        aliases = [ref for ref in outputs if kinds[ref[0]] == 'alias']
        scratch = [ref for ref in refs if kinds[ref[0]] == 'scratch']
        self.say('step = pl.program_id(0)')
        self.begin()
        for _ in range(rng.randint(3, 7)):
            self.statement()
        for name, _ in refs:
            self.say(f'f_{name}[...] = {name}[...]')
        arguments = ['s', 'x', *(f'{name}_in' for name, _ in aliases), *(name for name, _ in outputs), *(f'f_{name}' for name, _ in refs), *(name for name, _ in scratch)]
        whole = f'pl.BlockSpec({self.shape}, lambda i: {(0,) * self.rank})'
        shapes = ', '.join(f'jax.ShapeDtypeStruct({self.shape}, jnp.{dtype})' for _, dtype in outputs + refs)
        inputs = ''.join(f', data({self.shape}, jnp.{dtype}, {k})' for k, (_, dtype) in enumerate(aliases, 1))
        return '\n'.join([
            '', '', f'def {self.name}({", ".join(arguments)}):', *self.lines, '', '',
            f'print("{self.name}", [np.asarray(o).astype(np.float32).tolist() for o in pl.pallas_call(',
            f'    {self.name}, grid=({self.steps},), in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM)] + [{whole}] * {1 + len(aliases)},',
            f'    out_specs=[{whole}] * {len(outputs + refs)}, out_shape=[{shapes}],',
            f'    scratch_shapes=[{", ".join(f"pltpu.VMEM({self.shape}, jnp.{dtype})" for _, dtype in scratch)}],',
            f'    input_output_aliases={ {2 + k: outputs.index(ref) for k, ref in enumerate(aliases)} })(',
            f'    jnp.array([{rng.randrange(9)}, {rng.randrange(9)}, {rng.randrange(9)}], jnp.int32), data({self.shape}, jnp.int32, 0){inputs})])', ''])


QUICK = [('run', '-O0'), ('run', '-O1'), ('run', '-O3'), ('run', '-O3', '--target-cpu=x86-64-v2')]
WAYS = [*QUICK, ('run', '-O2'), ('run', '-O2', '--target-cpu=x86-64-v3'), ('run', '-O3', '--target-cpu=native'), ('check', '-O1')]


UNDER_JAX = f'''
import pathlib, sys
sys.path.insert(0, {str(differential.ROOT / "tests" / "oracle")!r})
import pk_under_jax
pk_under_jax.set_up(is_quick=True)
with pk_under_jax.kernels_interpreted("interpret"):
    pk_under_jax.run_module(pathlib.Path(sys.argv[1]))
'''


class Trial(differential.Trial):
    """The first way may be JAX."""

    def run(self, path, way):
        if way[0] != 'jax':
            return super().run(path, way)
        done = subprocess.run([self.args.jax, '-c', UNDER_JAX, path], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return done.stdout, f'JAX: {done.stderr[-800:]}' if done.returncode else None


def main():
    parser = differential.parser_of(__doc__, 1000, 4)
    parser.add_argument('--quick', action='store_true', help='in four ways')
    parser.add_argument('--jax', metavar='PYTHON', help='an interpreter that has JAX, which then says what is right')
    args = parser.parse_args()
    trial = Trial(args, 'in_place', HEAD, lambda seed: Kernel(seed).text(), [('jax',)] * bool(args.jax) + (QUICK if args.quick else WAYS))
    if args.show:
        print(trial.text([args.seed]))
        return 0
    failed = trial.try_all()
    print(f'{args.count - failed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
