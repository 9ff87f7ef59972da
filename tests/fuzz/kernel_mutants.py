#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels with one mistake each: does `pallasc check` report it?

Each program given (a `.pk` or `.py` file, or a page `.md`, whose blocks ```python file=NAME are programs) is changed in one place: a wait, start, signal or barrier is dropped, an
index of `.at[…]` is off by one, a slot is the next one, the semaphores or the sides of a copy change places, there is one buffer less, a count of units is one more or less, a signal or a copy goes to another neighbour,
a condition of `pl.when` is turned round or left out, two statements that stand one behind the other change places. A mutant is

  found      check reports it
  refused    it is not compiled, or an exception of its call says why
  asserted   nothing is reported, but the program's own assertion fails
  same       nothing is reported, and it prints what the program prints, in every schedule: the change makes no difference there
  other      nothing is reported, and it prints something else, the same in every schedule: another program, without a hazard
  missed     nothing is reported, but what it prints depends on the schedule, or it does not end

Of programs that print nothing of their results (entry points alone) only findings count. With --list each mutant that is not found is shown.
Exit status 0 if none is missed. The last line is `N passed, N failed, N skipped`; mutants of programs that are not silent themselves are skipped.
"""
import argparse
import ast
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DROPPED = {'wait', 'wait_send', 'wait_recv', 'start', 'semaphore_wait', 'semaphore_signal', 'subcore_barrier', 'core_barrier', 'barrier'}
COUNTED = {'semaphore_wait', 'semaphore_signal'}
SLOT = r'slot|parity|^buf$|^cur$|^nxt$|^prev$'
COPIES = {'make_async_copy', 'async_copy', 'sync_copy', 'make_async_remote_copy', 'async_remote_copy'}
MEMORY = {'VMEM', 'SMEM', 'DMA', 'REGULAR', 'Buffered', 'HBM'}
FENCE = re.compile(r'^```python file=(\S+)\n(.*?)^```$', re.M | re.S)
CAUGHT = 'found', 'refused'
Mutant = collections.namedtuple('Mutant', 'kind line text was')


# ---- changes ---------------------------------------------------------------------------------------

class Source:
    """A program and the places of its nodes in the text."""

    def __init__(self, text):
        self.text, self.tree = text, ast.parse(text)
        self.lines = [0]
        for line in text.encode().splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def span(self, node):
        return self.lines[node.lineno - 1] + node.col_offset, self.lines[node.end_lineno - 1] + node.end_col_offset

    def of(self, node):
        first, last = self.span(node)
        return self.text.encode()[first:last].decode()

    def changed(self, *changes):
        """The text in which each node has other text."""
        out = self.text.encode()
        for node, text in sorted(changes, key=lambda change: -self.span(change[0])[0]):
            first, last = self.span(node)
            out = out[:first] + text.encode() + out[last:]
        return out.decode()


def name_of(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, 'id', '')


def dropped(source, node):
    """A statement that is a call; of `copy(…).wait()` the copy is still made."""
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and name_of(node.value) in DROPPED):
        return
    call = node.value
    below = call.func.value if isinstance(call.func, ast.Attribute) else None
    yield f'drop {name_of(call)}', node, [(node, source.of(below) if isinstance(below, ast.Call) else 'pass')]


def moved(source, node):
    """An index of `.at[…]`, or where a slice of it begins."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == 'at'):
        return
    for index in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
        if isinstance(index, ast.Call) and name_of(index) in ('ds', 'dslice') and len(index.args) > 1:
            index = index.args[0]
        if isinstance(index, (ast.Slice, ast.Constant)) and not isinstance(getattr(index, 'value', None), int):
            continue
        for by in ('+ 1', '- 1'):
            yield f'index {by}', index, [(index, f'({source.of(index)}) {by}')]


def exchanged(source, node):
    """Two operands of a copy."""
    if not (isinstance(node, ast.Call) and name_of(node) in COPIES):
        return
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    pairs = [('direction', 0, 1, 'src_ref', 'dst_ref')]
    if 'remote' in name_of(node):
        pairs.append(('semaphores', 2, 3, 'send_sem', 'recv_sem'))
    for kind, i, j, first, second in pairs:
        one = node.args[i] if i < len(node.args) else named.get(first)
        other = node.args[j] if j < len(node.args) else named.get(second)
        if one is not None and other is not None and source.of(one) != source.of(other):
            yield kind, node, [(one, source.of(other)), (other, source.of(one))]


def fewer(source, node):
    """One buffer less, or one semaphore."""
    if not (isinstance(node, ast.Call) and name_of(node) in MEMORY and node.args):
        return
    count = node.args[0].elts[0] if isinstance(node.args[0], ast.Tuple) and node.args[0].elts else node.args[0]
    is_count = name_of(node) in ('DMA', 'REGULAR', 'Buffered') or isinstance(node.args[0], ast.Tuple) and len(node.args[0].elts) > 2
    is_known = isinstance(count, ast.Constant) and isinstance(count.value, int) and count.value > 1
    if is_count and (is_known or isinstance(count, ast.Name)):
        yield 'one less', node, [(count, str(count.value - 1) if is_known else f'({source.of(count)} - 1)')]


def turned(source, node):
    if isinstance(node, ast.Call) and name_of(node) == 'when' and node.args:
        condition = node.args[0]
        yield 'when not', node, [(condition, f'jnp.logical_not({source.of(condition)})')]
        yield 'when always', node, [(condition, f'({source.of(condition)}) | True')]


def other_slot(source, node):
    """An index that says which buffer: by its name, or as a remainder."""
    if isinstance(node, ast.Subscript):
        for index in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            if isinstance(index, ast.Name) and re.search(SLOT, index.id):
                yield 'slot', index, [(index, f'1 - {index.id}')]
    count = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        value, count = node.left, node.right
    elif isinstance(node, ast.Call) and name_of(node) == 'rem' and len(node.args) == 2:
        value, count = node.args
    if isinstance(count, ast.Constant) and count.value in (2, 3):
        yield 'parity', node, [(value, f'({source.of(value)} + 1)')]


def other_count(source, node):
    """The units of a wait or of a signal."""
    if not (isinstance(node, ast.Call) and name_of(node) in COUNTED):
        return
    named = [keyword.value for keyword in node.keywords if keyword.arg in ('inc', 'dec', 'value')]
    for units in [*named, *node.args[1:2]]:
        for by in ('+ 1', '- 1'):
            yield f'units {by}', node, [(units, f'({source.of(units)}) {by}')]


def other_device(source, node):
    """Another device than the one named."""
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg == 'device_id':
                text = source.of(keyword.value)
                for one, other in (('left', 'right'), ('right', 'left')):
                    if re.search(rf'\b{one}\b', text) and re.search(rf'\b{other}\b', source.text):
                        yield 'device', keyword.value, [(keyword.value, re.sub(rf'\b{one}\b', other, text))]


def has_effect(statement):
    return any(isinstance(node, ast.Call) and name_of(node) in DROPPED for node in ast.walk(statement))


def swapped(source, node):
    """Two statements of a block, one of which waits, signals or starts; what a name is bound to stays before it is used."""
    for block in (getattr(node, 'body', None), getattr(node, 'orelse', None)):
        for one, other in zip(block, block[1:]) if isinstance(block, list) else ():
            if not all(isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign)) for statement in (one, other)) or not (has_effect(one) or has_effect(other)):
                continue
            bound = {name.id for name in ast.walk(one) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
            if not any(isinstance(name, ast.Name) and name.id in bound for name in ast.walk(other)):
                yield 'swap', one, [(one, source.of(other)), (other, source.of(one))]


RULES = dropped, moved, exchanged, fewer, turned, other_slot, other_count, other_device, swapped


def mutants(text):
    source, seen = Source(text), set()
    for node in ast.walk(source.tree):
        for rule in RULES:
            for kind, place, changes in rule(source, node):
                mutant = Mutant(kind, place.lineno, source.changed(*changes), source.of(place).partition('\n')[0])
                if mutant.text not in seen:
                    seen.add(mutant.text)
                    yield mutant


# ---- programs ---------------------------------------------------------------------------------------

def programs(path):
    """(name, text) of a file, or of the blocks of a page."""
    text = path.read_text(encoding='utf-8')
    if path.suffix != '.md':
        return [(path.name, text)]
    return [(name, block) for name, block in FENCE.findall(text) if name.endswith(('.pk', '.py')) and 'pl.' in block]


def machine(text):
    for line in text.splitlines()[:8]:
        if line.startswith('# flags:'):
            return shlex.split(line.partition(':')[2])
    return [f'--{word}' for word in re.findall(r'\b(?:devices|tpu)=\w+', text.partition('\n')[0])]


class Runner:
    def __init__(self, args):
        self.args = args

    def run(self, folder, name, command, options):
        """(status or None, standard output, standard error)"""
        line = [self.args.pallasc, command, '-Wno-all', *options, name]
        try:
            done = subprocess.run(line, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=self.args.timeout, errors='replace')
        except subprocess.TimeoutExpired:
            return None, '', 'it does not end'
        return done.returncode, done.stdout, done.stderr

    def printed(self, folder, name, options):
        """What it prints in some schedules, each once."""
        return {self.run(folder, name, 'run', [*options, f'--seed={seed}'])[:2] for seed in range(self.args.seeds)}

    def verdict(self, folder, name, options, expected):
        status, _, errors = self.run(folder, name, 'check', [*options, '--max-turns=1000000', '--error-format=json'])
        if status is None:
            return 'missed', errors
        if status:
            reports = [json.loads(line) for line in errors.splitlines() if line.startswith('{')]
            kind = next((found['kind'] for found in reports if 'kind' in found), None)
            is_assertion = any(found['message'].startswith('AssertionError') for found in reports)
            return ('found', kind) if kind else ('asserted' if is_assertion else 'refused', '')
        printed = self.printed(folder, name, options)
        if len(printed) > 1:
            return 'missed', 'what it prints depends on the schedule'
        return ('same' if printed == expected else 'other'), ''


def try_one(runner, folder, name, options, expected, number, mutant):
    file = f'{pathlib.Path(name).stem}_{number}{pathlib.Path(name).suffix}'
    (folder / file).write_text(mutant.text, encoding='utf-8')
    verdict, errors = runner.verdict(folder, file, options, expected)
    if verdict in CAUGHT:
        (folder / file).unlink()
    return verdict, errors


def try_program(runner, pool, folder, path, name, text, counts, left):
    """Tries all mutants of a program; adds to `counts` by kind and verdict, and to `left` those that are not found."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
    for other in path.parent.glob('*.pk'):  # what it may import
        (folder / other.name).symlink_to(other)
    (folder / name).unlink(missing_ok=True)
    (folder / name).write_text(text, encoding='utf-8')
    options = machine(text)
    all_mutants = [mutant for mutant in mutants(text) if runner.args.kind in mutant.kind]
    if not all_mutants:
        return
    if runner.run(folder, name, 'check', options)[0] != 0:
        counts['', 'skipped'] += len(all_mutants)
        return
    expected = runner.printed(folder, name, options)
    tried = [pool.submit(try_one, runner, folder, name, options, expected, i, mutant) for i, mutant in enumerate(all_mutants)]
    for i, (mutant, one) in enumerate(zip(all_mutants, tried)):
        verdict, errors = one.result()
        counts[mutant.kind, verdict] += 1
        if verdict not in CAUGHT:
            left.append(f'{verdict}: {path.name}:{name}:{mutant.line}: {mutant.kind}: {mutant.was} {errors} ({folder.name}/{i})')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('paths', nargs='*', type=pathlib.Path, help='programs and pages; without any, the examples and the pages of docs')
    parser.add_argument('--pallasc', default=str(ROOT / 'build' / 'pallasc'))
    parser.add_argument('--seeds', type=int, default=4, help='schedules in which a mutant without a finding is run')
    parser.add_argument('--timeout', type=float, default=60)
    parser.add_argument('--kind', default='', metavar='SUBSTR', help='changes whose name has it')
    parser.add_argument('--list', action='store_true', help='show each mutant that is not found')
    parser.add_argument('--keep', type=pathlib.Path, help='a folder for mutants that are not found')
    parser.add_argument('-j', type=int, default=os.cpu_count())
    args = parser.parse_args()
    args.pallasc = str(pathlib.Path(args.pallasc).resolve())
    paths = args.paths or [*sorted((ROOT / 'dsl-examples').glob('*/*.pk')), *sorted((ROOT / 'docs').glob('*.md'))]
    counts, left = collections.Counter(), []
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        folder = args.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            for name, text in programs(path.resolve()):
                try_program(Runner(args), pool, folder, path.resolve(), name, text, counts, left)
    verdicts = (*CAUGHT, 'asserted', 'same', 'other', 'missed')
    for kind in sorted({kind for kind, _ in counts if kind}):
        print(f'{kind:22}', *[f'{counts[kind, verdict]:5} {verdict}' for verdict in verdicts])
    for line in left:
        if args.list or line.startswith('missed'):
            print(line)
    total = {verdict: sum(n for (_, is_it), n in counts.items() if is_it == verdict) for verdict in (*verdicts, 'skipped')}
    print(', '.join(f'{total[verdict]} {verdict}' for verdict in verdicts))
    print(f'{sum(total.values()) - total["missed"] - total["skipped"]} passed, {total["missed"]} failed, {total["skipped"]} skipped')
    return 1 if total['missed'] else 0


if __name__ == '__main__':
    sys.exit(main())
