# SPDX-License-Identifier: Apache-2.0
"""Random programs that must print the same in every way to run them.

In: a function from a seed to a program's text, and the ways: the first one says what is right. Programs share a file, for speed; of a file
that fails each program is tried alone. What fails is kept, with what it printed (--keep DIR), and run some more times: a difference that
does not come again depends on threads or addresses. Needs the standard library alone.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

AGAIN = 5  # runs of each of two ways that disagree, or of one that fails
HANGS = 'it hangs'
ROOT = pathlib.Path(__file__).resolve().parents[2]


def parser_of(text, count, batch=10):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pallasc', default=str(ROOT / 'build' / 'pallasc'), metavar='PATH')
    parser.add_argument('--count', type=int, default=count, metavar='N')
    parser.add_argument('--seed', type=int, default=0, metavar='N', help='of the first program')
    parser.add_argument('--batch', type=int, default=batch, metavar='N', help='programs a file')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), metavar='N', help='files at a time')
    parser.add_argument('--timeout', type=float, default=600, metavar='SECONDS', help='for one run, which is then said to hang')
    parser.add_argument('--show', action='store_true', help='print the first program')
    parser.add_argument('--keep', metavar='DIR', help='put the programs that fail here')
    return parser


def difference(want, got):
    """Where two texts differ: the first line that does, its first elements and how many of it do."""
    lines, others = want.splitlines(), got.splitlines()
    for number, (line, other) in enumerate(zip(lines, others), 1):
        if line == other:
            continue
        a, b = (re.findall(r"[^\s,()\[\]]+", text) for text in (line, other))
        differ = [i for i, pair in enumerate(zip(a, b)) if pair[0] != pair[1]]
        shown = ', '.join(f'{b[i]} for {a[i]} at {i}' for i in differ[:4])
        return f'first in line {number}: of {len(a)} and {len(b)} elements {len(differ)} differ: {shown}'
    return f'{len(others)} lines for {len(lines)}'


class Trial:
    """Programs of `head` and `text_of(seed)`, each run in all of `ways`: the words of pallasc's command."""

    def __init__(self, args, stem, head, text_of, ways):
        self.args, self.stem, self.head, self.text_of, self.ways = args, stem, head, text_of, ways

    def text(self, seeds):
        return self.head + ''.join(self.text_of(seed) for seed in seeds)

    def run(self, path, way):
        """(what it prints, why it is wrong or None). Schedules under check run the same code: it is made once."""
        cache = ['--cache', str(path.parent / 'cache')] if way[0] == 'check' else []
        command = [self.args.pallasc, way[0], *way[1:], *cache, str(path)]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=self.args.timeout)
        except subprocess.TimeoutExpired:
            return '', f'{" ".join(way)}: {HANGS}'
        return done.stdout, f'{" ".join(way)}: status {done.returncode}\n{done.stderr[-1500:]}' if done.returncode else None

    def disagreement(self, path):
        """Why the ways to run the file do not agree; None if they do."""
        want = None
        for way in self.ways:
            printed, wrong = self.run(path, way)
            if wrong:
                return wrong if wrong.endswith(HANGS) else f'{wrong}\n{self.again(path, [(way, wrong)])}'
            if want is None:
                want = printed
            elif printed != want:
                for name, text in (('.want', want), ('.got', printed)):
                    path.with_suffix(name).write_text(text)
                return (f'{" ".join(way)}: prints something else than {" ".join(self.ways[0])} does, {difference(want, printed)}\n'
                        f'{self.again(path, [(self.ways[0], want), (way, printed)])}')
        return None

    def again(self, path, seen):
        """How often each way shows again what was seen of it: what it printed, or why it was wrong."""
        counts = [(way, sum(before in self.run(path, way) for _ in range(AGAIN))) for way, before in seen]
        return 'once more: ' + ', '.join(f'{" ".join(way)} does the same {count} times of {AGAIN}' for way, count in counts)

    def keep(self, path):
        if self.args.keep:
            pathlib.Path(self.args.keep).mkdir(parents=True, exist_ok=True)
            for file in path.parent.glob(f'{path.stem}.*'):
                shutil.copy(file, self.args.keep)

    def failures(self, folder, seeds):
        """Yields (seed, why) of programs that fail."""
        path = pathlib.Path(folder) / f'{self.stem}_{"_to_".join(map(str, sorted({seeds[0], seeds[-1]})))}.pk'
        path.write_text(self.text(seeds))
        wrong = self.disagreement(path)
        if not wrong:
            return
        found = [failure for seed in seeds for failure in self.failures(folder, [seed])] if len(seeds) > 1 else []
        if found:
            yield from found
            return
        self.keep(path)
        yield seeds[0], wrong if len(seeds) == 1 else f'programs {seeds[0]} to {seeds[-1]} in one file: {wrong}'

    def try_all(self):
        """How many fail."""
        failed, args = 0, self.args
        seeds = range(args.seed, args.seed + args.count)
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            batches = [seeds[first:first + args.batch] for first in range(0, args.count, args.batch)]
            for failures in pool.map(lambda batch: list(self.failures(folder, batch)), batches):
                for seed, wrong in failures:
                    failed += 1
                    print(f'failed: program {seed}: {wrong}', flush=True)
        return failed
