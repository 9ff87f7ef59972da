#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of cores that touch the same memory: does `pallasc check` tell exactly their races?

A program is one kernel on one core, on several, on subcores, or on devices of one core each; or on one core that has the steps of a parallel
dimension; or two kernels one after the other, of cores or of subcores; or kernels that leave copies in flight to each other, on one device or on several. Each core, or step,
has a list of operations of its own: loads and stores of parts of its memory, copies within it, to other cores and to memory that all of them share, some of which add, signals, waits, barriers of subcores. The parts are rows,
rows with a stride, rectangles. In some programs a part of the lists has memory of run_scoped. Half of the lists are drawn at random, along one run that ends; the others are protocols without a race
(double buffers, credits, rings, hand-overs) of which something is then taken out, or changed.

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

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS, COLUMNS = 4, 2         # of an array, in cells of one row and 128 columns
CELL_BYTES = 128 * 4
LAUNCH = 100                 # in the numbers of the cores whose memory is the second launch's
SEMS, MOST_CELLS = 3, 64     # regular semaphores of a core, and as many of copies; the largest wait
MOST_STATES = 20000          # of a program that is tried
HEAD = '''import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc

I = jnp.int32
'''

# Rows first, first + stride, … and columns of an array; `cells`: a bit for each cell.
Region = collections.namedtuple('Region', 'first rows stride column columns cells')
# Memory: ('a', core), ('b', core), ('c', core) of run_scoped, or ('h', core of the device's first), which cores of a device share; 'g' is like it.
Part = collections.namedtuple('Part', 'array core region')
# what: read, write, copy, signal, wait, keep (a wait that takes nothing off), poll (a loop until the count is there), sum (one until those of two are, the other one times `core`), fetched (a wait for bytes of copies), enter and leave (the scope of 'c').
# sync (all come to it: the barrier of subcores, or the end of a launch, which copies outlive); next (the end of a launch of the own device).
# read, write: part. copy: part to part, by semaphore `sem` of the target's core; `sent`: of the sender's, None if it is local; `units`: 'add', or None.
# signal: semaphore `sem` of `core` by `units`; waits: own semaphore `sem`; sum: and `sent`.
Op = collections.namedtuple('Op', 'what source target core sem sent units', defaults=[None] * 6)
Shape = collections.namedtuple('Shape', 'kind cores')


# ---- regions -----------------------------------------------------------------------------------------
def make_region(first, rows, stride, column, columns):
    cells = 0
    for row in range(first, first + rows * stride, stride):
        for k in range(column, column + columns):
            cells |= 1 << (row * COLUMNS + k)
    return Region(first, rows, stride, column, columns, cells)


REGIONS = [make_region(first, rows, stride, column, columns) for rows in range(1, ROWS + 1) for stride in (1, 2, 3) if rows > 1 or stride == 1
           for first in range(ROWS - (rows - 1) * stride) for columns in (1, 2) for column in range(COLUMNS - columns + 1)]
EDGES = 'enter', 'leave'
ENDS = 'sync', 'next'
WHOLE = make_region(0, ROWS, 1, 0, COLUMNS)


def draw_region(rng, rows=None, columns=None):
    if rows is None and rng.random() < 0.1:
        return WHOLE
    return rng.choice([r for r in REGIONS if rows in (None, r.rows) and columns in (None, r.columns)])


def size_of(region):
    return region.rows * region.columns


# ---- the oracle --------------------------------------------------------------------------------------
class TooLarge(Exception):
    pass


class States:
    """A state is how far each core is, and a bit for each end of a copy that is over: of its source, when it has been read, and of its target.

    A copy signals its bytes as they come, so all but the last of an end under way may have been signalled, and taken.
    """

    def __init__(self, lists):
        self.lists = lists
        self.copies = [(core, at) for core, ops in enumerate(lists) for at, op in enumerate(ops) if op.what == 'copy']
        self.numbers = {place: number for number, place in enumerate(self.copies)}
        # What an access is, by its bit in a mask: (place, part, is it a write; or 'enter', 'leave'). First the cores' own, by place; then the copies' ends.
        self.accesses, self.own = [], {}
        for core, ops in enumerate(lists):
            for at, op in enumerate(ops):
                if op.what in ('read', 'write', *EDGES):
                    self.own[core, at] = 1 << len(self.accesses)
                    self.accesses.append(((core, at), op.target, op.what if op.what in EDGES else op.what == 'write'))
        self.first_end = len(self.accesses)
        for place in self.copies:
            op = lists[place[0]][place[1]]
            self.accesses += [(place, op.source, False), (place, op.target, op.units or True)]
        self.syncs = [[at for at, op in enumerate(ops) if op.what == 'sync'] for ops in lists]

        self.ahead = [self.copies_ahead(number) for number in range(len(self.copies))]

    def copies_ahead(self, number):
        """The bits of those that arrive before it: copies from one core to another one arrive in the order they were started."""
        core, at = self.copies[number]
        own, bits = self.lists[core][at], 0
        for other, (owner, place) in enumerate(self.copies[:number]):
            op = self.lists[owner][place]
            if owner == core and own.sent is not None and op.sent is not None and op.core == own.core:
                bits |= 2 << 2 * other
        return bits

    def conflicts(self):
        """[(mask of two accesses, pair of places)], but for what one core does itself."""
        found = []
        for i, (place, part, writes) in enumerate(self.accesses):
            for j, (other, with_part, also) in enumerate(self.accesses[:i]):
                is_ordered = place[0] == other[0] and max(i, j) < self.first_end
                is_edge = writes in EDGES or also in EDGES
                is_known = is_edge and (writes in EDGES and also in EDGES or 'enter' in (writes, also) and place[0] == other[0])
                is_sum = writes == also == 'add'
                if place != other and not is_ordered and not is_sum and not is_known and (writes or also) and part[:2] == with_part[:2] and part.region.cells & with_part.region.cells:
                    found.append((1 << i | 1 << j, tuple(sorted((place, other)))))
        return found

    def count(self, state, core, sem):
        """Of a semaphore, ('s', i) or ('dma', i): what has been signalled by what is over and not taken, and by ends that are under way."""
        pcs, over, total, coming = state[0], state[1], 0, 0
        for number, (owner, at) in enumerate(self.copies):
            op, ends = self.lists[owner][at], over >> 2 * number & 3
            has_started = at < pcs[owner]
            if op.sent is not None and owner == core and sem == ('dma', op.sent):
                total += size_of(op.source.region) * (ends & 1)
                coming += size_of(op.source.region) * (has_started and not ends & 1)
            if op.core == core and sem == ('dma', op.sem):
                is_next = over & self.ahead[number] == self.ahead[number]
                total += size_of(op.target.region) * (ends >> 1)
                coming += size_of(op.target.region) * (has_started and is_next and not ends & 2)
        for owner, ops in enumerate(self.lists):
            for op in ops[:pcs[owner]]:
                if op.what == 'signal' and op.core == core and sem == ('s', op.sem):
                    total += op.units
                elif op.what in ('wait', 'fetched') and owner == core and sem == ('dma' if op.what == 'fetched' else 's', op.sem):
                    total -= op.units
        return total, coming

    def is_enabled(self, state, core, op):
        if op.what == 'sync':
            number = self.syncs[core].index(state[0][core])
            return all(len(syncs) > number and at >= syncs[number] for at, syncs in zip(state[0], self.syncs))
        if op.what not in ('wait', 'keep', 'poll', 'sum', 'fetched'):
            return True
        if op.what == 'sum':
            return self.count(state, core, ('s', op.sem))[0] + op.core * self.count(state, core, ('s', op.sent))[0] >= op.units
        total, coming = self.count(state, core, ('dma' if op.what == 'fetched' else 's', op.sem))
        return total >= op.units or total + coming > op.units

    def under_way(self, state):
        """The mask of the accesses that are, and the states that may come next."""
        pcs, over = state
        mask, following = 0, []
        for core, at in enumerate(pcs):
            if at == len(self.lists[core]):
                continue
            mask |= self.own.get((core, at), 0)
            if self.is_enabled(state, core, self.lists[core][at]):
                following.append(((*pcs[:core], at + 1, *pcs[core + 1:]), over))
        for number, (core, at) in enumerate(self.copies):
            ends = over >> 2 * number & 3
            if at >= pcs[core] or ends == 3:
                continue
            is_next = over & self.ahead[number] == self.ahead[number]
            mask |= (3 - ends if is_next else 1 - (ends & 1)) << self.first_end + 2 * number
            if ends and not is_next:
                continue
            if ends == 0 and self.lists[core][at].sent is None:
                following.append((pcs, over | 3 << 2 * number))
            else:
                following.append((pcs, over | (2 if ends else 1) << 2 * number))
        return mask, following


def all_races(lists, most=MOST_STATES):
    """The pairs of places (core, number) that race; None if the program may deadlock or leave counts. And how many pairs conflict."""
    states = States(lists)
    conflicts = states.conflicts()
    places = {pair for _, pair in conflicts}
    start = (tuple(0 for _ in lists), 0)
    seen, todo, races = {start}, [start], set()
    while todo:
        state = todo.pop()
        mask, following = states.under_way(state)
        met = [pair for both, pair in conflicts if mask & both == both]
        if met:
            races.update(met)
            conflicts = [(both, pair) for both, pair in conflicts if pair not in races]
        if not following and (any(at < len(ops) for at, ops in zip(state[0], lists)) or leaves_counts(states, state)):
            return None, len(places)
        for state in following:
            if state not in seen:
                seen.add(state)
                todo.append(state)
        if len(seen) > most:
            raise TooLarge
    return races, len(places)


def leaves_counts(states, state):
    return any(states.count(state, core, (kind, sem))[0] for core in range(len(states.lists)) for kind in ('s', 'dma') for sem in range(2 * SEMS))


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

    def part(self, core, rows=None, columns=None, arrays=None):
        rng = self.rng
        array = rng.choice([name for name in self.arrays if arrays is None or name in arrays])
        return Part(array, shared_core(self.shape, core) if array == 'h' else core, draw_region(rng, rows, columns))

    def draw_access(self, core):
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
        op = Op('copy', source, target, peer if is_remote else core, rng.randrange(SEMS), rng.randrange(SEMS) if is_remote else None, add)
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
    return core if shape.kind == 'devices' else 0


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
    if shape.kind in LAUNCHES:
        first, second = (make_lists(rng, Shape('cores', shape.cores)) for _ in range(2))
        return [[*ops, Op('sync'), *map(second_launch, more)] for ops, more in zip(first, second)]
    if shape.kind == 'parallel' and rng.random() < 0.5:
        lists = steps_alone(rng, shape)
        if rng.random() < 0.7:
            change(rng, shape, lists)
        return lists
    if shape.kind == 'parallel' or rng.random() < 0.5:
        return Draw(rng, shape).run(rng.randint(8, 18 if shape.cores < 3 else 15))
    lists = rng.choice(PROTOCOLS)(rng, shape)
    if rng.random() < 0.25:
        look_first(rng, lists)
    if shape.kind == 'devices':
        lists = [[own_shared(op, core) for op in ops] for core, ops in enumerate(lists)]
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


def has_scope(lists):
    return any(op.what == 'enter' for ops in lists for op in ops)


def own_shared(op, core):
    """Each device has its own h."""
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
        kind = rng.choice(('cores', 'cores', 'devices', 'one', 'subcores', 'parallel', *LAUNCHES, *IN_FLIGHT))
        shape = Shape(kind, 1 if kind in ('one', 'in flight') else rng.choice((2, 2, 3)))
        lists = make_lists(rng, shape)
        if kind in ('cores', 'devices', 'one') and rng.random() < 0.25:
            put_in_scope(rng, lists)
        if not is_well_made(lists):
            continue
        try:
            races, conflicts = all_races(lists)
        except TooLarge:
            continue
        if races is not None and conflicts:
            return shape, lists, without_edges(lists, races), conflicts


# ---- its text ------------------------------------------------------------------------------------------
def index_text(region):
    rows = f'pl.ds({region.first}, {region.rows}{f", {region.stride}" if region.stride > 1 else ""})'
    return rows if region.columns == COLUMNS else f'{rows}, pl.ds({128 * region.column}, {128 * region.columns})'


def view_text(part):
    return part.array if part.region == WHOLE else f'{part.array}.at[{index_text(part.region)}]'


AXES = {'devices': '"x"', 'devices in flight': '"x"', 'cores': '"core"', 'subcores': '"core": 0, "subcore"', 'launches of subcores': '"core": 0, "subcore"'}
LAUNCHES = {'launches': 'cores', 'launches of subcores': 'subcores'}     # and what each of them is
IN_FLIGHT = 'in flight', 'devices in flight'


def op_text(shape, op, number):
    device = f'device_id={{{AXES.get(shape.kind, AXES["cores"])}: {op.core}}}'
    if op.what == 'read':
        return f't[...] += jnp.sum({op.target.array}[{index_text(op.target.region)}])'
    if op.what == 'write':
        region = op.target.region
        return f'{op.target.array}[{index_text(region)}] = jnp.full(({region.rows}, {128 * region.columns}), {number}, I)'
    if op.what == 'copy':
        source, target = view_text(op.source), view_text(op.target)
        if op.units:
            region = op.target.region
            target = f'{op.target.array}.at[{region.first} + {region.stride} * jnp.arange({region.rows})]'
            return f'pltpu.make_async_copy({source}, {target}, dma.at[{op.sem % SEMS}]).start(add=True)'
        if op.sent is None:
            return f'pltpu.make_async_copy({source}, {target}, dma.at[{op.sem % SEMS}]).start()'
        return f'pltpu.make_async_remote_copy({source}, {target}, dma.at[{op.sent % SEMS}], dma.at[{op.sem % SEMS}], {device}).start()'
    if op.what == 'signal':
        return f'pl.semaphore_signal(s.at[{op.sem % SEMS}], {op.units}{"" if shape.kind == "parallel" else f", {device}"})'
    if op.what == 'fetched':
        cells = f'cells.at[pl.ds(0, {op.units})]'
        return f'pltpu.make_async_copy({cells}, {cells}, dma.at[{op.sem % SEMS}]).wait()'
    if op.what in ('poll', 'sum'):
        other = f' + {op.core} * pl.semaphore_read(s.at[{op.sent % SEMS}])' if op.what == 'sum' else ''
        loop = f'lax.while_loop(lambda _: pl.semaphore_read(s.at[{op.sem % SEMS}]){other} < {op.units}, lambda c: c, 0)'
        # pallas_call leaves out what nothing uses, but inside of a scope.
        return f'pl.run_scoped(lambda _: {loop}, pltpu.SemaphoreType.REGULAR)' if shape.kind == 'parallel' else loop
    return f'pl.semaphore_wait(s.at[{op.sem % SEMS}], {op.units}{", decrement=False" if op.what == "keep" else ""})'


def phase_of(ops, at):
    """Before the scope, in it, behind it; or before each barrier and behind the last; None: its begin or end, or a barrier."""
    if ops[at].what in (*EDGES, *ENDS):
        return None
    return sum(op.what in (*EDGES, *ENDS) for op in ops[:at])


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
            for at, op in chosen:
                self.line_of[core, at] = self.first_line + len(self.lines)
                self.lines.append(f'{indent}{"    " * chooses}{op_text(self.shape, op, at)}')

    def put_head(self, name, sets_h):
        """Up to where all are there, and have written their memory, and h if it is to be."""
        kind, cores, axis = LAUNCHES.get(self.shape.kind, self.shape.kind), self.shape.cores, AXES.get(self.shape.kind, AXES['cores']).split()[-1]
        lines = ['', '', f'def {name}({"first, " if kind == "parallel" else ""}h, out, a, b, cells, t, s, dma, ready, local):',
                 '    me = pl.program_id(0)' if kind == 'parallel' else f'    me = lax.axis_index({axis})',
                 '    a[...] = jnp.full(a.shape, 1, I)', '    b[...] = jnp.full(b.shape, 2, I)', '    t[...] = jnp.zeros(t.shape, I)']
        if sets_h:
            first = ['    pltpu.async_copy(a, h, local).wait()']
            lines += first if kind == 'devices' else ['', '    @pl.when(me == 0)', '    def _():', '    ' + first[0]]
        if kind == 'subcores':
            lines.append('    plsc.subcore_barrier()')
        elif kind != 'parallel':
            lines += [f'    for k in range({cores}):', f'        pl.semaphore_signal(ready, 1, device_id={{{axis}: k}})', f'    pl.semaphore_wait(ready, {cores})']
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
        scratch = [f'[{array}, {array}, pltpu.VMEM(({MOST_CELLS}, 128), I), pltpu.VMEM((1, 128), I), {regular}(({SEMS},)), {dma}(({SEMS},)),', f'                   {regular}, {dma}])']
        of_device = 1 if kind == 'devices' else cores
        h, out = f'jax.ShapeDtypeStruct(({ROWS}, {128 * COLUMNS}), I)', f'jax.ShapeDtypeStruct(({of_device}, 1, 128), I)'
        self.lines += ['', '']
        if kind == 'parallel':
            self.lines += [f'{name} = pl.pallas_call({name}, ({h}, {out}), grid=({cores},), in_specs=[pl.BlockSpec(memory_space=pl.ANY)],',
                           '    out_specs=(pl.BlockSpec(memory_space=pl.ANY), pl.BlockSpec(memory_space=pl.ANY)), input_output_aliases={0: 0},',
                           '    compiler_params=pltpu.CompilerParams(dimension_semantics=("parallel",)),', f'    scratch_shapes={scratch[0]}', scratch[1]]
            return
        mesh = f'pltpu.create_tensorcore_mesh("core", num_cores={of_device})' if kind != 'subcores' else \
            f'plsc.VectorSubcoreMesh(core_axis_name="core", subcore_axis_name="subcore", num_cores=1, num_subcores={cores})'
        self.lines += [f'{name} = pl.kernel({name}, mesh={mesh},', f'    out_type={out if self.shape.kind in LAUNCHES else f"({h}, {out})"},', f'    scratch_types={scratch[0]}', scratch[1]]
        if kind == 'devices':
            self.lines += [f'{name} = jax.jit(jax.shard_map({name}, mesh=jax.sharding.Mesh(np.array(jax.devices()[:{cores}]), ("x",)), in_specs=(), out_specs=P("x"),',
                           '                         check_vma=False))']

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
        mesh = f'mesh=jax.sharding.Mesh(np.array(jax.devices()[:{cores}]), ("x",)), in_specs=(), out_specs=P("x"), check_vma=False'
        self.lines.append(f'print("{name} has ended", jax.jit({name if cores == 1 else f"jax.shard_map({name}, {mesh})"})()[1].size)')

    def put_end(self):
        own = 0 if self.shape.kind == 'devices' else 'me'
        self.lines += ['', f'    pltpu.async_copy(t, out.at[{own}], local).wait()']


def program_text(name, shape, lists, first_line):
    text = Text(shape, lists, first_line)
    if shape.kind in IN_FLIGHT:
        text.put_in_flight(name)
        return text.lines, text.line_of
    text.put_head(name, shape.kind not in ('parallel', *LAUNCHES))
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
    return list(try_programs(args, folder, programs)), conflicts, sum(len(races) for *_, races in programs), sum(not races for *_, races in programs)


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
    seeds = range(args.seed, args.seed + args.count)
    batches = [seeds[first:first + args.batch] for first in range(0, args.count, args.batch)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for failures, *counts in pool.map(try_seeds, [folder] * len(batches), [args] * len(batches), batches):
            conflicts, races, silent = conflicts + counts[0], races + counts[1], silent + counts[2]
            for seed, why in failures:
                failed += 1
                print(f'failed: program {seed}:{why}', flush=True)
    print(f'{conflicts} pairs of lines conflict, {races} race; {silent} of {args.count} programs have no race')
    print(f'{args.count - failed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
