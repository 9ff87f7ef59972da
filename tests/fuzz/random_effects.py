#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of everything that has an effect: do all ways to run them give the same bytes?

A program is one kernel on some cores. Each core goes through a random list of statements on memory of its own: loads, stores, views, copies
that are in flight for a while, semaphores, random bits, scopes, loops and conditions around them. Between these all cores pass rows on to
their neighbours, each in one of the ways there are (a copy to another core, a shared array, an atomic counter, a grid), ordered by
semaphores or barriers: no program has a race. What it leaves in memory is printed. It runs at -O0, -O1 and -O3 and under check with three
seeds; a difference to -O0, a finding or an end other than 0 is a failure.

`--coverage` asks whether the ops that the table calls effectful occur in them. The last line is `N passed, N failed, N skipped`.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import differential  # noqa: E402

FLYING = 8  # copies in flight at a time
ROWS, LOOK = 12, 4  # rows of an array; a first row that is computed at run time lies below LOOK
HEAD = '''import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu, tpu_sc as plsc


def poll(sem, count):
    lax.while_loop(lambda n: n < count, lambda n: pl.semaphore_read(sem), pl.semaphore_read(sem))


def keep_and_take(sem, count):
    pl.semaphore_wait(sem, count, decrement=False)
    pl.semaphore_wait(sem, count)


def poll_and_take(sem, count):
    poll(sem, count)
    pl.semaphore_wait(sem, count)
'''
WAITS = ('pl.semaphore_wait', 'keep_and_take', 'poll_and_take')


class Program:
    """The text of one kernel. `kind`: tensor, vector (subcores) or devices (of one core each)."""

    def __init__(self, rng, name, kind):
        self.rng, self.name, self.kind, self.names, self.lines, self.depth, self.flying = rng, name, kind, 0, [], 1, 0
        self.cores = dict(tensor=2, vector=rng.choice((2, 3, 4)), devices=rng.choice((2, 3)))[kind]
        self.width = 16 if kind == 'vector' else 128
        self.has_barrier = kind == 'devices' and rng.random() < 0.6  # else devices meet as they enter the kernel

    # ---- small things
    def fresh(self, stem):
        self.names += 1
        return f'{stem}{self.names}'

    def say(self, line):
        self.lines.append('    ' * self.depth + line)

    def scalar(self):
        rng = self.rng
        return rng.choice((lambda: str(rng.randrange(-9, 10)), lambda: 'me', lambda: f's[{rng.randrange(8)}]', lambda: f's[s[{rng.randrange(8)}] & 7]',
                           lambda: f'(s[{rng.randrange(8)}] * {rng.randrange(2, 6)} + me)'))()

    def window(self, rows, first=None):
        """The index of some rows."""
        if first is not None:
            return f'pl.ds({first}, {rows})'
        start = self.rng.choice((str(self.rng.randrange(LOOK)), f'{self.scalar()} & {LOOK - 1}', str(ROWS - rows)))
        return f'pl.ds({start}, {rows})'

    def rows(self):
        return 1 if self.kind == 'vector' else self.rng.choice((1, 2, 4, 8))

    def element(self, array, rows, first=None):
        """Some rows of an array, as a load or a store names them."""
        if self.kind != 'vector':
            return f'{array}[{self.window(rows, first)}]'
        return f'{array}[{self.rng.choice((str(self.rng.randrange(ROWS)), f"{self.scalar()} & 7")) if first is None else first}]'

    def value(self, arrays, rows):
        rng = self.rng
        x, y = (self.element(rng.choice(arrays), rows) for _ in range(2))
        return rng.choice((f'{x} * {rng.randrange(2, 9)} + {y}', f'{x} + {self.scalar()}', f'jnp.maximum({x}, {y}) - {rng.randrange(9)}', f'{x} ^ {y}', f'({x} >> 1) + {rng.randrange(99)}'))

    def block(self, arrays, sources, count):
        """Statements that write `arrays` and read these and `sources`."""
        self.depth += 1
        for _ in range(count):
            self.statement(arrays, sources)
        self.depth -= 1

    # ---- statements of one core
    def statement(self, arrays, sources):
        kinds = [self.store, self.store, self.counter, self.view, self.copy, self.flight, self.own_signal, self.condition, self.loop, self.aliased_load]
        if self.kind != 'vector':
            kinds += [self.bits, self.scope, self.reinterpret, self.masked, self.windows_in_flight]
        if self.kind == 'vector':
            kinds += [self.own_fetch]
        if self.depth > 4:
            kinds = kinds[:4]
        self.rng.choice(kinds)(arrays, sources)

    def store(self, arrays, sources):
        rows = self.rows()
        target = self.element(self.rng.choice(arrays), rows)
        self.say(f'{target} = {self.value(arrays + sources, rows)}')

    def counter(self, arrays, sources):
        i = self.rng.randrange(8)
        if self.kind != 'vector' and self.rng.random() < 0.3:
            self.say(f's[{i}] = jnp.sum({self.element(self.rng.choice(arrays + sources), 1)}) & 255')
        else:
            self.say(f's[{i}] = {self.scalar()} + {self.scalar()}')

    def aliased_load(self, arrays, sources):
        """A load, a store that may meet it through another name, the load again."""
        rows, array = self.rows(), self.rng.choice(arrays)
        x, old = self.element(array, rows), self.fresh('old')
        self.say(f'{old} = {x}')
        self.say(f'{self.element(array, rows)} = {old} + {self.rng.randrange(1, 9)}')
        self.say(f'{self.element(array, rows)} = {x} + {old}')

    def view(self, arrays, sources):
        if self.kind == 'vector':
            return self.store(arrays, sources)
        array, part = self.rng.choice(arrays), self.fresh('part')
        self.say(f'{part} = {array}.at[{self.window(8)}]')
        inner = f'{part}.at[pl.ds({self.scalar()} & 3, 4)]' if self.rng.random() < 0.5 else part
        self.say(f'{inner}[pl.ds({self.rng.randrange(2)}, 2)] = {self.element(array, 2)} + {part}[pl.ds(5, 2)]')

    def masked(self, arrays, sources):
        array = self.rng.choice(arrays)
        mask = self.fresh('mask')
        self.say(f'{mask} = (jnp.arange({self.width}) & 3) == {self.rng.randrange(4)}')
        self.say(f'pltpu.store({array}.at[{self.rng.randrange(ROWS)}], {array}[{self.rng.randrange(ROWS)}] + 1, mask={mask})')

    def reinterpret(self, arrays, sources):
        array = self.rng.choice(arrays)
        if self.rng.random() < 0.5:
            self.say(f'{array}.bitcast(jnp.uint32)[{self.window(2)}] = {array}.bitcast(jnp.uint32)[{self.window(2)}] ^ 5')
        else:
            self.say(f'{array}.reshape({ROWS // 4}, 4, {self.width})[{self.rng.randrange(ROWS // 4)}] = {array}.reshape({ROWS // 4}, 4, {self.width})[{self.rng.randrange(ROWS // 4)}] + 3')

    def copy(self, arrays, sources):
        target, source = self.rng.choice(arrays), self.rng.choice(arrays + sources)
        if target == source:
            return self.store(arrays, sources)
        rows = self.rng.choice((1, 2, 4, 8))
        self.say(f'pltpu.sync_copy({source}.at[{self.window(rows)}], {target}.at[{self.window(rows)}])')

    def flight(self, arrays, sources):
        """A copy, and what does not touch its ends meanwhile. Its semaphore is its own: of two copies' bytes a wait may take either's."""
        if len(arrays) < 3 or self.flying == FLYING:
            return self.copy(arrays, sources)
        source, target = self.rng.sample(arrays, 2)
        rows, name = self.rng.choice((1, 2, 4, 8)), self.fresh('copy')
        self.say(f'{name} = pltpu.make_async_copy({source}.at[{self.window(rows)}], {target}.at[{self.window(rows)}], dma.at[{self.flying}])')
        self.say(f'{name}.start()')
        self.depth, self.flying = self.depth - 1, self.flying + 1
        self.block([array for array in arrays if array not in (source, target)], [source, *sources], self.rng.randrange(3))
        self.depth, self.flying = self.depth + 1, self.flying - 1
        self.say(f'{name}.wait()')

    def windows_in_flight(self, arrays, sources):
        """Copies of overlapping windows of one array, which is read meanwhile."""
        if len(arrays) < 3:
            return self.copy(arrays, sources)
        source, target, other = self.rng.sample(arrays, 3)
        copies = [self.fresh('copy') for _ in range(3)]
        for k, name in enumerate(copies):
            self.say(f'{name} = pltpu.async_copy({source}.at[pl.ds({3 - k}, 4)], {target}.at[pl.ds({4 * k}, 4)], dma.at[{self.flying}])')
        self.say(f'{other}[0:4] = {source}[pl.ds({self.scalar()} & 3, 4)] + {source}[0:4]')
        for name in copies:
            self.say(f'{name}.wait()')

    def own_signal(self, arrays, sources):
        count = self.rng.randrange(1, 4)
        self.say(f'pl.semaphore_signal(own, {count})')
        self.say(f's[{self.rng.randrange(8)}] = pl.semaphore_read(own)')
        self.say(f'{self.rng.choice(WAITS)}(own, {count})')

    def own_fetch(self, arrays, sources):
        """The counter of this very core, loaded before and after."""
        i, j = self.rng.randrange(8), self.rng.randrange(8)
        before = self.fresh('before')
        self.say(f'{before} = s[{i}]')
        self.say(f's[{j}] = plsc.fetch_and_add(s.at[{i}], {self.rng.randrange(1, 9)}, subcore_id=me) + {before}')
        self.say(f's[{(j + 1) % 8}] = s[{i}] * 3 + {before}')

    def bits(self, arrays, sources):
        self.say(f'pltpu.prng_seed({self.scalar()})')
        rows = self.rng.choice((1, 2, 8))
        self.say(f'{self.rng.choice(arrays)}[{self.window(rows)}] = pltpu.prng_random_bits(({rows}, {self.width})).astype(jnp.int32) & 255')

    def scope(self, arrays, sources):
        name, inner = self.fresh('scope'), self.fresh('inner')
        self.say(f'def {name}({inner}):')
        self.say(f'    {inner}[...] = jnp.full({inner}.shape, {self.scalar()}, jnp.int32)')
        self.block([*arrays, inner], sources, self.rng.randrange(1, 4))
        self.say(f'pl.run_scoped({name}, pltpu.VMEM(({ROWS}, {self.width}), jnp.int32))')

    def condition(self, arrays, sources):
        rng = self.rng
        test = f'({self.scalar()} & {rng.choice((1, 3))}) {rng.choice(("==", "<", "!="))} {rng.randrange(3)}'
        if rng.random() < 0.5:
            self.say(f'@pl.when({test})')
            self.say('def _():')
            return self.block(arrays, sources, rng.randrange(1, 4))
        cases = [self.fresh('case') for _ in range(rng.choice((2, 3)))]
        for case in cases:
            self.say(f'def {case}():')
            self.block(arrays, sources, rng.randrange(1, 3))
            self.say(f'    return jnp.int32({rng.randrange(9)}) + s[{rng.randrange(8)}]')
        how = f'lax.cond({test}, {", ".join(cases)})' if len(cases) == 2 else f'lax.switch({self.scalar()} & 3, [{", ".join(cases)}])'
        self.say(f's[{rng.randrange(8)}] = {how}')

    def loop(self, arrays, sources):
        rng, i, body = self.rng, self.fresh('i'), self.fresh('turn')
        how = rng.randrange(3)
        if how == 0:
            self.say(f'@pl.loop(0, {rng.randrange(1, 4)})')
            self.say(f'def _({i}):')
            self.say(f'    s[{rng.randrange(8)}] = {i} + {self.scalar()}')
            return self.block(arrays, sources, rng.randrange(1, 3))
        self.say(f'def {body}({i}, carried=0):')
        self.block(arrays, sources, rng.randrange(1, 3))
        if how == 1:
            self.say(f'    return carried + {i} + s[{rng.randrange(8)}]')
            self.say(f's[{rng.randrange(8)}] = lax.fori_loop(0, {rng.randrange(1, 4)}, {body}, jnp.int32(0)) & 1023')
        else:
            self.say(f'    return {i} + 1')
            self.say(f'lax.while_loop(lambda n: n < {self.scalar()} % 4, {body}, jnp.int32(0))')

    # ---- what all cores do together
    def place(self, core):
        return 'device_id=%s' % dict(tensor=f'{{"core": {core}}}', vector=f'{{"core": 0, "subcore": {core}}}', devices=f'{{"x": {core}}}')[self.kind]

    def exchange(self):
        """Every core gives rows to the next one, which has looked at the place before."""
        rng, rows, first = self.rng, 1 if self.kind == 'vector' else rng_rows(self.rng), self.rng.randrange(LOOK)
        before, after = self.element('box', rows, first), self.element(rng.choice(('a', 'b')), rows, first)
        self.say(f'{after} = {before} + {self.element("a", rows)}')
        self.say(f'pl.semaphore_signal(ready, 1, {self.place("last")})')
        self.say(f'{rng.choice(WAITS)}(ready, 1)')
        source, window = rng.choice(('a', 'b')), self.window(rows, first)
        shared = self.kind != 'devices' and rng.random() < 0.4
        if shared:
            self.say(f'pltpu.sync_copy({source}.at[{window}], shared.at[me, {window}])')
            self.say(f'pl.semaphore_signal(done, 1, {self.place("next")})')
        else:
            name = self.fresh('sent')
            self.say(f'{name} = pltpu.make_async_remote_copy({source}.at[{window}], box.at[{window}], left, come, {self.place("next")})')
            self.say(f'{name}.start()')
        self.say(f's[{rng.randrange(8)}] = {self.scalar()} + 1')
        if shared:
            self.say(f'{rng.choice(WAITS)}(done, 1)')
            self.say(f'pltpu.sync_copy(shared.at[last, {window}], box.at[{window}])')
        else:
            self.say(f'{name}.wait()')
            self.say(f'pl.semaphore_signal(done, 1, {self.place("next")})')  # all that was sent before has come
            self.say('poll(done, 1)')
            self.say(f'{after} = {before} + {self.element("a", rows)}')
            self.say('pl.semaphore_wait(done, 1)')
        self.say(f'{after} = {before} * 3 + {self.element("b", rows)}')

    def polled(self):
        """A row in shared memory, waited for by polling alone, and loaded before and after."""
        row = self.rng.randrange(ROWS)
        self.say(f'pltpu.sync_copy(shared.at[last, pl.ds({row}, 1)], c.at[pl.ds({row}, 1)])')
        self.say(f'{self.element("b", 1, row)} = {self.element("c", 1, row)} + 1')
        self.say(f'pl.semaphore_signal(ready, 1, {self.place("last")})')
        self.say('pl.semaphore_wait(ready, 1)')
        self.say(f'pltpu.sync_copy(a.at[pl.ds({row}, 1)], shared.at[me, pl.ds({row}, 1)])')
        self.say(f'pl.semaphore_signal(done, 1, {self.place("next")})')
        self.say('poll(done, 1)')
        self.say(f'pltpu.sync_copy(shared.at[last, pl.ds({row}, 1)], c.at[pl.ds({row}, 1)])')
        self.say(f'{self.element("b", 1, row)} = {self.element("b", 1, row)} * 5 + {self.element("c", 1, row)}')
        self.say('pl.semaphore_wait(done, 1)')

    def fetched(self):
        """Atomic additions to counters of others, between barriers."""
        i = self.rng.randrange(8)
        old = self.fresh('old')
        self.say('plsc.subcore_barrier()')
        self.say(f'{old} = s[{i}]')
        self.say('plsc.subcore_barrier()')
        self.say(f'plsc.fetch_and_add(s.at[{i}], me + {self.rng.randrange(1, 9)}, subcore_id={self.rng.choice(("next", "last", "0"))})')
        self.say('plsc.subcore_barrier()')
        self.say(f's[{(i + 3) % 8}] = s[{i}] * 2 + {old}')
        self.say('plsc.subcore_barrier()')

    def grid(self):
        """A pipeline over rows of an array of one's own in HBM, inside of the kernel."""
        body = self.fresh('body')
        self.say(f'def {body}(x_ref, y_ref):')
        self.say(f'    y_ref[...] = x_ref[...] * {self.rng.randrange(2, 9)} + s[{self.rng.randrange(8)}]')
        self.say('pltpu.sync_copy(a, mine.at[me, 0])')
        spec = f'pl.BlockSpec((4, {self.width}), lambda i: (i, 0))'
        self.say(f'pltpu.emit_pipeline({body}, grid=({ROWS // 4},), in_specs=[{spec}], out_specs=[{spec}])(mine.at[me, 0], mine.at[me, 1])')
        self.say('pltpu.sync_copy(mine.at[me, 1], b)')

    def barrier(self):
        if not self.has_barrier:
            return self.exchange()
        self.say('barrier = pltpu.get_barrier_semaphore()')
        self.say(f'pl.semaphore_signal(barrier, 1, {self.place("last")})')
        self.say(f'pl.semaphore_signal(barrier, 1, {self.place("next")})')
        self.say('pl.semaphore_wait(barrier, 2)')

    def report(self):
        self.say('@pl.when(me == 0)')
        self.say('def _():')
        self.say(f'    pl.debug_print("{self.name} {{}} {{}}", s[{self.rng.randrange(8)}], {self.scalar()})')
        self.say(f'pl.debug_check(s[{self.rng.randrange(8)}] < 2**30, "s is large")')

    # ---- the whole
    def text(self):
        rng, cores, width = self.rng, self.cores, self.width
        axis = dict(tensor='core', vector='subcore', devices='x')[self.kind]
        self.lines = ['', '', f'def {self.name}_body(out, shared, mine, a, b, c, box, s, own, ready, done, left, come, dma):',
                      f'    me = lax.axis_index("{axis}")', f'    next, last = (me + 1) % {cores}, (me + {cores - 1}) % {cores}',
                      '    for i in range(8):', f'        s[i] = i * {rng.randrange(1, 9)} + me']
        for array in ('a', 'b', 'c', 'box'):
            if self.kind == 'vector':
                self.lines += [f'    for i in range({ROWS}):', f'        {array}[i] = jnp.full(({width},), {rng.randrange(99)} + i + me, jnp.int32)']
            else:
                self.lines.append(f'    {array}[...] = lax.broadcasted_iota(jnp.int32, ({ROWS}, {width}), {rng.randrange(2)}) * {rng.randrange(1, 9)} + me')
        self.say(f'pltpu.sync_copy(a, shared.at[me])')
        self.barrier()
        together = [self.exchange, self.exchange] + dict(tensor=[self.polled, self.grid, self.report], vector=[self.polled, self.fetched, self.fetched],
                                                         devices=[self.barrier, self.grid, self.report])[self.kind]
        for _ in range(rng.randrange(1, 4)):
            self.depth = 0
            self.block(['a', 'b', 'c'], ['box'], rng.randrange(1, 5))
            self.depth = 1
            rng.choice(together)()
        place = 0 if self.kind == 'devices' else 'me'
        for i, array in enumerate(('a', 'b', 'c', 'box')):
            self.say(f'pltpu.sync_copy({array}, out.at[{place}, {i}])')
        if self.kind == 'vector':
            self.say('for i in range(8):')
            self.say(f'    a[i] = jnp.full(({width},), s[i], jnp.int32)')
        else:
            self.say(f'a[...] = jnp.zeros(({ROWS}, {width}), jnp.int32)')
            self.say('for i in range(8):')
            self.say(f'    a[pl.ds(i, 1)] = jnp.full((1, {width}), s[i], jnp.int32)')
        self.say(f'pltpu.sync_copy(a, out.at[{place}, 4])')
        return '\n'.join(self.lines + self.launch()) + '\n'

    def launch(self):
        name, cores, width = self.name, self.cores, self.width
        outputs = 1 if self.kind == 'devices' else cores
        mesh = dict(tensor=f'pltpu.create_tensorcore_mesh("core", num_cores={cores})', devices='pltpu.create_tensorcore_mesh("core", num_cores=1)',
                    vector=f'plsc.VectorSubcoreMesh(core_axis_name="core", subcore_axis_name="subcore", num_cores=1, num_subcores={cores})')[self.kind]
        array, regular, dma = f'pltpu.VMEM(({ROWS}, {width}), jnp.int32)', 'pltpu.SemaphoreType.REGULAR', 'pltpu.SemaphoreType.DMA'
        lines = ['', '', f'{name} = pl.kernel({name}_body, mesh={mesh},',
                 f'    out_type=(jax.ShapeDtypeStruct(({outputs}, 5, {ROWS}, {width}), jnp.int32), jax.ShapeDtypeStruct(({cores}, {ROWS}, {width}), jnp.int32),',
                 f'              jax.ShapeDtypeStruct(({cores}, 2, {ROWS}, {width}), jnp.int32)),',
                 f'    scratch_types=[{", ".join([array] * 4)}, pltpu.SMEM((8,), jnp.int32), {", ".join([regular] * 3)}, {dma}, {dma}, {dma}(({FLYING + 1},))],',
                 f'    compiler_params=pltpu.CompilerParams({"collective_id=0" if self.has_barrier else ""}))',
                 '', '', f'def {name}_tail(x_ref, o_ref, total):', '    i = pl.program_id(0)', '    @pl.when(i == 0)', '    def _():',
                 '        total[...] = jnp.zeros(total.shape, jnp.int32)', '    total[...] = total[...] * 3 + x_ref[...]', '    o_ref[...] = total[...] + i',
                 '', '', f'def {name}_all():', f'    out = {name}()[0].reshape({5 * outputs * ROWS}, {width})', f'    block = pl.BlockSpec(({ROWS}, {width}), lambda i: (i, 0))',
                 f'    return pl.pallas_call({name}_tail, grid=({5 * outputs},), in_specs=[block], out_specs=block, scratch_shapes=[pltpu.VMEM(({ROWS}, {width}), jnp.int32)],',
                 '                          out_shape=out)(out)', '', '']
        if self.kind == 'devices':
            lines += [f'{name}_devices = jax.sharding.Mesh(np.array(jax.devices()[:{cores}]), ("x",))',
                      f'{name}_all = jax.jit(jax.shard_map({name}_all, mesh={name}_devices, in_specs=(), out_specs=P("x"), check_vma=False))',
                      '', '']
        return [*lines, f'def {name}_entry(unused):', f'    return {name}_all()', '', '', f'print("{name}", {name}_all().tolist())']


def rng_rows(rng):
    return rng.choice((1, 2, 4, 8))


def make_program(seed):
    rng = random.Random(seed)
    return Program(rng, f'p{seed}', rng.choice(('tensor', 'tensor', 'vector', 'devices'))).text()


# ---- running -----------------------------------------------------------------------------------------
DEVICES = ('--devices', '3')
WAYS = [('run', '-O0', *DEVICES), ('run', '-O1', *DEVICES), ('run', '-O3', *DEVICES), *(('check', '-O1', f'--seed={seed}', *DEVICES) for seed in (1, 2, 3))]


# Made by passes and by the ends of regions, not by a statement of a program; a fused region has no effect of its own. What check alone makes of gathers,
# parallel grids, loops and arrays tells of races and computes nothing: golden/races has it. Which results are read is asked between launches inside JAX: tests/jax has it.
NOT_WRITTEN = {'fuse', 'yield', 'copy.index', 'parallel.write', 'parallel.read', 'parallel.step', 'parallel.end', 'turn', 'dies', 'result.read', 'sem.pass', 'sem.take'}


def uncovered(args, folder, seeds):
    """The ops with an effect that no program has, before the passes or after them, with checks or without."""
    table = (differential.ROOT / 'compiler' / 'ir' / 'core' / 'ops.def').read_text(encoding='utf-8')
    wanted = {match[1] for match in re.finditer(r'^OP\(\w+, "([\w.]+)", [^"]*?, (?:(?:REF|CONTROL|EFFECTFUL), |\w+, E\((?!\)))', table, re.MULTILINE)} - NOT_WRITTEN
    found = set()
    for seed in seeds:
        path = pathlib.Path(folder) / 'cover.pk'
        path.write_text(HEAD + make_program(seed))
        for options in (['--emit=trace'], ['--emit=ir'], ['--emit=ir', '--check']):
            done = subprocess.run([args.pallasc, str(path), *options, *DEVICES, '--entry', f'p{seed}_entry(i32[1])'], capture_output=True, text=True)
            found |= set(re.findall(r'[\w.]+', done.stdout)) & wanted
        if found == wanted:
            return []
    return sorted(wanted - found)


def main():
    parser = differential.parser_of(__doc__, 10000)
    parser.add_argument('--coverage', action='store_true', help='also ask whether all ops with an effect occur')
    args = parser.parse_args()
    trial = differential.Trial(args, 'effects', HEAD, make_program, WAYS)
    if args.show:
        print(trial.text([args.seed]))
        return 0
    failed, missing = trial.try_all(), []
    if args.coverage:
        with tempfile.TemporaryDirectory() as folder:
            missing = uncovered(args, folder, range(args.seed, args.seed + args.count))
    if missing:
        print(f'failed: no program has {", ".join(missing)}')
    print(f'{args.count - failed + (args.coverage and not missing)} passed, {failed + bool(missing)} failed, 0 skipped')
    return 1 if failed or missing else 0


if __name__ == '__main__':
    sys.exit(main())
