#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the seed programs, or our examples, under both schedulers: with 1 and 8 threads, and with the seeds below N on one thread.

Each must end well and print the same every time. The head of a program says what machine it wants: `# devices=4 tpu=v5p`, or
`# flags: --devices 4`. The last line is `N passed, N failed, N skipped`. `--seeds 100` is the long run, which ./tests/run does not make.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import re
import shlex
import subprocess
import sys

NAMES = ('000_core_map', '001_pipelining', '002_notes', '003_quickstart', '004_buffered')


def machine(path):
    with path.open(encoding='utf-8') as file:
        head = list(itertools.islice(file, 8))
    for line in head:
        if line.startswith('# flags:'):
            return shlex.split(line.split(':', 1)[1])
    return [f'--{word}' for word in re.findall(r'\b(?:devices|tpu)=\w+', head[0])]


def run(args, path, option):
    command = [args.pallasc, 'run', *machine(path), *option, str(path.resolve())]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=args.timeout, errors='replace', cwd=path.parent)
    except subprocess.TimeoutExpired:
        return f'still running after {args.timeout} s', ''
    return ('' if done.returncode == 0 else f'exit status {done.returncode}\n' + done.stderr[-2000:]), done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pallasc', required=True, metavar='PATH')
    programs = parser.add_mutually_exclusive_group(required=True)
    programs.add_argument('--folder', type=pathlib.Path, metavar='DIR', help='where the seed programs lie')
    programs.add_argument('--examples', type=pathlib.Path, metavar='DIR', help='every program in the folders of this one')
    parser.add_argument('--seeds', type=int, default=3, metavar='N')
    parser.add_argument('--filter', default='', metavar='SUBSTR', help='programs whose name has it')
    parser.add_argument('-j', type=int, default=os.cpu_count(), metavar='N', help='runs at a time')
    parser.add_argument('--timeout', type=float, default=3000, metavar='SECONDS')
    args = parser.parse_args()
    args.pallasc = os.path.abspath(args.pallasc)
    options = [['--threads=1'], ['--threads=8'], *([f'--seed={seed}'] for seed in range(args.seeds))]
    count = dict(passed=0, failed=0, skipped=0)
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        paths = sorted(args.examples.glob('*/*.pk')) if args.examples else [args.folder / f'{name}.pk' for name in NAMES]
        for path in paths:
            name = path.stem
            if args.filter not in name:
                continue
            if not path.exists():
                print(f'skipped: {path} is not there')
                count['skipped'] += 1
                continue
            results = list(pool.map(lambda option: run(args, path, option), options))
            for option, (wrong, printed) in zip(options, results):
                if not wrong and printed != results[0][1]:
                    wrong = f'prints something else than with {options[0][0]}'
                count['failed' if wrong else 'passed'] += 1
                if wrong:
                    print(f'failed: {name} {option[0]}: {wrong}', flush=True)
    print(', '.join(f'{number} {outcome}' for outcome, number in count.items()))
    return 1 if count['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
