# SPDX-License-Identifier: Apache-2.0
"""Programs of random_races.py as text."""
import zlib

from races_oracle import COLUMNS, EDGES, ENDS, MOST_CELLS, REGIONS, ROWS, SEMS, WHOLE, size_of

# The row numbers that a row of the array of indices has.
INDICES = sorted({(region.first, region.rows, region.stride) for region in REGIONS})
HEAD = '''import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc

I = jnp.int32
LANES = plsc.get_sparse_core_info().num_lanes
INDICES = %s


def rows_of(k):
    first, rows, stride = INDICES[k]
    return first + stride * lax.rem(jnp.arange(128), rows)
''' % INDICES

# ---- its text ------------------------------------------------------------------------------------------
def index_text(region, more=''):
    rows = f'pl.ds({more}{region.first}, {region.rows}{f", {region.stride}" if region.stride > 1 else ""})'
    return rows if region.columns == COLUMNS else f'{rows}, pl.ds({128 * region.column}, {128 * region.columns})'


def view_text(part, form=0):
    """The part as a view, in one of several ways to say it."""
    array, region = part.array, part.region
    first, rows, stride, column, columns = region[:5]
    last = first + (rows - 1) * stride
    is_run = stride == 1 and columns == COLUMNS
    whole = array if region == WHOLE else f'{array}.at[{index_text(region)}]'
    steps = f'pl.ds(0, {rows}{f", {stride}" if stride > 1 else ""})'
    return [whole, f'{array}.at[pl.ds({first}, {last - first + 1})].at[{index_text(region._replace(first=0))}]',
            f'{array}.at[:, pl.ds({128 * column}, {128 * columns})].at[pl.ds({first}, {ROWS - first})].at[{steps}]',
            f'{array}.reshape({ROWS * COLUMNS}, 128).at[pl.ds({first * COLUMNS}, {rows * COLUMNS})].reshape({rows}, {128 * COLUMNS})' if is_run else whole,
            f'{array}.bitcast(jnp.int16).at[pl.ds({2 * first}, {2 * rows}), pl.ds({128 * column}, {128 * columns})].bitcast(I)' if stride == 1 else whole,
            f'{array}.at[{index_text(region, "zero + ")}]'][form % 6]


def columns_text(region):
    """Behind the index of the rows."""
    return f', pl.ds({128 * region.column}, {128 * region.columns})'


def load_text(part, form, kind):
    """A value of 128 columns that depends on all cells of the part."""
    array, region = part.array, part.region
    if array == 'i':
        return f'jnp.sum(iv[{region.first}])'
    if array == 'm':
        return f'words[{region.first}]'
    columns = columns_text(region)
    if form % 4 == 1:
        return f'jnp.sum({view_text(part, form // 4)}[...])'
    if form % 4 == 2:
        return f'lax.fori_loop(0, {region.rows}, lambda k, n: n + jnp.sum({array}[pl.ds({region.first} + {region.stride} * k, 1){columns}]), I(0))'
    if form % 4 == 3 and kind == 'subcores':
        lane = f'lax.rem(lax.iota(I, LANES), {size_of(region)})'
        row, column = f'{region.first} + {region.stride} * ({lane} // {region.columns})', f'128 * ({region.column} + {lane} % {region.columns})'
        return f'jnp.sum(plsc.load_gather({array}, [{row}, {column}]))'
    return f'jnp.sum({array}[{index_text(region)}])'


def store_text(part, form, number):
    array, region = part.array, part.region
    if array == 'i':
        return f'iv[{region.first}] = rows_of({region.first})'
    if array == 'm':
        return f'words[{region.first}] = {number}'
    shape = f'({region.rows}, {128 * region.columns})'
    if form % 4 == 1:
        return f'{view_text(part, form // 4)}[...] = jnp.full({shape}, {number}, I)'
    if form % 4 == 2:
        place = f'{array}.at[pl.ds({region.first} + {region.stride} * k, 1){columns_text(region)}]'
        return f'lax.fori_loop(0, {region.rows}, lambda k, n: [pltpu.store({place}, jnp.full((1, {128 * region.columns}), {number}, I)), n][1], 0)'
    if form % 4 == 3:
        rows, columns = f'lax.broadcasted_iota(I, ({ROWS}, {128 * COLUMNS}), 0)', f'lax.broadcasted_iota(I, ({ROWS}, {128 * COLUMNS}), 1) // 128'
        of_rows = f'({rows} - {region.first}) % {region.stride} == 0) & ({rows} >= {region.first}) & ({rows} <= {region.first + (region.rows - 1) * region.stride}'
        mask = f'({of_rows}) & ({columns} >= {region.column}) & ({columns} < {region.column + region.columns})'
        return f'pltpu.store({array}, jnp.full(({ROWS}, {128 * COLUMNS}), {number}, I), mask={mask})'
    return f'{array}[{index_text(region)}] = jnp.full({shape}, {number}, I)'




AXES = {'devices': '"x"', 'devices in flight': '"x"', 'launches of devices': '"x"', 'cores': '"core"', 'subcores': '"core": 0, "subcore"', 'launches of subcores': '"core": 0, "subcore"'}
LAUNCHES = {'launches': 'cores', 'launches of subcores': 'subcores', 'launches of devices': 'devices'}     # and what each of them is
IN_FLIGHT = 'in flight', 'devices in flight'
TURNS = 4       # of a loop


def device_text(shape, core):
    if shape.kind == 'pods':
        return f'device_id={{"x": {core // 2}, "core": {core % 2}}}'
    return f'device_id={{{AXES.get(shape.kind, AXES["cores"])}: {core}}}'


def op_text(shape, op, number):
    """`number` of the operation in its list: it chooses among ways to say the same."""
    device = '' if op.core is None else device_text(shape, op.core)
    form = zlib.crc32(repr((number, op)).encode()) if not op.body and shape.kind not in IN_FLIGHT else 0
    kind = LAUNCHES.get(shape.kind, shape.kind)
    said = op.body[1] if op.body else {}
    sem, sent = (text if (text := said.get(name)) else of if of is None else f'{of % SEMS}' for name, of in (('sem', op.sem), ('sent', op.sent)))
    if op.what == 'read':
        return 't[...] += ' + (f'jnp.sum({said["target"]}[...])' if said else load_text(op.target, form, kind))
    if op.what == 'write':
        return f'{said["target"]}[...] = jnp.full((1, {128 * COLUMNS}), i, I)' if said else store_text(op.target, form, number)
    if op.what == 'atomic':
        return f'plsc.fetch_and_add(words.at[{op.target.region.first}], 1, subcore_id={op.target.core})'
    if op.what == 'copy':
        forms = (0, 1, 2, 5) if op.sent is not None or op.units else range(6)   # those that keep shape and type
        source, target = (said.get(name) or view_text(part, forms[form // by % len(forms)]) for name, part, by in (('source', op.source, 1), ('target', op.target, 8)))
        if op.units:
            region = op.target.region
            target = f'{op.target.array}.at[{region.first} + {region.stride} * jnp.arange({region.rows})]'
            return f'pltpu.make_async_copy({source}, {target}, dma.at[{sem}]).start(add=True)'
        if op.index:
            rows = f'iv.at[{op.index.region.first}, pl.ds(0, {op.source.region.rows})]'
            source = f'{op.source.array}.at[{rows}]'
        if op.sent is None:
            return f'pltpu.make_async_copy({source}, {target}, dma.at[{sem}]).start()'
        return f'pltpu.make_async_remote_copy({source}, {target}, dma.at[{sent}], dma.at[{sem}], {device}).start()'
    if op.what == 'signal':
        return f'pl.semaphore_signal(s.at[{sem}], {op.units}{"" if shape.kind == "parallel" else f", {device}"})'
    if op.what == 'fetched':
        cells = f'cells.at[pl.ds(0, {op.units})]'
        return f'pltpu.make_async_copy({cells}, {cells}, dma.at[{sem}]).wait()'
    if op.what in ('poll', 'sum'):
        other = f' + {op.core} * pl.semaphore_read(s.at[{sent}])' if op.what == 'sum' else ''
        loop = f'lax.while_loop(lambda _: pl.semaphore_read(s.at[{sem}]){other} < {op.units}, lambda c: c, 0)'
        # pallas_call leaves out a loop that only reads, unless its result is used.
        return f't[...] += pl.run_scoped(lambda _: {loop}, pltpu.SemaphoreType.REGULAR)' if shape.kind == 'parallel' else loop
    return f'pl.semaphore_wait(s.at[{sem}], {op.units}{", decrement=False" if op.what == "keep" else ""})'


def has_scope(lists):
    return any(op.what == 'enter' for ops in lists for op in ops)


def phase_of(ops, at):
    """Before the scope, in it, behind it; or before each barrier and behind the last; None: its begin or end, or a barrier."""
    if ops[at].what in (*EDGES, *ENDS):
        return None
    return sum(op.what in (*EDGES, *ENDS) for op in ops[:at])


def table(numbers):
    """The number of step i."""
    text = str(numbers[-1])
    for step, number in reversed(list(enumerate(numbers[:-1]))):
        text = f'jnp.where(i == {step}, {number}, {text})'
    return text


class Text:
    """The lines of a program, and of each operation the line it is on, by (core, number)."""

    def __init__(self, shape, lists, first_line):
        self.shape, self.lists, self.first_line = shape, lists, first_line
        self.lines, self.line_of = [], {}

    def put_phase(self, phase, indent):
        chooses = self.shape.kind != 'in flight'
        for core, ops in enumerate(self.lists):
            chosen = [(at, op) for at, op in enumerate(ops) if phase_of(ops, at) == phase]
            if chosen and chooses:
                self.lines += ['', f'{indent}@pl.when(me == {core})', f'{indent}def _():']
            self.put_ops(core, chosen, indent + '    ' * chooses)

    def put_ops(self, core, chosen, indent):
        bodies = {}
        for at, op in chosen:
            if op.body:
                bodies.setdefault(op.body[0], []).append((at, op))
        for at, op in chosen:
            if op.body is None:
                self.put_op([(core, at)], op, at, indent)
            elif bodies:
                self.lines += ['', f'{indent}@pl.loop(0, {TURNS})', f'{indent}def _(i):']
                for _, turns in sorted(bodies.items()):
                    last = turns[0][1].body[1]['last']
                    self.lines += [f'{indent}    @pl.when(i < {last})', f'{indent}    def _():'] if last is not None else []
                    self.put_op([(core, at) for at, _ in turns], turns[0][1], at, indent + '    ' * (1 if last is None else 2))
                bodies = {}

    def put_op(self, places, op, number, indent):
        for place in places:
            self.line_of[place] = self.first_line + len(self.lines)
        self.lines.append(indent + op_text(self.shape, op, number))

    def put_pipeline(self, indent):
        """All of a list that has one: what its steps do, and what is in front of it and behind it."""
        ops, step, inside = self.lists[0], -1, []
        for at, op in enumerate(ops):
            if op.what == 'begin pipeline':
                pipeline, outer, indent = op, indent, indent + '    '
                self.lines += ['', f'{outer}def step(x, y):', f'{indent}y[...] = x[...]']
            elif op.what == 'step':
                step += 1
                if ops[at + 1].what == 'end step':
                    continue
                self.lines += ['', f'{indent}@pl.when(pl.program_id(0) == {step})', f'{indent}def _():']
            elif op.what == 'end pipeline':
                indent = outer
                specs = [f'[pl.BlockSpec((1, {128 * COLUMNS}), lambda i: ({table(rows)}, 0))]' for rows in (pipeline.source[1], pipeline.target[1])]
                for place in inside:
                    self.line_of[place] = self.first_line + len(self.lines)
                self.lines.append(f'{indent}pltpu.emit_pipeline(step, grid=({step + 1},), in_specs={specs[0]}, out_specs={specs[1]})({pipeline.source[0]}, {pipeline.target[0]})')
            elif op.units == 'window':
                inside.append((0, at))
            elif op.what != 'end step' and not isinstance(op.sem, str):
                self.put_op([(0, at)], op, at, indent + ('    ' if indent != '    ' else ''))

    def put_head(self, name, sets_h):
        """Up to where all are there, and have written their memory, and h if it is to be."""
        kind, cores, axis = LAUNCHES.get(self.shape.kind, self.shape.kind), self.shape.cores, AXES.get(self.shape.kind, AXES['cores']).split()[-1]
        more = ', iv, words' * (kind == 'subcores')
        lines = ['', '', f'def {name}({"first, " if kind == "parallel" else ""}h, out, {"g, " * (kind == "pipeline")}a, b, cells, t, s, dma, ready, local{more}):',
                 '    me = pl.program_id(0)' if kind == 'parallel' else '    me = lax.axis_index("x") * 2 + lax.axis_index("core")' if kind == 'pods' else f'    me = lax.axis_index({axis})',
                 '    zero = me // 8',
                 '    a[...] = jnp.full(a.shape, 1, I)', '    b[...] = jnp.full(b.shape, 2, I)', '    t[...] = jnp.zeros(t.shape, I)']
        if sets_h:
            first = ['    pltpu.async_copy(a, h, local).wait()']
            first += ['    pltpu.async_copy(a, g, local).wait()'] * (kind == 'pipeline')
            lines += first if kind == 'devices' else ['', f'    @pl.when(me{" % 2" * (kind == "pods")} == 0)', '    def _():', *('    ' + line for line in first)]
        if kind == 'subcores':
            lines += [f'    for k in range({len(INDICES)}):', '        iv[k] = rows_of(k)', '    for k in range(2):', '        words[k] = 0', '    plsc.subcore_barrier()']
        elif kind != 'parallel':
            device = '"x": k // 2, "core": k % 2' if kind == 'pods' else f'{axis}: k'
            lines += [f'    for k in range({cores}):', f'        pl.semaphore_signal(ready, 1, device_id={{{device}}})', f'    pl.semaphore_wait(ready, {cores})']
        self.lines += lines

    def put_scope(self):
        self.lines += ['', '    def scope(c):']
        self.put_phase(1, '        ')
        self.line_of.update({(core, at): self.first_line + len(self.lines) for core, ops in enumerate(self.lists) for at, op in enumerate(ops) if op.what in EDGES})
        self.lines.append(f'    pl.run_scoped(scope, pltpu.VMEM(({ROWS}, {128 * COLUMNS}), I))')
        self.put_phase(2, '    ')

    def put_call(self, name):
        """The call of a kernel that makes h, or (of two launches) is given it."""
        kind, cores = LAUNCHES.get(self.shape.kind, self.shape.kind), self.shape.cores
        array, regular, dma = f'pltpu.VMEM(({ROWS}, {128 * COLUMNS}), I)', 'pltpu.SemaphoreType.REGULAR', 'pltpu.SemaphoreType.DMA'
        more = f', pltpu.VMEM(({len(INDICES)}, 128), I), pltpu.SMEM((2,), I)' * (kind == 'subcores')
        scratch = [f'[{array}, {array}, pltpu.VMEM(({MOST_CELLS}, 128), I), pltpu.VMEM((1, 128), I), {regular}(({SEMS},)), {dma}(({SEMS},)),', f'                   {regular}, {dma}{more}])']
        of_device = {'devices': 1, 'pods': 2}.get(kind, cores)
        h, out = f'jax.ShapeDtypeStruct(({ROWS}, {128 * COLUMNS}), I)', f'jax.ShapeDtypeStruct(({of_device}, 1, 128), I)'
        self.lines += ['', '']
        if kind == 'parallel':
            self.lines += [f'{name} = pl.pallas_call({name}, ({h}, {out}), grid=({cores},), in_specs=[pl.BlockSpec(memory_space=pl.ANY)],',
                           '    out_specs=(pl.BlockSpec(memory_space=pl.ANY), pl.BlockSpec(memory_space=pl.ANY)), input_output_aliases={0: 0},',
                           '    compiler_params=pltpu.CompilerParams(dimension_semantics=("parallel",)),', f'    scratch_shapes={scratch[0]}', scratch[1]]
            return
        mesh = f'pltpu.create_tensorcore_mesh("core", num_cores={of_device})' if kind != 'subcores' else \
            f'plsc.VectorSubcoreMesh(core_axis_name="core", subcore_axis_name="subcore", num_cores=1, num_subcores={cores})'
        outs = out if self.shape.kind in LAUNCHES else ', '.join(['(' + h, out, *[h] * (kind == 'pipeline')]) + ')'
        self.lines += [f'{name} = pl.kernel({name}, mesh={mesh},', f'    out_type={outs},', f'    scratch_types={scratch[0]}', scratch[1]]
        if kind in ('devices', 'pods') and self.shape.kind not in LAUNCHES:
            self.lines += [f'{name} = jax.jit(jax.shard_map({name}, mesh={self.mesh_text()}, in_specs=(), out_specs=P("x"),', '                         check_vma=False))']

    def mesh_text(self):
        devices = 2 if self.shape.kind == 'pods' else self.shape.cores
        return f'jax.sharding.Mesh(np.array(jax.devices()[:{devices}]), ("x",))'

    def put_in_flight(self, name):
        """The launches of a program that share memory and semaphores."""
        cores = self.shape.cores
        self.lines += ['', '', f'def {name}():']
        self.lines += [f'    {ref} = jax.new_ref(jnp.ones(({rows}, {128 * columns}), I))' for ref, rows, columns in (('h', ROWS, COLUMNS), ('g', ROWS, COLUMNS), ('cells', MOST_CELLS, 1))]
        self.lines.append(f'    dma = pl.empty_ref_like(pltpu.SemaphoreType.DMA(({SEMS},)))')
        for phase in range(1 + sum(op.what in ENDS for op in self.lists[0])):
            self.lines += ['', '    @pl.core_map(pltpu.create_tensorcore_mesh("core", num_cores=1))', '    def _():', '        lax.axis_index("core")']
            self.lines += ['        me = lax.axis_index("x")'] if cores > 1 else []
            self.put_phase(phase, '        ')
        self.lines += ['    return h[...], g[...]', '', '']
        mesh = f'mesh={self.mesh_text()}, in_specs=(), out_specs=P("x"), check_vma=False'
        self.lines.append(f'print("{name} has ended", jax.jit({name if cores == 1 else f"jax.shard_map({name}, {mesh})"})()[1].size)')

    def put_end(self):
        own = {'devices': '0', 'launches of devices': '0', 'pods': 'me % 2'}.get(self.shape.kind, 'me')
        self.lines += ['', f'    pltpu.async_copy(t, out.at[{own}], local).wait()']


def program_text(name, shape, lists, first_line):
    text = Text(shape, lists, first_line)
    if shape.kind in IN_FLIGHT:
        text.put_in_flight(name)
        return text.lines, text.line_of
    text.put_head(name, shape.kind not in ('parallel', *LAUNCHES))
    if shape.kind == 'pipeline':
        text.put_pipeline('    ')
    else:
        text.put_phase(0, '    ')
    barriers = sum(op.what == 'sync' for op in lists[0])
    if shape.kind in LAUNCHES:
        text.put_end()
        text.put_call(name)
        text.put_head(f'{name}_second', False)
        text.put_phase(1, '    ')
        text.put_end()
        text.put_call(f'{name}_second')
        h = f'{name}_h'
        if shape.kind == 'launches of devices':
            text.lines += ['', '', f'def {name}_both():', f'    h = jax.new_ref(jnp.ones(({ROWS}, {128 * COLUMNS}), I))', f'    return {name}(h), {name}_second(h)', '', '',
                           f'print("{name} has ended", jax.jit(jax.shard_map({name}_both, mesh={text.mesh_text()}, in_specs=(), out_specs=P("x"), check_vma=False))()[1].size)']
            return text.lines, text.line_of
        text.lines += [f'{h} = jax.new_ref(jnp.ones(({ROWS}, {128 * COLUMNS}), I))', f'print("{name} has ended", jax.jit(lambda: ({name}({h}), {name}_second({h})))()[1].size)']
        return text.lines, text.line_of
    if has_scope(lists):
        text.put_scope()
    for number in range(barriers):
        text.lines.append('    plsc.subcore_barrier()')
        text.put_phase(number + 1, '    ')
    text.put_end()
    text.put_call(name)
    argument = f'jnp.ones(({ROWS}, {128 * COLUMNS}), I)' if shape.kind == 'parallel' else ''
    text.lines.append(f'print("{name} has ended", {name}({argument})[1].size)')
    return text.lines, text.line_of
