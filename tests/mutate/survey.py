# SPDX-License-Identifier: Apache-2.0
"""Which places of the code each test comes by, kept for every later campaign in the same sources, whatever its seed.

In: sources, and the tests of a build of its own with probes. A place is where a statement stands that is reached if a mutant is; it keeps its
number while one of its mutants keeps its name. A test is run again only when it is new; of places that are new since its run, those in
functions that it came by count as reached.
"""
import collections
import json
import os
import pathlib
import sys
import tempfile
import time
import traceback

import suite as tests
import workshop

TOGETHER = 100  # tests between two writings of the file


class Survey:
    def __init__(self, folder, names, mutants_of):
        self.path = self.find(folder, names)
        kept = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.names = sorted(kept.get('names', names))
        self.numbers = kept.get('numbers', {})      # mutant -> place
        self.functions = kept.get('functions', [])  # place -> where it is
        self.without = set(kept.get('without', []))  # sources that took no probes
        self.items = kept.get('items', {})          # test -> seconds, how many places there were, the bits of those it came by
        self.mutants = mutants_of(name for name in self.names if (workshop.ROOT / name).is_file())
        self.number()

    @staticmethod
    def find(folder, names):
        """A survey that has these sources, or a new file."""
        for path in folder.glob('reached-*.json'):
            if set(names) <= set(json.loads(path.read_text()).get('names', [])):
                return path
        taken = len(list(folder.glob('reached-*.json')))
        return folder / f'reached-{taken}.json'

    def number(self):
        self.places = collections.defaultdict(dict)  # source -> offset -> number
        for mutant in self.mutants:
            if mutant.probe >= 0 and mutant.id in self.numbers:
                self.places[mutant.path].setdefault(mutant.probe, self.numbers[mutant.id])
        for mutant in self.mutants:
            if mutant.probe < 0:
                continue
            number = self.places[mutant.path].setdefault(mutant.probe, len(self.functions))
            if number == len(self.functions):
                self.functions.append(f'{mutant.path}|{mutant.function}')
            self.numbers.setdefault(mutant.id, number)

    def save(self):
        kept = {'names': self.names, 'numbers': self.numbers, 'functions': self.functions, 'without': sorted(self.without), 'items': self.items}
        self.path.write_text(json.dumps(kept))

    def run(self, items, shop, jobs):
        """The tests that it does not have, in a build with probes."""
        start = time.time()
        shop.copy(self.places)
        shop.configure()
        self.without = shop.probe(self.places)
        for first in range(0, len(items), TOGETHER * jobs):
            found, broken = self.run_some(items[first:first + TOGETHER * jobs], jobs)
            self.items.update(found)
            self.save()
            if broken:
                sys.exit('mutate: the survey broke off')
        print(f'{len(items)} tests surveyed in {time.time() - start:.0f} s', flush=True)

    def run_some(self, items, jobs):
        """In as many processes as there are jobs, each with a share of the tests; the probes write to a file a test."""
        found, broken = {}, False
        with tempfile.TemporaryDirectory() as folder:
            children = []
            for job in range(jobs):
                children.append(os.fork())
                if not children[-1]:
                    self.run_share(items[job::jobs], pathlib.Path(folder, f'reached.{job}'), pathlib.Path(folder, f'{job}.json'))
            for job, child in enumerate(children):
                broken |= os.waitpid(child, 0)[1] != 0
                found.update(json.loads(pathlib.Path(folder, f'{job}.json').read_text()))
        return found, broken

    def run_share(self, items, path, out):
        """Does not return."""
        share, status = {}, 1
        try:
            for item in items:
                share[item.name] = self.run_one(item, path)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            out.write_text(json.dumps(share))
            sys.stdout.flush()
            os._exit(status)

    def run_one(self, item, path):
        os.environ['MUTATE_REACHED'] = str(path)
        start, seconds = time.time(), None
        try:
            item.run(900.0)
            seconds = round(time.time() - start, 3)
        except tests.Failed as error:
            print(f'left out, as it fails without a change: {item.name}: {str(error).strip().splitlines()[-1:]}', flush=True)
        data = path.read_bytes() if path.exists() else b''
        path.unlink(missing_ok=True)
        bits = 0
        for number in {int.from_bytes(data[k:k + 4], 'little') for k in range(0, len(data) // 4 * 4, 4)}:
            bits |= 1 << number
        return [seconds, len(self.functions), f'{bits:x}']

    def reaches(self, name, mutants):
        """The names of those of the mutants that a test comes by."""
        _, known, bits = self.items[name]
        bits = int(bits, 16)
        entered = {self.functions[k] for k in range(known) if bits >> k & 1}
        found = set()
        for mutant in mutants:
            number = self.numbers.get(mutant.id, known)
            if mutant.probe < 0 or mutant.path in self.without or (bits >> number & 1 if number < known else f'{mutant.path}|{mutant.function}' in entered):
                found.add(mutant.id)
        return frozenset(found)
