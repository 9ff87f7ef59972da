# SPDX-License-Identifier: Apache-2.0
"""Random programs that must print the same in every way to run them.

In: a function from a seed to a program's text, and the ways: the first one says what is right. Programs share a file, for speed; of a file
that fails each program is tried alone, and kept (--keep DIR). Needs the standard library alone.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import tempfile

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
            return '', f'{" ".join(way)}: it hangs'
        return done.stdout, f'{" ".join(way)}: status {done.returncode}\n{done.stderr[-1500:]}' if done.returncode else None

    def disagreement(self, path):
        """Why the ways to run the file do not agree; None if they do."""
        want = None
        for way in self.ways:
            printed, wrong = self.run(path, way)
            if wrong:
                return wrong
            if want is None:
                want = printed
            elif printed != want:
                lines = [number for number, (a, b) in enumerate(zip(want.splitlines(), printed.splitlines()), 1) if a != b]
                return f'{" ".join(way)}: prints something else than {" ".join(self.ways[0])} does, first in line {lines[0] if lines else "?"}'
        return None

    def failures(self, folder, seeds):
        """Yields (seed, why) of programs that fail."""
        path = pathlib.Path(folder) / f'{self.stem}_{seeds[0]}.pk'
        path.write_text(self.text(seeds))
        wrong = self.disagreement(path)
        if wrong and len(seeds) > 1:
            found = [failure for seed in seeds for failure in self.failures(folder, [seed])]
            yield from found or [(seeds[0], f'programs {seeds[0]} to {seeds[-1]} in one file: {wrong}')]
        elif wrong:
            yield seeds[0], wrong
            if self.args.keep:
                pathlib.Path(self.args.keep).mkdir(parents=True, exist_ok=True)
                (pathlib.Path(self.args.keep) / path.name).write_text(path.read_text())

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
