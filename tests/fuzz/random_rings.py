#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of cores that signal, wait and copy, known to end or to deadlock: does pallasc say the same?

A program is some launches, one after the other, on one device or several: of TensorCores, of vector subcores, or of scalar and vector
subcores with a body each. Each core carries out a list of steps, once or in a loop. A semaphore is waited for by its owner alone, so whether
a program ends does not depend on who runs when, and a simulation of the lists gives the verdict. Barrier semaphores live from launch to
launch. Those that end print what is left of counts and how many elements have not come as sent: zeros, where nothing was damaged. Each
program runs on worker threads and with several seeds. Programs that fail are kept (--keep DIR). The last line is
`N passed, N failed, N skipped`.
"""
import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SEMS = 3
HEAD = '''import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu, tpu_sc as plsc


def look_until(sem, count):
    jax.lax.while_loop(lambda n: n < count, lambda n: pl.semaphore_read(sem), 0)
    pl.semaphore_wait(sem, count)


def keep_and_take(sem, count):
    pl.semaphore_wait(sem, count, decrement=False)
    pl.semaphore_wait(sem, count)


def scoped(turns):
    def body(sem):
        pl.semaphore_signal(sem, 2)
        pl.semaphore_wait(sem, 1)
        look_until(sem, 1)
    jax.lax.fori_loop(0, turns, lambda i, c: pl.run_scoped(body, pltpu.SemaphoreType.REGULAR) or c, 0)


def work(turns, seed):
    return jax.lax.fori_loop(0, turns, lambda i, x: x * 1103515245 + 12345, seed)
'''

# kind: of cores. lists: steps of each core, of all devices. repeat: how often a core goes through its list. damaged: counts may be left.
Launch = collections.namedtuple('Launch', 'kind lists repeat barrier skip damaged')
# cores: of a device. scalars: those of them that are scalar subcores; they come first.
Shape = collections.namedtuple('Shape', 'kind devices cores scalars')
WAITS = ('wait', 'wait', 'poll', 'keep')


# ---- programs ------------------------------------------------------------------------------------
def make_steps(rng, shape, has_barrier):
    """Rings of tokens, cut into lists; then maybe damaged."""
    total = shape.devices * shape.cores
    lists = [[] for _ in range(total)]
    can_copy = shape.kind == 'tensor'
    for _ in range(rng.randint(1, 4)):
        ring = rng.sample(range(total), rng.randint(1, total))
        sem, is_copy, is_barrier = rng.randrange(SEMS), can_copy and rng.random() < 0.4, has_barrier and rng.random() < 0.4
        if is_barrier:
            sem = 'barrier'
        for i, core in enumerate(ring):
            target = ring[(i + 1) % len(ring)]
            many = rng.randint(1, 3)
            if is_copy:
                number = 1 + sum(step[:2] == ('copy', target) for step in lists[core])
                lists[core].append(('copy', target, number))
                lists[target].append(('arrive', core))
                continue
            lists[core].append(('signal', target, sem, many))
            lists[target].append((rng.choice(WAITS), sem, many))
    for steps in lists:
        if rng.random() < 0.2:
            steps.insert(rng.randint(0, len(steps)), ('scoped', rng.randint(1, 4)))
        if rng.random() < 0.2:
            steps.insert(rng.randint(0, len(steps)), ('work', rng.choice((100, 3000, 100000))))
    return lists, [damage(rng, lists) for _ in range(rng.choice((0, 0, 0, 1, 2)))]


def damage(rng, lists):
    steps = rng.choice([steps for steps in lists if steps])
    how = rng.randrange(4)
    if how == 0:
        rng.shuffle(steps)
    elif how == 1 and len(steps) > 1:
        steps.pop(rng.randrange(len(steps)))
    elif how == 2:
        steps.append((rng.choice(WAITS), rng.randrange(SEMS), 1))
    else:
        steps.insert(0, ('signal', rng.randrange(len(lists)), rng.randrange(SEMS), 1))
    return how


def make_program(rng):
    kind = rng.choice(('tensor', 'tensor', 'tensor', 'vector', 'both'))
    devices = rng.choice((1, 1, 2, 3))
    if kind == 'tensor':
        shape = Shape(kind, devices, rng.randint(2, 5), 0)
    else:
        shape = Shape(kind, 1, rng.choice((2, 4)) + (kind == 'both'), int(kind == 'both'))
    kernels = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        barrier = kind == 'tensor' and rng.random() < 0.4
        lists, damages = make_steps(rng, shape, barrier)
        barrier = any('barrier' in step for steps in lists for step in steps)
        kernels.append(Launch(kind, lists, rng.choice((1, 1, 3)), barrier, rng.random() < 0.5, bool(damages)))
    return shape, kernels, [rng.randrange(len(kernels)) for _ in range(len(kernels) + rng.choice((0, 1)))]


# ---- what they do ----------------------------------------------------------------------------------
class Core:
    def __init__(self, device):
        self.device, self.launch, self.at = device, 0, 0


def simulate(shape, launches):
    """It ends."""
    cores = [Core(i // shape.cores) for i in range(shape.devices * shape.cores)]
    counts = collections.Counter()
    moved = True
    while moved:
        moved = False
        for number, core in enumerate(cores):
            while core.launch < len(launches) and step_once(launches, counts, number, core):
                moved = True
        for device in range(shape.devices):
            mine = [core for core in cores if core.device == device]
            launch = mine[0].launch
            if launch < len(launches) and all(core.at == len(steps_of(launches, launch, n)) for n, core in enumerate(cores) if core.device == device):
                for core in mine:
                    core.launch, core.at = launch + 1, 0
                moved = True
    return all(core.launch == len(launches) for core in cores)


def steps_of(launches, launch, number):
    return launches[launch].lists[number] * launches[launch].repeat


def step_once(launches, counts, number, core):
    steps = steps_of(launches, core.launch, number)
    if core.at == len(steps):
        return False
    what, *rest = steps[core.at]

    def place(owner, sem):
        return (owner, sem) if sem == 'barrier' else (owner, sem, core.launch)
    if what == 'signal':
        counts[place(rest[0], rest[1])] += rest[2]
    elif what == 'copy':
        counts[place(rest[0], ('from', number))] += 1
    elif what in ('wait', 'poll', 'keep', 'arrive'):
        sem, many = (('from', rest[0]), 1) if what == 'arrive' else rest
        if counts[place(number, sem)] < many:
            return False
        counts[place(number, sem)] -= many
    core.at += 1
    return True


# ---- their text --------------------------------------------------------------------------------------
def target_of(shape, core, by_scalar):
    device, own = divmod(core, shape.cores)
    if shape.kind == 'tensor':
        fields = {'x': device, 'core': own} if shape.devices > 1 else {'core': own}
    elif own < shape.scalars:
        fields = {'core': 0}
    else:
        fields = {'subcore': own - shape.scalars} if by_scalar else {'core': 0, 'subcore': own - shape.scalars}
    return f'device_id={fields}'


def sems_of(shape, core):
    return 'scalar_sems' if core % shape.cores < shape.scalars else 'sems'


def step_text(shape, step, core):
    what, *rest = step
    if what == 'signal':
        sem = 'pltpu.get_barrier_semaphore()' if rest[1] == 'barrier' else f'{sems_of(shape, rest[0])}.at[{rest[1]}]'
        return f'pl.semaphore_signal({sem}, {rest[2]}, {target_of(shape, rest[0], core % shape.cores < shape.scalars)})'
    if what in WAITS:
        sem = 'pltpu.get_barrier_semaphore()' if rest[0] == 'barrier' else f'{sems_of(shape, core)}.at[{rest[0]}]'
        return f'{dict(wait="pl.semaphore_wait", poll="look_until", keep="keep_and_take")[what]}({sem}, {rest[1]})'
    if what == 'copy':
        return f'pltpu.make_async_remote_copy(source.at[{rest[1]}], box.at[{core}], sent, come.at[{core}], {target_of(shape, rest[0], False)}).start()'
    if what == 'arrive':
        return f'pltpu.make_async_copy(source.at[0], box.at[{rest[0]}], come.at[{rest[0]}]).wait()'
    if what == 'scoped':
        return f'scoped({rest[0]})'
    return f'spent[0] = work({rest[0]}, spent[0])' if shape.kind == 'tensor' else f'scoped({rest[0] // 100})'


def core_text(shape, launch, core, number):
    """What one core does, indented for the kernel's body."""
    steps = launch.lists[core]
    if not steps:
        return []
    lines = ['', f'    @pl.when(me == {number})', '    def _():']
    indent = '        '
    if launch.repeat > 1:
        lines += [f'{indent}@pl.loop(0, {launch.repeat})', f'{indent}def _(turn):']
        indent += '    '
    lines += [indent + step_text(shape, step, core) for step in steps]
    lines += [f'{indent}pltpu.make_async_copy(source.at[0], source.at[0], sent).wait()'] * sum(step[0] == 'copy' for step in steps)
    if not launch.damaged:
        last = {step[1]: None for step in steps if step[0] == 'arrive'}
        for sender in last:
            number = max(step[2] for step in launch.lists[sender] if step[:2] == ('copy', core))
            lines.append(f'        counts[{SEMS}] += jnp.sum((box[{sender}] != {number}).astype(jnp.int32))')
    return lines


def tensor_kernel(shape, launch, name):
    number = f'jax.lax.axis_index("x") * {shape.cores} + jax.lax.axis_index("core")' if shape.devices > 1 else 'jax.lax.axis_index("core")'
    total = shape.devices * shape.cores
    rows = 1 + max([step[2] for steps in launch.lists for step in steps if step[0] == 'copy'], default=0)
    lines = ['', '', f'def {name}(o_ref, counts, spent, source, box, sems, sent, come, local):', f'    me = {number}', '    spent[0] = me', f'    counts[{SEMS}] = 0']
    lines += [f'    source[{row}] = jnp.full((8, 128), {row}, jnp.float32)' for row in range(rows)]
    for core in range(total):
        lines += core_text(shape, launch, core, core)
    lines += [''] + [f'    counts[{i}] = pl.semaphore_read(sems.at[{i}])' for i in range(SEMS)]
    lines.append(f'    pltpu.async_copy(counts, o_ref.at[me % {shape.cores}], local).wait()')
    dma = 'pltpu.SemaphoreType.DMA'
    scratch = (f'[pltpu.SMEM(({SEMS + 1},), jnp.int32), pltpu.SMEM((1,), jnp.int32), pltpu.VMEM(({rows}, 8, 128), jnp.float32), '
               f'pltpu.VMEM(({total}, 8, 128), jnp.float32), pltpu.SemaphoreType.REGULAR(({SEMS},)), {dma}, {dma}(({total},)), {dma}]')
    params = 'collective_id=0' if launch.barrier else 'skip_device_barrier=True' if launch.skip else ''
    lines += ['', '', f'{name} = pl.kernel({name}, mesh=pltpu.create_tensorcore_mesh("core", num_cores={shape.cores}), '
              f'out_type=jax.ShapeDtypeStruct(({shape.cores}, {SEMS + 1}), jnp.int32), scratch_types={scratch}, '
              f'compiler_params=pltpu.CompilerParams({params}))']
    return lines


def subcore_kernel(shape, launch, name):
    """Vector subcores, or these and their scalar subcore. What is left of all counts together is printed for each."""
    vectors = shape.cores - shape.scalars
    lines = ['', '', f'vectors = plsc.VectorSubcoreMesh(core_axis_name="core", subcore_axis_name="subcore", num_cores=1, num_subcores={vectors})',
             'scalars = plsc.ScalarSubcoreMesh(axis_name="core", num_cores=1)']
    both = ', scalar_sems' if shape.scalars else ''
    bodies = []
    for kind, first, end in (('scalar', 0, shape.scalars), ('vector', shape.scalars, shape.cores)):
        if first == end:
            continue
        bodies.append(f'{name}_{kind}')
        lines += ['', '', f'def {name}_{kind}(o_ref, sems{both}, row):', f'    me = {"0" if kind == "scalar" else "jax.lax.axis_index(" + repr("subcore") + ")"}']
        for core in range(first, end):
            lines += core_text(shape, launch, core, core - first)
        if kind == 'vector':
            left = ' + '.join(f'pl.semaphore_read(sems.at[{i}])' for i in range(SEMS))
            lines += ['', f'    row[...] = jnp.full(row.shape, {left}, jnp.int32)', '    pltpu.sync_copy(row, o_ref.at[me])']
    lanes = 'plsc.get_sparse_core_info().num_lanes'
    sem = f'pltpu.SemaphoreType.REGULAR(({SEMS},))'
    if shape.scalars:
        how = f'body=[{", ".join(bodies)}], mesh=[scalars, vectors]'
        scratch = f'[{sem} @ vectors, {sem} @ scalars, (pltpu.VMEM @ vectors)(({lanes},), jnp.int32)]'
    else:
        how, scratch = f'{bodies[0]}, mesh=vectors', f'[{sem}, pltpu.VMEM(({lanes},), jnp.int32)]'
    return lines + ['', '', f'{name} = pl.kernel({how}, out_type=jax.ShapeDtypeStruct(({vectors}, {lanes}), jnp.int32), scratch_types={scratch})']


def program_text(shape, kernels, order):
    lines = [HEAD.rstrip('\n')]
    for i, kernel in enumerate(kernels):
        lines += (tensor_kernel if shape.kind == 'tensor' else subcore_kernel)(shape, kernel, f'kernel{i}')
    lines += ['', '', 'def f():', f'    return {", ".join(f"kernel{i}()" for i in order)},', '', '']
    if shape.devices > 1:
        lines.append(f'devices = jax.make_mesh(({shape.devices},), ("x",))')
        lines.append('f = jax.jit(jax.shard_map(f, mesh=devices, in_specs=(), out_specs=P("x"), check_vma=False))')
    else:
        lines.append('f = jax.jit(f)')
    lines.append('print([left.tolist() for left in f()])')
    return '\n'.join(lines) + '\n'


# ---- the verdict -------------------------------------------------------------------------------------
def run(args, path, devices, option):
    command = [args.pallasc, 'run', '-O1', '--devices', str(devices), option, str(path)]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=args.timeout)
    except subprocess.TimeoutExpired:
        return None


def judge(done, ends, is_whole):
    if done is None:
        return 'it hangs'
    if not ends:
        return '' if done.returncode == 1 and 'deadlock' in done.stderr else f'no deadlock is told: status {done.returncode}\n{done.stderr[-600:]}'
    if done.returncode:
        return f'status {done.returncode}\n{done.stderr[-1500:]}'
    # In a damaged program signals may come behind a core's last step.
    good = done.stdout.startswith('[[') and not (is_whole and re.search('[1-9]', done.stdout))
    return '' if good else f'it prints {done.stdout!r}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pallasc', default=str(pathlib.Path(__file__).resolve().parents[2] / 'build' / 'pallasc'), metavar='PATH')
    parser.add_argument('--count', type=int, default=20, metavar='N')
    parser.add_argument('--seed', type=int, default=0, metavar='N', help='of the first program')
    parser.add_argument('--timeout', type=float, default=600, metavar='SECONDS', help='for one run, which is then said to hang')
    parser.add_argument('--keep', metavar='DIR', help='put the programs that fail here')
    args = parser.parse_args()
    passed = failed = verdicts = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            shape, kernels, order = make_program(random.Random(seed))
            launches = [kernels[i] for i in order]
            ends = simulate(shape, launches)
            verdicts += ends
            text = program_text(shape, kernels, order)
            path = pathlib.Path(folder) / f'rings_{seed}.pk'
            path.write_text(text)
            wrong = ''
            for option in ('--threads=1', '--threads=2', '--threads=8', '--seed=1', f'--seed={seed}'):
                wrong = judge(run(args, path, shape.devices, option), ends, not any(launch.damaged for launch in launches))
                if wrong:
                    wrong = f'{option}: {wrong}'
                    break
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f'failed: program {seed} ({"ends" if ends else "deadlocks"}): {wrong}', flush=True)
                if args.keep:
                    pathlib.Path(args.keep, path.name).write_text(text)
    print(f'{verdicts} of {args.count} end')
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
