# SPDX-License-Identifier: Apache-2.0
"""Mutants that stand in a build, held against tests.

In: a suite and {number: mutant}. Out: what became of each, in a journal of lines that a later run goes on from. A test runs once without a change, which
says how long it takes and which mutants it comes by, then with these in groups, all of a group at once: if it passes, none of them is noticed; if
it fails, with halves of the group, down to the single mutants that make it fail. What is left is held alone against the likeliest tests.
"""
import dataclasses
import hashlib
import json
import os
import pathlib
import resource
import sys
import tempfile
import time
import traceback

import suite as tests

BATCH = 50
TOGETHER = 40  # mutants of a group, at most
ENOUGH = 12    # tests of a kind that a mutant has lived through: others are likelier to notice it, those have their turn when all have
FADES = 0.9    # what was found before counts so much less with each group
LONG = 1.0     # seconds of work; tests that take longer have their turn when all others have had theirs


@dataclasses.dataclass
class Surveyed:
    seconds: float  # that it took, beside others' work
    work: float     # seconds of a CPU
    reaches: frozenset


def work_done():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Journal:
    """One line of JSON an event, appended by several processes at a time."""

    def __init__(self, path):
        self.path = path
        self.read()

    def read(self):
        self.tests, self.caught, self.lived, self.alone, self.broken = {}, {}, {}, {}, set()
        for line in self.path.read_text().splitlines() if self.path.exists() else ():
            self.take(json.loads(line))

    def take(self, event):
        if event['what'] == 'test':
            self.tests[event['test']] = Surveyed(event['seconds'], event.get('work', event['seconds']), frozenset(event['reaches']))
        elif event['what'] == 'broken':
            self.broken.add(event['test'])
        elif event['what'] == 'lived':
            for mutant in event['mutants']:
                self.lived.setdefault(mutant, set()).add(event['test'])
                if len(event['mutants']) == 1:
                    self.alone.setdefault(mutant, set()).add(event['test'])
        else:
            self.caught[event['mutant']] = event['what'], event['test']

    def add(self, what, **fields):
        self.take({'what': what, **fields})
        data = (json.dumps({'what': what, **fields}) + '\n').encode()
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(file, data)
        os.close(file)


def in_processes(jobs, run):
    """run(job) in a process each. Whether all went well."""
    sys.stdout.flush()
    children = []
    for job in range(jobs):
        children.append(os.fork())
        if not children[-1]:
            try:
                run(job)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            sys.stdout.flush()
            os._exit(0)
    return not any([os.waitpid(child, 0)[1] for child in children])


class Campaign:
    def __init__(self, items, mutants, journal, jobs, budget, until):
        self.items = {item.name: item for item in items}
        self.mutants = mutants      # number -> Mutant
        self.journal = journal
        self.jobs, self.budget, self.until = jobs, budget, until
        self.held, self.noticed = TOGETHER, 0  # lately

    def is_over(self):
        return time.time() > self.until

    # ---- one test ----------------------------------------------------------------------------------
    def survey(self, item, folder, job):
        """How long a test takes, and which mutants it comes by."""
        path = pathlib.Path(folder, f'reached.{job}')
        path.unlink(missing_ok=True)
        os.environ.pop('MUTANT', None)
        os.environ['MUTATE_REACHED'] = str(path)
        start, before = time.time(), work_done()
        try:
            item.run(tests.UNKNOWN)
        except Exception as error:  # also what a test of ranks runs into where there is no transport
            print(f'left out, as it fails without a change: {item.name}: {str(error).strip().splitlines()[-1:]}', flush=True)
            self.journal.add('broken', test=item.name)
            return
        finally:
            del os.environ['MUTATE_REACHED']
        data = path.read_bytes() if path.exists() else b''
        numbers = {int.from_bytes(data[k:k + 4], 'little') for k in range(0, len(data) // 4 * 4, 4)}
        self.journal.add('test', test=item.name, seconds=round(time.time() - start, 3), work=round(work_done() - before, 3),
                         reaches=sorted(self.mutants[n].id for n in numbers if n in self.mutants))

    def fails(self, item, numbers):
        """'caught' or 'hung' if the test fails with these mutants."""
        os.environ['MUTANT'] = ','.join(map(str, numbers))
        try:
            item.run(tests.SLOWER * self.journal.tests[item.name].seconds + tests.PATIENCE)
        except tests.Hung:
            return 'hung'
        except Exception:
            return 'caught'
        finally:
            del os.environ['MUTANT']
        return None

    def size(self):
        """Of a group of which about one mutant is noticed: halving a group of many that are costs more than to try each."""
        return max(1, min(TOGETHER, round(self.held / (self.noticed + 1))))

    def hold_all(self, name, numbers):
        """Runs a test with the mutants in groups, none beside another of its file, and not for each test in the same way: one may hide what another does."""
        left = sorted(numbers, key=lambda number: hashlib.sha1(f'{name} {self.mutants[number].id}'.encode()).digest())
        while left:
            group = {}
            for number in left:
                if len(group) < self.size():
                    group.setdefault(self.mutants[number].path, number)
            left = [number for number in left if number not in group.values()]
            before = len(self.journal.caught)
            self.hold(name, list(group.values()))
            self.held = self.held * FADES + len(group)
            self.noticed = self.noticed * FADES + len(self.journal.caught) - before

    def hold(self, name, group, will_fail=False):
        """Runs a test with a group and, where it fails, with the halves of it. Whether it passed with all of them."""
        if self.is_over() or name in self.journal.broken:
            return True
        outcome = 'caught' if will_fail and len(group) > 1 else self.fails(self.items[name], group)
        if not outcome:
            self.journal.add('lived', mutants=[self.mutants[number].id for number in group], test=name)
        elif len(group) == 1:
            self.record(self.mutants[group[0]], name, outcome)
        else:
            half = len(group) // 2
            self.hold(name, group[half:], self.hold(name, group[:half]))
        return not outcome

    def record(self, mutant, name, outcome):
        """A test failed with a mutant: does it without?"""
        if not (self.items[name].is_settled and outcome == 'caught') and self.fails(self.items[name], ()):
            self.journal.add('broken', test=name)
        else:
            self.journal.add(outcome, mutant=mutant.id, test=name)
            print(f'{mutant.id} {outcome} {mutant.path}: {mutant.function}: {mutant.kind}: {name}', flush=True)

    # ---- one mutant --------------------------------------------------------------------------------
    def order(self, mutant, names):
        """Those first that caught many of the same file or at all in little time, that are near it, and that come by few others."""
        kills, nearby = {}, {}
        by_id = {other.id: other.path for other in self.mutants.values()}
        for id, (_, test) in self.journal.caught.items():
            kills[test] = kills.get(test, 0) + 1
            nearby[test] = nearby.get(test, 0) + (by_id.get(id) == mutant.path)

        def weight(name):
            test = self.journal.tests[name]
            near = self.items[name].is_near(mutant.path)
            return (1 + kills.get(name, 0) + 4 * nearby.get(name, 0)) * near / (test.work + 0.05) / (5 + len(test.reaches)) ** 0.5
        return sorted(names, key=weight, reverse=True)

    def attempt(self, number, names):
        """Runs the mutant alone against tests up to the first that fails, for as long as one may take."""
        mutant, start = self.mutants[number], time.time()
        for name in self.order(mutant, names):
            if time.time() - start > self.budget or self.is_over() or mutant.id in self.journal.caught:
                return
            if name not in self.journal.broken:
                self.hold(name, [number])

    def open(self):
        self.journal.read()
        return [number for number, mutant in self.mutants.items() if mutant.id not in self.journal.caught]

    def work(self, name):
        test = self.journal.tests.get(name)
        return test.work if test else 0.0

    def to_try(self, mutant, names, lived):
        done = lived.get(mutant.id, ())
        return [name for name in names if name in self.journal.tests and name not in self.journal.broken and name not in done and mutant.id in self.journal.tests[name].reaches]

    def is_seasoned(self, mutant, name):
        return sum(tests.kind_of(other) == tests.kind_of(name) for other in self.journal.lived.get(mutant.id, ())) >= ENOUGH

    def hold_open(self, names, all_kinds=False):
        """What is open against tests of a batch, in groups."""
        for name in names:
            numbers = [number for number, mutant in self.mutants.items() if mutant.id not in self.journal.caught and self.to_try(mutant, [name], self.journal.lived)
                       and (all_kinds or not self.is_seasoned(mutant, name))]
            self.hold_all(name, numbers)

    # ---- all of them -------------------------------------------------------------------------------
    def run(self):
        order = sorted(self.items, key=lambda name: (self.items[name].turn(), hashlib.sha1(name.encode()).digest()))
        with tempfile.TemporaryDirectory() as folder:
            for first in range(0, len(order), BATCH):
                batch = order[first:first + BATCH]
                missing = [name for name in batch if name not in self.journal.tests and name not in self.journal.broken]
                in_processes(self.jobs, lambda job: [self.survey(self.items[name], folder, job) for name in missing[job::self.jobs] if not self.is_over()])
                left = self.open()
                print(f'{min(first + BATCH, len(order))} of {len(order)} tests, {len(left)} of {len(self.mutants)} mutants open', flush=True)
                if not left or self.is_over():
                    break
                in_processes(self.jobs, lambda job: self.hold_open([name for name in batch[job::self.jobs] if self.work(name) <= LONG]))
        self.journal.read()
        in_processes(self.jobs, lambda job: self.hold_open(sorted(order, key=self.work)[job::self.jobs], True))
        left = self.open()
        in_processes(self.jobs, lambda job: [self.attempt(number, self.to_try(self.mutants[number], order, self.journal.alone)) for number in left[job::self.jobs]])
        self.journal.read()

    def state(self, mutant):
        """(outcome, what) of a mutant by the journal; open: not all tests have run."""
        if mutant.id in self.journal.caught:
            return self.journal.caught[mutant.id]
        reached = [name for name, test in self.journal.tests.items() if mutant.id in test.reaches and name in self.items]
        left = self.to_try(mutant, reached, self.journal.lived)
        is_done = not left and all(name in self.journal.tests or name in self.journal.broken for name in self.items)
        return 'survived' if is_done else 'open', f'{len(reached) - len(left)} of {len(reached)} tests that come by it'
