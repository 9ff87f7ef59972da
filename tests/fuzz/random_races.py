#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of cores that touch the same memory: does `pallasc check` tell exactly their races?

A program is one kernel on one core, on several, on subcores, on devices of one core each, or of two; or on one core that has a pipeline, or the steps of a parallel
dimension; or two kernels one after the other, of cores, subcores or devices; or kernels that leave copies in flight to each other, on one device or on several. Each core, or step,
has a list of operations of its own: loads and stores of parts of its memory, copies within it, to other cores and to memory that all of them share, some of which add, or gather by a Ref of indices, signals, waits,
atomic additions, barriers of subcores. The parts are rows, rows with a stride, rectangles, and views say them in several ways: one of another, of another shape or type, at places known at run time. In some programs a part of the
lists has memory of run_scoped. Half of the lists are drawn at random, along one run that ends; the others are protocols without a race
(double buffers, credits, rings, hand-overs; some in loops) of which something is then taken out, or changed.

The oracle looks at all states that the program can reach: how far each core is, and how far each copy. Two accesses race if they meet
in one of them. pallasc must report the same pairs of lines, no fewer and no more. Some programs share a file, for speed; one that fails is
kept alone (--keep DIR). The last line is `N passed, N failed, N skipped`.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from races_oracle import (COLUMNS, EDGES, LAUNCH, MOST_CELLS, REGIONS, ROWS, SEMS, WHOLE, Op, Part, Region, Shape, TooLarge, all_races, draw_region, make_region,
                          size_of)
from races_text import HEAD, INDICES, IN_FLIGHT, LAUNCHES, TURNS, has_scope, program_text
ROOT = pathlib.Path(__file__).resolve().parents[2]


# ---- programs drawn at random ------------------------------------------------------------------------
class Draw:
    """Lists that grow along one run."""

    def __init__(self, rng, shape):
        self.rng, self.shape = rng, shape
        self.lists = [[] for _ in range(shape.cores)]
        self.counts = collections.Counter()
        self.in_flight = []
        self.arrays = rng.choice((('a',), ('a', 'b'), ('a', 'b', 'h')))
        self.adds = rng.choice((0, 0.5, 0.9)) if shape.kind == 'subcores' else 0
        self.gathers = rng.choice((0, 0.6)) if shape.kind == 'subcores' else 0
        self.atomics = rng.choice((0, 0, 0.4)) if shape.kind == 'subcores' else 0

    def part(self, core, rows=None, columns=None, arrays=None):
        rng = self.rng
        array = rng.choice([name for name in self.arrays if arrays is None or name in arrays])
        return Part(array, shared_core(self.shape, core) if array == 'h' else core, draw_region(rng, rows, columns))

    def draw_access(self, core):
        rng = self.rng
        if rng.random() < self.gathers / 2:
            return Op('write', target=row_of_indices(core, rng.randrange(len(INDICES))))
        if rng.random() < self.atomics:
            word = rng.randrange(2)
            what = rng.choice(('read', 'write', 'atomic', 'atomic', 'atomic'))
            return Op(what, target=word_of(core if what != 'atomic' else rng.randrange(self.shape.cores), word))
        return Op(self.rng.choice(('read', 'write', 'write')), target=self.part(core, arrays=('a', 'b')))

    def draw_copy(self, core):
        rng = self.rng
        peer = rng.randrange(self.shape.cores) if rng.random() < 0.6 and self.shape.kind != 'parallel' else core
        source = self.part(core)
        target = self.part(peer, source.region.rows, source.region.columns)
        is_remote = peer != core and target.array != 'h'
        if source[:2] == target[:2] and source.region.cells & target.region.cells:
            return None
        # Whole rows, by an index, and not from HBM to HBM.
        may_add = not is_remote and source.region.columns == COLUMNS and (source.array, target.array) != ('h', 'h')
        add = 'add' if may_add and rng.random() < self.adds else None
        index = None
        if may_add and not add and rng.random() < self.gathers:
            index = row_of_indices(core, INDICES.index((source.region.first, source.region.rows, source.region.stride)))
        op = Op('copy', source, target, peer if is_remote else core, rng.randrange(SEMS), rng.randrange(SEMS) if is_remote else None, add, index)
        if not is_remote and target.array == 'h':
            op = op._replace(target=target._replace(core=shared_core(self.shape, core)))
        self.in_flight.append((core, op))
        return op

    def draw_signal(self, core):
        own = core if self.shape.kind == 'parallel' else self.rng.randrange(self.shape.cores)
        op = Op('signal', core=own, sem=self.rng.randrange(SEMS), units=self.rng.choice((1, 1, 1, 2, 3)))
        self.counts[op.core, 's', op.sem] += op.units
        return op

    def draw_wait(self, core):
        """For what has come in this run."""
        rng = self.rng
        found = [(kind, sem) for kind in ('s', 'dma') for sem in range(SEMS) if self.counts[core, kind, sem]]
        if not found:
            return None
        kind, sem = rng.choice(found)
        has = self.counts[core, kind, sem]
        units = has if rng.random() < 0.5 else rng.randint(1, has)
        if kind == 's' and rng.random() < 0.15:
            other, weight = rng.randrange(SEMS), rng.choice((1, 1, 2))
            most = has + weight * self.counts[core, kind, other]
            if rng.random() < 0.5:
                return Op('sum', sem=sem, sent=other, core=weight, units=most if rng.random() < 0.5 else rng.randint(1, most))
            return Op(rng.choice(('keep', 'poll')), sem=sem, units=units)
        self.counts[core, kind, sem] -= units
        return Op('wait' if kind == 's' else 'fetched', sem=sem, units=units)

    def land(self, chance):
        for flight in list(self.in_flight):
            if self.rng.random() >= chance:
                continue
            self.in_flight.remove(flight)
            core, op = flight
            self.counts[op.core, 'dma', op.sem] += size_of(op.target.region)
            if op.sent is not None:
                self.counts[core, 'dma', op.sent] += size_of(op.source.region)

    def run(self, length):
        rng = self.rng
        kinds = [self.draw_access] * 3 + [self.draw_copy] * 2 + [self.draw_signal] * (2 if self.shape.cores > 1 else 1) + [self.draw_wait] * rng.choice((3, 6))
        core = 0
        for _ in range(length):
            if rng.random() < 0.6:
                core = rng.randrange(self.shape.cores)
            op = rng.choice(kinds)(core)
            if op:
                self.lists[core].append(op)
            self.land(0.4)
            if self.shape.kind == 'subcores' and rng.random() < 0.1:
                for ops in self.lists:
                    ops.append(Op('sync'))
        self.land(1)
        while True:  # what is left
            left = [place for place, count in self.counts.items() if count]
            if not left:
                return self.lists
            core = rng.choice(left)[0]
            op = self.draw_wait(core)
            self.lists[core].append(op)
            if rng.random() < 0.4:
                self.lists[core].append(self.draw_access(core))


def shared_core(shape, core):
    return {'devices': core, 'pods': core // 2 * 2}.get(shape.kind, 0)


def row_of_indices(core, number):
    return Part('i', core, Region(number, 1, 1, 0, 1, 1 << number))


def word_of(core, number):
    """Of SMEM, which subcores may add to."""
    return Part('m', core, Region(number, 1, 1, 0, 1, 1 << number))


# ---- protocols ----------------------------------------------------------------------------------------
def rows_of(array, core, first, rows=1):
    return Part(array, core, make_region(first, rows, 1, 0, COLUMNS))


def copy_to(source, target, sem, core, peer, sent=None):
    return Op('copy', source, target, peer, sem, None if peer == core and sent is None else sent)


def fetched(sem, rows=1):
    return Op('fetched', sem=sem, units=rows * COLUMNS)


def signal(core, sem, units=1):
    return Op('signal', core=core, sem=sem, units=units)


def wait(sem, units=1):
    return Op('wait', sem=sem, units=units)


def double_buffer(rng, shape):
    """One core: rows of h come into two or three slots of a, and what is made of them goes back."""
    turns, slots, ops = rng.randint(2, 4), rng.choice((2, 3)), []
    for i in range(turns + slots - 1):
        if i < turns:
            ops.append(copy_to(rows_of('h', 0, i), rows_of('a', 0, i % slots), i % slots, 0, 0))
        if i >= slots - 1:
            slot = (i - slots + 1) % slots
            ops += [fetched(slot), Op('read', target=rows_of('a', 0, slot))]
            if rng.random() < 0.5:
                ops.append(Op('write', target=rows_of('b', 0, slot)))
    return [ops] + [[] for _ in range(shape.cores - 1)]


def write_back(rng, shape):
    """One core: slots of b are filled, and go out to h while the next one is."""
    turns, slots, ops = rng.randint(2, 4), rng.choice((2, 3)), []
    for i in range(turns):
        if i >= slots:
            ops.append(fetched(i % slots))
        ops += [Op('write', target=rows_of('b', 0, i % slots)), copy_to(rows_of('b', 0, i % slots), rows_of('h', 0, i), i % slots, 0, 0)]
    ops += [fetched(i % slots) for i in range(max(0, turns - slots), turns)]
    return [ops] + [[] for _ in range(shape.cores - 1)]


def producer(rng, shape):
    """Core 0 sends rows into slots of the next core, which gives credits back."""
    if shape.cores < 2:
        return double_buffer(rng, shape)
    turns, slots = rng.randint(2, 4), rng.choice((1, 2, 3))
    lists = [[] for _ in range(shape.cores)]
    lists[1].append(signal(0, 0, slots))
    for i in range(turns):
        lists[0] += [wait(0), Op('write', target=rows_of('a', 0, i % ROWS)), copy_to(rows_of('a', 0, i % ROWS), rows_of('b', 1, i % slots), i % slots, 0, 1, 1)]
        if slots == 1:
            lists[0].append(fetched(1))
        lists[1] += [fetched(i % slots), Op('read', target=rows_of('b', 1, i % slots))]
        if i + slots < turns:
            lists[1].append(signal(0, 0))
    lists[0] += [fetched(1, turns)] if slots > 1 else []
    lists[0] += [wait(0, slots - turns)] if slots > turns else []
    return lists


def ring(rng, shape):
    """All-gather: each core sends on what has come last; a row for each core."""
    cores = shape.cores
    if cores < 2:
        return write_back(rng, shape)
    lists = [[] for _ in range(cores)]
    for core, ops in enumerate(lists):
        right = (core + 1) % cores
        ops.append(Op('write', target=rows_of('a', core, core)))
        for step in range(cores - 1):
            row = (core - step) % cores
            ops += [copy_to(rows_of('a', core, row), rows_of('a', right, row), step % 2, core, right, 1 - step % 2), fetched(1 - step % 2), fetched(step % 2)]
        ops.append(Op('read', target=rows_of('a', core, 0, cores)))
    return lists


def hand_over(rng, shape):
    """A part of h goes from core to core, with a signal."""
    cores = shape.cores
    lists = [[] for _ in range(cores)]
    for turn in range(rng.randint(1, 2) * cores):
        core, ops = turn % cores, lists[turn % cores]
        if turn:
            ops.append(wait(0))
        ops += [copy_to(rows_of('a', core, 0), rows_of('h', 0, turn % 2), 0, core, core), fetched(0)] if turn % 2 == 0 else \
               [copy_to(rows_of('h', 0, 0), rows_of('a', core, 1), 0, core, core), fetched(0), Op('read', target=rows_of('a', core, 1))]
        ops.append(signal((core + 1) % cores, 0))
    lists[0].append(wait(0)) if turn % cores == cores - 1 else lists[(turn + 1) % cores].append(wait(0))
    return lists


def gather_all(rng, shape):
    """Every core sends a row to core 0, which waits for all of them at once, or for one after the other, and answers."""
    cores = shape.cores
    lists = [[] for _ in range(cores)]
    for core in range(1, cores):
        lists[core] += [Op('write', target=rows_of('a', core, core)), copy_to(rows_of('a', core, core), rows_of('b', 0, core), 0, core, 0, 1), fetched(1)]
        lists[core].append(Op('write', target=rows_of('a', core, core)))
    lists[0] += [fetched(0, cores - 1)] if rng.random() < 0.5 else [fetched(0) for _ in range(cores - 1)]
    lists[0] += [Op('read', target=rows_of('b', 0, 1, max(1, cores - 1)))]
    for core in range(1, cores):
        lists[0].append(signal(core, 1))
        lists[core] += [wait(1), copy_to(rows_of('a', core, core), rows_of('b', 0, core), 1, core, 0, 1), fetched(1)]
    lists[0] += [fetched(1) for _ in range(cores - 1)] + [Op('write', target=rows_of('b', 0, 0, cores))]
    return lists


def barriers(rng, shape):
    """All write to the others between barriers, each on a row of its own."""
    cores = shape.cores
    lists = [[] for _ in range(cores)]
    for turn in range(2 if cores == 2 else 1):
        for core, ops in enumerate(lists):
            peer = (core + 1 + turn) % cores
            ops += [signal(other, turn) for other in range(cores)] + [wait(turn, cores)]
            ops += [copy_to(rows_of('a', core, core), rows_of('b', peer, core), turn, core, peer, 1 - turn) if peer != core else
                    Op('write', target=rows_of('b', core, core)), *([fetched(1 - turn)] if peer != core else [])]
    for turn in range(2 if cores == 2 else 1):
        for core, ops in enumerate(lists):
            sender = (core - 1 - turn) % cores
            if sender != core:
                ops += [fetched(turn), Op('read', target=rows_of('b', core, sender))]
    return lists


PROTOCOLS = (double_buffer, write_back, producer, ring, hand_over, gather_all, barriers)


def change(rng, shape, lists):
    """Takes a line out, puts it elsewhere, or lets it name another slot, semaphore, or amount."""
    places = [(core, at) for core, ops in enumerate(lists) for at in range(len(ops))]
    core, at = rng.choice(places)
    op, how = lists[core][at], rng.randrange(5)
    if how == 0:
        del lists[core][at]
    elif how == 1:
        del lists[core][at]
        lists[core].insert(max(0, at + rng.choice((-2, -1, 1, 2))), op)
    elif how == 2 and op.sem is not None:
        lists[core][at] = op._replace(sem=(op.sem + rng.randrange(1, SEMS)) % SEMS)
    elif how == 3 and op.target is not None:
        region = op.target.region
        lists[core][at] = op._replace(target=op.target._replace(region=draw_region(rng, region.rows, region.columns)))
    elif op.what in ('wait', 'fetched') and at + 1 < len(lists[core]):
        lists[core][at:at + 1] = [op._replace(units=1), op._replace(units=op.units - 1)] if op.units > 1 else [op]


def look_first(rng, lists):
    """Before some waits the program looks whether they can go on."""
    for ops in lists:
        for at in reversed([at for at, op in enumerate(ops) if op.what == 'wait' and rng.random() < 0.5]):
            units = rng.randint(1, ops[at].units)
            other = Op('sum', sem=ops[at].sem, sent=rng.randrange(SEMS), core=1, units=units)
            ops.insert(at, other if rng.random() < 0.3 else Op('poll', sem=ops[at].sem, units=units))


# ---- loops ---------------------------------------------------------------------------------------------
class Turn:
    """A number that depends on the turn of a loop: (turn + add) mod `period`."""

    def __init__(self, add, period, first=0):
        self.add, self.period, self.first = add, period, first

    def of(self, first):
        return Turn(self.add, self.period, first)

    def at(self, turn):
        return self.first + (turn + self.add) % self.period

    def text(self):
        return f'{self.first} + lax.rem(i + {self.add}, {self.period})'

    def changed(self, rng):
        period = rng.choice((self.period, self.period, self.period + 1)) if self.period < SEMS else self.period
        return Turn((self.add + rng.randint(0, period)) % period, period, self.first if self.first + period <= SEMS else 0)


def turn_op(core, number, turn, what, source=None, target=None, peer=None, sem=None, sent=None, units=None, last=None):
    """The operation of a body, in one of the turns; source, target: (array, Turn); sem, sent: Turn; none beyond the turn `last`."""
    if last is not None and turn >= last:
        return None
    part = lambda of, owner: of and rows_of(of[0], 0 if of[0] == 'h' else owner, of[1].at(turn))
    text = {'source': source and f'{source[0]}.at[pl.ds({source[1].text()}, 1)]', 'target': target and f'{target[0]}.at[pl.ds({target[1].text()}, 1)]',
            'sem': sem and sem.text(), 'sent': sent and sent.text(), 'last': last}
    owner = core if peer is None else peer
    return Op(what, part(source, core), part(target, owner), owner, sem and sem.at(turn), sent and sent.at(turn), units, None, (number, text))


def loop_bodies(rng, shape):
    """Of each core, what turn_op takes; and what comes in front of the loop and behind it."""
    slots, other = rng.choice((2, 2, 3)), rng.choice((2, 3))
    row, slot = (lambda add: ('h', Turn(add, ROWS))), (lambda name, add: (name, Turn(add % slots, slots)))
    if shape.cores == 1 or rng.random() < 0.3:
        first = [copy_to(rows_of('h', 0, i), rows_of('a', 0, i), i, 0, 0) for i in range(slots - 1)]
        body = [dict(what='copy', source=row(slots - 1), target=slot('a', slots - 1), sem=Turn(slots - 1, slots), last=TURNS - slots + 1),
                dict(what='fetched', sem=Turn(0, slots), units=COLUMNS), dict(what='read', target=slot('a', 0))]
        if rng.random() < 0.6:
            body.append(dict(what='write', target=('b', Turn(0, other))))
            if slots < SEMS:
                sem = Turn(0, 1).of(SEMS - 1)
                body += [dict(what='copy', source=('b', Turn(0, other)), target=('h', Turn(rng.choice((0, 0, 3)), ROWS)), sem=sem), dict(what='fetched', sem=sem, units=COLUMNS)]
        return [first] + [[] for _ in range(shape.cores - 1)], [body] + [[] for _ in range(shape.cores - 1)], [[] for _ in range(shape.cores)]
    # A ring with as many credits as there are slots but one.
    firsts, bodies, ends = [], [], []
    for core in range(shape.cores):
        right, left = (core + 1) % shape.cores, (core - 1) % shape.cores
        firsts.append([signal(left, 0, slots - 1)])
        bodies.append([dict(what='wait', sem=Turn(0, 1), units=1),
                       dict(what='copy', source=slot('a', 0), target=slot('a', 1), peer=right, sem=Turn(1 % slots, slots), sent=Turn(0, slots)),
                       dict(what='fetched', sem=Turn(0, slots), units=COLUMNS), dict(what='fetched', sem=Turn(1 % slots, slots), units=COLUMNS),
                       dict(what='read', target=slot('a', 1)), dict(what='signal', peer=left, sem=Turn(0, 1), units=1)])
        ends.append([wait(0, slots - 1)])
    return firsts, bodies, ends


def loops(rng, shape):
    """Each core has a loop, whose slots depend on the turn; something in a body is taken out, moved, or named otherwise."""
    firsts, bodies, ends = loop_bodies(rng, shape)
    for _ in range(rng.choice((0, 1, 1, 2))):
        core = rng.choice([core for core, body in enumerate(bodies) if body])
        whose = rng.choice(([core], range(shape.cores)))
        at, how, seed = rng.randrange(len(bodies[core])), rng.randrange(4), rng.random()
        for body in (bodies[core] for core in whose if at < len(bodies[core])):
            own = random.Random(seed)
            op = body.pop(at)
            if how == 1:
                body.insert(max(0, at + own.choice((-2, -1, 1, 2))), op)
            elif how > 1:
                names = [name for name in ('source', 'target', 'sem', 'sent') if op.get(name)]
                name = own.choice(names)
                body.insert(at, {**op, name: op[name].changed(own) if name in ('sem', 'sent') else (op[name][0], op[name][1].changed(own))})
    lists = []
    for core, (first, body, end) in enumerate(zip(firsts, bodies, ends)):
        ops = [turn_op(core, number, turn, **what) for turn in range(TURNS) for number, what in enumerate(body)]
        lists.append([*first, *filter(None, ops), *end])
    return lists


# ---- pipelines -----------------------------------------------------------------------------------------
def pipeline(rng):
    """One core: rows of h or g go through windows into rows of h or g, in the order of JAX's emit_pipeline; steps do something else as well, and so does what is around it."""
    steps = rng.randint(2, 4)
    ins, outs = rng.choice('hg'), rng.choice('hg')
    of_in = [rng.randrange(ROWS) for _ in range(steps)]
    of_out = rng.sample(range(ROWS), steps)
    if rng.random() < 0.4:
        of_in = sorted(of_in)
    if rng.random() < 0.3:
        of_out = of_in = rng.sample(range(ROWS), steps)
    if rng.random() < 0.3:
        of_out = sorted(of_out)
        of_out[-1] = of_out[-2]
    draw = Draw(rng, Shape('one', 1))
    draw.arrays = rng.choice((('a', 'h'), ('a', 'h', 'g'), ('a', 'b', 'h', 'g')))
    draw.run(rng.randint(4, 10))
    ops = draw.lists[0]
    cuts = sorted(rng.randint(0, len(ops)) for _ in range(steps + 1))
    parts = [ops[a:b] for a, b in zip([0, *cuts], [*cuts, len(ops)])]
    window = lambda kind, i, array, row: Op('copy', *(rows_of(array, 0, row), Part(kind, i, make_region(0, 1, 1, 0, COLUMNS)))[::1 if kind == 'in' else -1], core=0, sem=f'{kind}{i}', units='window')
    over = lambda kind, i: Op('fetched', sem=f'{kind}{i}', units=COLUMNS)
    out = [*parts[0], Op('begin pipeline', source=(ins, of_in), target=(outs, of_out))]
    for i in range(steps):
        if i == 0:
            out.append(window('in', 0, ins, of_in[0]))
        if i + 1 < steps and of_in[i + 1] != of_in[i]:
            out.append(window('in', i + 1, ins, of_in[i + 1]))
        if i == 0 or of_in[i] != of_in[i - 1]:
            out.append(over('in', i))
        out += [Op('step'), *parts[1 + i], Op('end step')]
        leaves = i + 1 == steps or of_out[i + 1] != of_out[i]
        if leaves:
            out.append(window('out', i, outs, of_out[i]))
        before = i - 1
        if before >= 0 and of_out[before] != of_out[i]:
            out.append(over('out', before))
    return [[*out, over('out', steps - 1), Op('end pipeline'), *parts[-1]]]


# ---- a program -----------------------------------------------------------------------------------------
def launches_in_flight(rng, shape):
    """Kernels of one core that copy between h and g, on semaphores that all of them have, and wait for what is under way, perhaps of an earlier one.

    On devices they copy to each other's as well. A kernel that does begins on each when all have come to it.
    """
    lists, counts = [[] for _ in range(shape.cores)], collections.Counter()
    for _ in range(rng.randint(6, 12)):
        core = rng.randrange(shape.cores)
        waits = [sem for sem in range(SEMS) if counts[core, sem]]
        if waits and rng.random() < 0.45:
            sem = rng.choice(waits)
            units = counts[core, sem] if rng.random() < 0.6 else rng.randint(1, counts[core, sem])
            counts[core, sem] -= units
            lists[core].append(fetched(sem)._replace(units=units))
            continue
        peer = rng.randrange(shape.cores) if rng.random() < 0.6 else core
        source = Part(rng.choice('gh'), core, draw_region(rng))
        target = Part(rng.choice('gh'), peer, draw_region(rng, source.region.rows, source.region.columns))
        if source[:2] == target[:2] and source.region.cells & target.region.cells:
            continue
        op = copy_to(source, target, rng.randrange(SEMS), core, peer, None if peer == core else rng.randrange(SEMS))
        lists[core].append(op)
        counts[peer, op.sem] += size_of(target.region)
        if op.sent is not None:
            counts[core, op.sent] += size_of(source.region)
    for core, ops in enumerate(lists):
        ops += [fetched(sem)._replace(units=counts[core, sem]) for sem in rng.sample(range(SEMS), SEMS) if counts[core, sem]]
    return cut_into_launches(rng, lists)


def cut_into_launches(rng, lists):
    """Ends of kernels at drawn places: `sync` if the next one begins on all devices at once, else `next`."""
    kernels = rng.randint(2, 4)
    cuts = [[0, *sorted(rng.randint(0, len(ops)) for _ in range(kernels - 1)), len(ops)] for ops in lists]
    cut = [[] for _ in lists]
    for number in range(kernels):
        parts = [ops[at[number]:at[number + 1]] for ops, at in zip(lists, cuts)]
        meets = any(op.sent is not None for part in parts for op in part)
        for ops, part in zip(cut, parts):
            ops += [Op('sync' if meets else 'next')] * (number > 0) + part
    return cut


def steps_alone(rng, shape):
    """Each step of a parallel dimension has a protocol of one core."""
    lists = [rng.choice((double_buffer, write_back))(rng, Shape('one', 1))[0] for _ in range(shape.cores)]
    return [[own_memory(op, core) for op in ops] for core, ops in enumerate(lists)]


def own_memory(op, core):
    parts = {name: part._replace(core=core) for name in ('source', 'target') if (part := getattr(op, name)) and part.array != 'h'}
    return op._replace(**parts, core=None if op.core is None else core)


def second_launch(op):
    """Its scratch and its semaphores are others."""
    parts = {name: part._replace(core=part.core + LAUNCH) for name in ('source', 'target') if (part := getattr(op, name)) and part.array != 'h'}
    sems = {name: getattr(op, name) + SEMS for name in ('sem', 'sent') if getattr(op, name) is not None}
    return op._replace(**parts, **sems)


def make_lists(rng, shape):
    if shape.kind in IN_FLIGHT:
        return launches_in_flight(rng, shape)
    if shape.kind == 'pipeline':
        return pipeline(rng)
    if shape.kind in LAUNCHES:
        of = 'devices' if LAUNCHES[shape.kind] == 'devices' else 'cores'
        first, second = (make_lists(rng, Shape(of, shape.cores)) for _ in range(2))
        return [[*ops, Op('sync'), *map(second_launch, more)] for ops, more in zip(first, second)]
    if shape.kind == 'parallel' and rng.random() < 0.5:
        lists = steps_alone(rng, shape)
        if rng.random() < 0.7:
            change(rng, shape, lists)
        return lists
    if shape.kind == 'parallel' or rng.random() < 0.5:
        return Draw(rng, shape).run(rng.randint(8, 18 if shape.cores < 3 else 15 if shape.cores < 4 else 11))
    if shape.kind in ('one', 'cores', 'devices') and rng.random() < 0.4:
        return loops(rng, shape)
    lists = rng.choice(PROTOCOLS)(rng, shape)
    if rng.random() < 0.25:
        look_first(rng, lists)
    if shape.kind in ('devices', 'pods'):
        lists = [[own_shared(op, shared_core(shape, core)) for op in ops] for core, ops in enumerate(lists)]
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2))):
        change(rng, shape, lists)
    return lists


def put_in_scope(rng, lists):
    """What each core does in the middle has 'c', of run_scoped, instead of 'b'."""
    def moved(op):
        parts = {name: part._replace(array='c') for name in ('source', 'target') if (part := getattr(op, name)) and part.array == 'b'}
        return op._replace(**parts)
    for core, ops in enumerate(lists):
        first, end = sorted(rng.randint(0, len(ops)) for _ in range(2))
        whole = Part('c', core, WHOLE)
        begin, leave = [Op('enter', target=whole), Op('write', target=whole)], Op('leave', target=whole)
        lists[core] = [*ops[:first], *begin, *map(moved, ops[first:end]), leave, *ops[end:]]


def own_shared(op, core):
    """Each device has its own h, that of its first core."""
    parts = {name: part._replace(core=core) for name in ('source', 'target') if (part := getattr(op, name)) and part.array == 'h'}
    return op._replace(**parts)


def is_well_made(lists):
    """No copy whose source and target have a cell in common, no wait for more cells than it can name."""
    if any(op.what == 'fetched' and op.units > MOST_CELLS for ops in lists for op in ops):
        return False
    return all(op.what != 'copy' or op.source[:2] != op.target[:2] or not op.source.region.cells & op.target.region.cells for ops in lists for op in ops)


def without_edges(lists, races):
    """What a copy does at the begin or end of a scope is not reported if it races with something else."""
    def is_edge(place):
        return lists[place[0]][place[1]].what in EDGES
    inner = {place for pair in races if not any(map(is_edge, pair)) for place in pair}
    return {pair for pair in races if not any(map(is_edge, pair)) or not any(place in inner for place in pair)}


def make_program(seed):
    """(shape, lists, the pairs that race, how many pairs conflict): the first draw of this seed that ends and is small enough."""
    rng = random.Random(seed)
    while True:
        kind = rng.choice(('cores', 'cores', 'devices', 'pods', 'one', 'pipeline', 'subcores', 'parallel', *LAUNCHES, *IN_FLIGHT))
        shape = Shape(kind, 1 if kind in ('one', 'pipeline', 'in flight') else 4 if kind == 'pods' else rng.choice((2, 2, 3)))
        lists = make_lists(rng, shape)
        is_loop = any(op.body for ops in lists for op in ops)
        if kind in ('cores', 'devices', 'pods', 'one') and not is_loop and rng.random() < 0.25:
            put_in_scope(rng, lists)
        if not is_well_made(lists):
            continue
        try:
            races, conflicts = all_races(lists)
        except TooLarge:
            continue
        if races is not None and conflicts:
            return shape, lists, without_edges(lists, races), conflicts


# ---- the verdict ---------------------------------------------------------------------------------------
def races_told(args, path):
    """(pairs of lines, why it is wrong or None)"""
    command = [args.pallasc, 'check', '--error-format=json', '--max-errors=100000', '--devices=3', f'--seed={args.schedule}', str(path)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=args.timeout)
    except subprocess.TimeoutExpired:
        return set(), 'it hangs'
    if done.returncode not in (0, 1):
        return set(), f'status {done.returncode}\n{done.stderr[-1500:]}'
    pairs = set()
    for text in done.stderr.splitlines():
        found = json.loads(text) if text.startswith('{') else {'message': text}
        if found.get('severity') == 'error' and found['message'].startswith('race:'):
            pairs.add(tuple(sorted((found['line'], found['notes'][0]['line']))))
        elif not re.match(r'pallasc: .*(finding|check)', text):
            return pairs, f'something else is told: {text}'
    if len(re.findall('has ended', done.stdout)) != len(re.findall('has ended', path.read_text())):
        return pairs, f'it did not end: {done.stdout[-300:]!r}'
    return pairs, None


def pair_text(pair, lines):
    return ''.join(f'\n    {line}: {lines[line - 1].strip()}' for line in pair)


def try_programs(args, folder, programs):
    """Yields (seed, why) of programs that fail. programs: [(seed, shape, lists, races)]."""
    lines, wanted, spans = HEAD.rstrip('\n').split('\n'), set(), []
    for seed, shape, lists, races in programs:
        text, line_of = program_text(f'p{seed}', shape, lists, len(lines) + 1)
        spans.append((seed, len(lines), len(lines) + len(text)))
        wanted |= {tuple(sorted((line_of[a], line_of[b]))) for a, b in races}
        lines += text
    path = pathlib.Path(folder) / f'races_{programs[0][0]}.pk'
    path.write_text('\n'.join(lines) + '\n')
    told, wrong = races_told(args, path)
    if wrong and len(programs) > 1:
        for program in programs:
            yield from try_programs(args, folder, [program])
        return
    for seed, first, end in spans:
        of_it = [sorted(pair for pair in pairs if first < pair[0] <= end) for pairs in (wanted - told, told - wanted)]
        why = (f'\n  {wrong}' if wrong else '') + ''.join(f'\n  {what}{pair_text(pair, lines)}' for what, pairs in zip(('not told:', 'no race:'), of_it) for pair in pairs)
        if why:
            yield seed, why
            if args.keep:
                keep(args, next(program for program in programs if program[0] == seed))
    path.unlink()


def keep(args, program):
    folder = pathlib.Path(args.keep)
    folder.mkdir(parents=True, exist_ok=True)
    lines = HEAD.rstrip('\n').split('\n')
    text, line_of = program_text(f'p{program[0]}', program[1], program[2], len(lines) + 1)
    races = sorted(tuple(sorted((line_of[a], line_of[b]))) for a, b in program[3])
    (folder / f'races_{program[0]}.pk').write_text('\n'.join([*lines, *text, f'# races: {races}']) + '\n')


def try_seeds(folder, args, seeds):
    programs, conflicts = [], 0
    for seed in seeds:
        shape, lists, races, of_it = make_program(seed)
        programs.append((seed, shape, lists, races))
        conflicts += of_it
    kinds = collections.Counter(kind for _, shape, lists, _ in programs for kind in kinds_of(shape, lists))
    return list(try_programs(args, folder, programs)), kinds, conflicts, sum(len(races) for *_, races in programs), sum(not races for *_, races in programs)


def kinds_of(shape, lists):
    """What is counted: the kind of program, and what else is in it."""
    ops = [op for of_core in lists for op in of_core]
    yield shape.kind
    for what, is_there in (('loops', any(op.body for op in ops)), ('scopes', has_scope(lists)), ('gathers', any(op.index for op in ops)), ('adding copies', any(op.units == 'add' for op in ops)),
                           ('atomics', any(op.what == 'atomic' for op in ops)), ('polls', any(op.what in ('poll', 'sum') for op in ops))):
        if is_there:
            yield what


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pallasc', default=str(ROOT / 'build' / 'pallasc'), metavar='PATH')
    parser.add_argument('--count', type=int, default=5000, metavar='N')
    parser.add_argument('--seed', type=int, default=0, metavar='N', help='of the first program')
    parser.add_argument('--schedule', type=int, default=0, metavar='N', help='the --seed of pallasc')
    parser.add_argument('--batch', type=int, default=20, metavar='N', help='programs a file')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), metavar='N', help='files at a time')
    parser.add_argument('--timeout', type=float, default=600, metavar='SECONDS', help='for one run, which is then said to hang')
    parser.add_argument('--show', action='store_true', help='print the first program, and its races as lines')
    parser.add_argument('--keep', metavar='DIR', help='put the programs that fail here')
    args = parser.parse_args()
    if args.show:
        shape, lists, races, _ = make_program(args.seed)
        text, line_of = program_text(f'p{args.seed}', shape, lists, 1 + HEAD.count('\n'))
        print(HEAD + '\n'.join(text) + '\n# races: ' + str(sorted(tuple(sorted((line_of[a], line_of[b]))) for a, b in races)))
        return 0
    failed = conflicts = races = silent = 0
    kinds = collections.Counter()
    seeds = range(args.seed, args.seed + args.count)
    batches = [seeds[first:first + args.batch] for first in range(0, args.count, args.batch)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for failures, of_kinds, *counts in pool.map(try_seeds, [folder] * len(batches), [args] * len(batches), batches):
            conflicts, races, silent = conflicts + counts[0], races + counts[1], silent + counts[2]
            kinds += of_kinds
            for seed, why in failures:
                failed += 1
                print(f'failed: program {seed}:{why}', flush=True)
    print(', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items())))
    print(f'{conflicts} pairs of lines conflict, {races} race; {silent} of {args.count} programs have no race')
    print(f'{args.count - failed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
