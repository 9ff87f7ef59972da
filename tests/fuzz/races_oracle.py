# SPDX-License-Identifier: Apache-2.0
"""What random_races.py knows of its programs: operations, and which of them can be under way at the same time, by all states that a program can reach."""
import collections

ROWS, COLUMNS = 4, 2         # of an array, in cells of one row and 128 columns
CELL_BYTES = 128 * 4
LAUNCH = 100                 # in the numbers of the cores whose memory is the second launch's
SEMS, MOST_CELLS = 3, 64     # regular semaphores of a core, and as many of copies; the largest wait
MOST_STATES = 20000          # of a program that is tried

# Rows first, first + stride, … and columns of an array; `cells`: a bit for each cell.
Region = collections.namedtuple('Region', 'first rows stride column columns cells')
# Memory: ('a', core), ('b', core), ('c', core) of run_scoped, or ('h', core of the device's first), which cores of a device share; 'g' is like it.
Part = collections.namedtuple('Part', 'array core region')
# what: read, write, copy, signal, wait, keep (a wait that takes nothing off), poll (a loop until the count is there), sum (one until those of two are, the other one times `core`), fetched (a wait for bytes of copies), enter and leave (the scope of 'c').
# sync (all come to it: the barrier of subcores, or the end of a launch, which copies outlive); next (the end of a launch of the own device).
# atomic: an addition to memory that is one operation of the core.
# read, write, atomic: part. copy: part to part, by semaphore `sem` of the target's core; `sent`: of the sender's, None if it is local; `units`: 'add', or None.
# signal: semaphore `sem` of `core` by `units`; waits: own semaphore `sem`; sum: and `sent`.
# index: of a gather or scatter, where its rows are read from until it is over. body: (number of an operation of a loop's body, what it says there): turns of the loop share a line.
# A copy of a pipeline (`units` 'window') has the line of the pipeline.
Op = collections.namedtuple('Op', 'what source target core sem sent units index body', defaults=[None] * 8)
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
                if op.what in ('read', 'write', 'atomic', *EDGES):
                    self.own[core, at] = 1 << len(self.accesses)
                    self.accesses.append(((core, at), op.target, op.what if op.what in (*EDGES, 'atomic') else op.what == 'write'))
        self.first_end = len(self.accesses)
        for place in self.copies:
            op = lists[place[0]][place[1]]
            self.accesses += [(place, op.source, False), (place, op.target, op.units or True)]
        # By the copy's number: where its indices are read.
        self.indices = {}
        for number, place in enumerate(self.copies):
            op = lists[place[0]][place[1]]
            if op.index:
                self.indices[number] = 1 << len(self.accesses)
                self.accesses.append((place, op.index, False))
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
                is_sum = writes == also and writes in ('add', 'atomic')
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
            mask |= (3 - ends if is_next else 1 - (ends & 1)) << self.first_end + 2 * number | self.indices.get(number, 0)
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
