#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the seed programs under both schedulers: with 1 and 8 threads, and with the seeds below N on one thread.

Each must end well and print the same every time. The first line of a program says what machine it wants: `# devices=4 tpu=v5p`.
The last line is `N passed, N failed, N skipped`. `--seeds 100` is the long run, which ./tests/run does not make.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

NAMES = ('000_core_map', '001_pipelining', '002_notes', '003_quickstart', '004_buffered')


def run(args, path, option):
    with path.open(encoding='utf-8') as file:
        machine = [f'--{word}' for word in re.findall(r'\b(?:devices|tpu)=\w+', file.readline())]
    command = [args.pallasc, 'run', *machine, *option, str(path)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=args.timeout, errors='replace', cwd=path.parent)
    except subprocess.TimeoutExpired:
        return f'still running after {args.timeout} s', ''
    return ('' if done.returncode == 0 else f'exit status {done.returncode}\n' + done.stderr[-2000:]), done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pallasc', required=True, metavar='PATH')
    parser.add_argument('--folder', type=pathlib.Path, required=True, metavar='DIR', help='where the programs lie')
    parser.add_argument('--seeds', type=int, default=3, metavar='N')
    parser.add_argument('--filter', default='', metavar='SUBSTR', help='programs whose name has it')
    parser.add_argument('-j', type=int, default=os.cpu_count(), metavar='N', help='runs at a time')
    parser.add_argument('--timeout', type=float, default=300, metavar='SECONDS')
    args = parser.parse_args()
    args.pallasc = os.path.abspath(args.pallasc)
    options = [['--threads=1'], ['--threads=8'], *([f'--seed={seed}'] for seed in range(args.seeds))]
    count = dict(passed=0, failed=0, skipped=0)
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        for name in NAMES:
            path = args.folder / f'{name}.pk'
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
