#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of cores that signal, wait and copy, known to end or to deadlock: does pallasc say the same?

Each core carries out a list of steps. A semaphore is waited for by its owner alone, so whether a program ends does not depend on who runs
when, and a simulation of the lists gives the verdict. Those that end print counts that are known as well. Each program runs on worker
threads and with several seeds. Programs that fail are kept (--keep DIR). The last line is `N passed, N failed, N skipped`.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

SEMS = 3
HEAD = '''import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
'''


def make_steps(rng, cores):
    """Rings of tokens, cut into lists; then maybe damaged."""
    lists = [[] for _ in range(cores)]
    for _ in range(rng.randint(1, 4)):
        ring = rng.sample(range(cores), rng.randint(1, cores))
        sem, is_copy = rng.randrange(SEMS), rng.random() < 0.4
        for i, core in enumerate(ring):
            target = ring[(i + 1) % len(ring)]
            send = ('copy', target) if is_copy else ('signal', target, sem, rng.randint(1, 3))
            wait = ('arrive',) if is_copy else ('wait', sem, send[3])
            lists[core].append(send)
            lists[target].append(wait)
    for _ in range(rng.choice((0, 0, 1, 2))):
        steps = rng.choice([steps for steps in lists if steps])
        damage = rng.randrange(4)
        if damage == 0:
            rng.shuffle(steps)
        elif damage == 1 and len(steps) > 1:
            steps.pop(rng.randrange(len(steps)))
        elif damage == 2:
            steps.append(('wait', rng.randrange(SEMS), 1))
        else:
            steps.insert(0, ('signal', rng.randrange(len(lists)), rng.randrange(SEMS), 1))
    return lists


def simulate(lists):
    """(it ends, what is left of each core's semaphores)."""
    at = [0] * len(lists)
    counts = [[0] * SEMS for _ in lists]
    arrived = [0] * len(lists)
    moved = True
    while moved:
        moved = False
        for core, steps in enumerate(lists):
            while at[core] < len(steps):
                step = steps[at[core]]
                if step[0] == 'signal':
                    counts[step[1]][step[2]] += step[3]
                elif step[0] == 'copy':
                    arrived[step[1]] += 1
                elif step[0] == 'wait':
                    if counts[core][step[1]] < step[2]:
                        break
                    counts[core][step[1]] -= step[2]
                elif arrived[core] == 0:
                    break
                else:
                    arrived[core] -= 1
                at[core] += 1
                moved = True
    return all(at[core] == len(steps) for core, steps in enumerate(lists)), counts


def step_text(step, over_devices, per_device):
    def target(core):
        if over_devices:
            return f'device_id={{"x": {core // per_device}, "core": {core % per_device}}}'
        return f'device_id={{"core": {core}}}'
    if step[0] == 'signal':
        return f'pl.semaphore_signal(sems.at[{step[2]}], {step[3]}, {target(step[1])})'
    if step[0] == 'wait':
        return f'pl.semaphore_wait(sems.at[{step[1]}], {step[2]})'
    if step[0] == 'copy':
        return f'pltpu.make_async_remote_copy(mine, box, sent, come, {target(step[1])}).start()'
    return 'pltpu.make_async_copy(mine, box, come).wait()'


def program(lists, devices):
    per_device = len(lists) // devices
    over = devices > 1
    lines = [HEAD, f'mesh = pltpu.create_tensorcore_mesh("core", num_cores={per_device})', '', '',
             'def kernel(o_ref, counts, mine, box, sems, sent, come, local):']
    number = f'jax.lax.axis_index("x") * {per_device} + jax.lax.axis_index("core")' if over else 'jax.lax.axis_index("core")'
    lines.append(f'    me = {number}')
    for core, steps in enumerate(lists):
        if not steps:
            continue
        lines += ['', f'    @pl.when(me == {core})', '    def _():']
        lines += ['        ' + step_text(step, over, per_device) for step in steps]
        copies = sum(step[0] == 'copy' for step in steps)
        lines += ['        pltpu.make_async_copy(mine, box, sent).wait()'] * copies
    lines += [''] + [f'    counts[{i}] = pl.semaphore_read(sems.at[{i}])' for i in range(SEMS)]
    lines += [f'    pltpu.async_copy(counts, o_ref.at[me % {per_device}], local).wait()', '', '']
    scratch = f'[pltpu.SMEM(({SEMS},), jnp.int32), pltpu.VMEM((8, 128), jnp.float32), pltpu.VMEM((8, 128), jnp.float32), ' \
              f'pltpu.SemaphoreType.REGULAR(({SEMS},)), pltpu.SemaphoreType.DMA, pltpu.SemaphoreType.DMA, pltpu.SemaphoreType.DMA]'
    lines.append(f'f = pl.kernel(kernel, mesh=mesh, out_type=jax.ShapeDtypeStruct(({per_device}, {SEMS}), jnp.int32), scratch_types={scratch})')
    if over:
        lines.append(f'devices = jax.make_mesh(({devices},), ("x",))')
        lines.append('f = jax.jit(jax.shard_map(f, mesh=devices, in_specs=(), out_specs=P("x"), check_vma=False))')
    lines.append('print(f().tolist())')
    return '\n'.join(lines) + '\n'


def run(args, path, devices, option):
    command = [args.pallasc, 'run', '--devices', str(devices), option, str(path)]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None


def judge(done, ends, counts):
    if done is None:
        return 'it hangs'
    if not ends:
        return '' if done.returncode == 1 and 'deadlock' in done.stderr else f'no deadlock is told: status {done.returncode}\n{done.stderr[-600:]}'
    if done.returncode:
        return f'status {done.returncode}\n{done.stderr[-1500:]}'
    # What is left may be read before all signals have come: only a core's own steps are ordered.
    return '' if done.stdout.startswith('[[') else f'it prints {done.stdout!r}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pallasc', default=str(pathlib.Path(__file__).resolve().parents[2] / 'build' / 'pallasc'), metavar='PATH')
    parser.add_argument('--count', type=int, default=20, metavar='N')
    parser.add_argument('--seed', type=int, default=0, metavar='N', help='of the first program')
    parser.add_argument('--keep', metavar='DIR', help='put the programs that fail here')
    args = parser.parse_args()
    passed = failed = verdicts = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            rng = random.Random(seed)
            devices = rng.choice((1, 1, 2, 3))
            lists = make_steps(rng, devices * rng.randint(2, 5))
            ends, counts = simulate(lists)
            verdicts += ends
            text = program(lists, devices)
            path = pathlib.Path(folder) / f'rings_{seed}.pk'
            path.write_text(text)
            wrong = ''
            for option in ('--threads=1', '--threads=4', '--seed=1', f'--seed={seed}'):
                wrong = wrong or judge(run(args, path, devices, option), ends, counts)
                if wrong:
                    wrong = f'{option}: {wrong}'
                    break
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f'failed: program {seed} ({"ends" if ends else "deadlocks"}): {wrong}')
                if args.keep:
                    pathlib.Path(args.keep, path.name).write_text(text)
    print(f'{verdicts} of {args.count} end')
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
