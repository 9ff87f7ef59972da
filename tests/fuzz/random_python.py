#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of plain Python, run by pallasc and by CPython: what they print, and the types and texts of their exceptions, are compared.

    python3.11 tests/fuzz/random_python.py --count 5000 --seed 1

A program is a function of statements (assignments of every form, branches, loops, exceptions, contexts, functions, classes, generators, patterns)
over expressions that are drawn by type, now and then of a wrong one, so that errors are compared, too. Many programs are one file. A failing one
is made smaller, statement by statement and expression by expression, for as long as it fails in the same way. `--seed S --count 1 --show` prints a program.
The last line is `N passed, N failed, N skipped`.
"""
import argparse
import ast
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import warnings

from python_grammar import HEAD, Program


def with_sorted_sets(line):
    """The order of a set of texts is another in each run of CPython: in what is printed of a set its items are sorted."""
    return re.sub(r'\{[^{}:]*\}', lambda m: '{' + ', '.join(sorted(m[0][1:-1].split(', '))) + '}', line)


def outputs(command, path):
    """What each program of a file printed, by its number; and the last words of standard error."""
    try:
        done = subprocess.run([*command, str(path)], capture_output=True, text=True, timeout=20, errors='replace')
        out, err = done.stdout, f'status {done.returncode} {done.stderr[-300:]}'
    except subprocess.TimeoutExpired as hang:
        out, err = (hang.stdout or b'').decode('utf-8', 'replace'), 'no end in 20 s'
    found, at = {}, None
    for line in out.splitlines():
        if line.startswith('#case '):
            at = int(line[6:])
            found[at] = []
        elif at is not None:
            found[at].append(with_sorted_sets(line))
    return found, err


class Both:
    """Runs files of programs under both."""

    def __init__(self, options, folder):
        self.ours, self.theirs, self.folder = [options.pallasc, 'run'], [sys.executable], pathlib.Path(folder)

    def differing(self, programs):
        """(number, our lines, theirs) of the programs, a list of (number, text), that do not print the same."""
        path = self.folder / f'programs_{programs[0][0]}.py'
        path.write_text(HEAD + ''.join(f'\n\n{text}\n\n\nrun({number}, case)\n' for number, text in programs))
        theirs, trouble = outputs(self.theirs, path)
        ours, our_trouble = outputs(self.ours, path)
        absent = [p for p in programs if p[0] not in ours or p[0] not in theirs]
        if absent and len(programs) > 1:  # one of them ended the whole file
            for p in absent:
                yield from self.differing([p])
        for number, _ in programs:
            a, b = ours.get(number, [our_trouble]), theirs.get(number, [trouble])
            if a != b and (len(programs) == 1 or (number in ours and number in theirs)):
                yield number, a, b


def first_difference(a, b):
    for x, y in zip(a, b):
        if x != y:
            return x, y
    return (a[len(b)], '(nothing more)') if len(a) > len(b) else ('(nothing more)', b[len(a)] if len(b) > len(a) else '')


# ---- making a failing program smaller -------------------------------------------------------------------------------------------------


def smaller(tree):
    """Texts of programs that lack one thing of this one: a statement, a clause, or all of an expression but one of its parts."""
    for node in ast.walk(tree):
        for name in ('body', 'orelse', 'finalbody', 'handlers', 'decorator_list', 'cases', 'generators', 'ifs', 'elts', 'args', 'keywords', 'values'):
            held = getattr(node, name, None)
            if not isinstance(held, list):
                continue
            for i in range(len(held)):
                yield from with_list(tree, node, name, held[:i] + held[i + 1:])
                inner = held[i].body + getattr(held[i], 'orelse', []) if isinstance(held[i], (ast.stmt, ast.ExceptHandler, ast.match_case)) and hasattr(held[i], 'body') else []
                if name in ('body', 'orelse', 'finalbody') and inner:
                    yield from with_list(tree, node, name, held[:i] + inner + held[i + 1:])
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(getattr(value, 'ctx', None), (ast.Store, ast.Del)):
                for part in [p for p in ast.iter_child_nodes(value) if isinstance(p, ast.expr)] + ([ast.Constant(0)] if not isinstance(value, ast.Constant) else []):
                    setattr(node, field, part)
                    yield from text_of(tree)
                    setattr(node, field, value)


def with_list(tree, node, name, held):
    before = getattr(node, name)
    setattr(node, name, held or ([ast.Pass()] if name in ('body', 'finalbody') and before and isinstance(before[0], ast.stmt) else []))
    yield from text_of(tree)
    setattr(node, name, before)


def text_of(tree):
    try:
        text = ast.unparse(ast.fix_missing_locations(tree))
        compile(text, 'smaller', 'exec')
        # A loop goes on for as long as its iterator does, and not for ever without it.
        if text.startswith('def case') and all(' is not None' in ast.unparse(node.test) for node in ast.walk(tree) if isinstance(node, ast.While)):
            yield text
    except Exception:
        pass  # what is left is no program


def way_of(a, b):
    """In which way the lines of a program differ: its first difference without what depends on names and numbers."""
    return [re.sub(r"[\d'].*", '', line)[:30] for line in first_difference(a, b)]


def shrink(both, text, budget=60):
    """The least program found that still fails: tried some at a time, since a run of the programs costs more than one of them."""
    found = list(both.differing([(0, text)]))
    again, way = bool(found), found and way_of(*found[0][1:])
    while again and budget > 0:
        again = False
        tries = sorted({t for t in smaller(ast.parse(text)) if len(t) < len(text)}, key=len)
        for begin in range(0, len(tries), 40):
            some = list(enumerate(tries[begin:begin + 40]))
            budget -= 1
            failing = [number for number, ours, theirs in both.differing(some) if way_of(ours, theirs) == way]
            if failing:
                text, again = some[failing[0]][1], True
                break
            if budget <= 0:
                break
    return text


def program(seed):
    """The program of a seed: the first drawn that CPython takes for one."""
    rng = random.Random(seed)
    while True:
        text = Program(rng).text()
        try:
            compile(text, 'drawn', 'exec')
            return text
        except SyntaxError:
            pass  # what no table of ours rules out: an f-string with a quote, two walruses


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--count', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--pallasc', default='build/pallasc')
    parser.add_argument('--show', action='store_true', help='print the programs, run nothing')
    parser.add_argument('--whole', action='store_true', help='print failing programs as they were drawn, not smaller')
    parser.add_argument('--most', type=int, default=20, help='failing programs to print')
    options = parser.parse_args()
    warnings.simplefilter('ignore')
    programs = ((s, program(s)) for s in range(options.seed, options.seed + options.count))
    if options.show:
        print(HEAD, *(text for _, text in programs), sep='\n')
        return 0
    programs, failed = list(programs), 0
    with tempfile.TemporaryDirectory() as folder:
        both = Both(options, folder)
        for begin in range(0, len(programs), 100):
            some = dict(programs[begin:begin + 100])
            for number, _, _ in list(both.differing(list(some.items()))):
                failed += 1
                if failed > options.most:
                    continue
                text = some[number] if options.whole else shrink(both, some[number])
                found = list(both.differing([(number, text)]))
                _, a, b = found[0] if found else (0, ['alone it does not differ'], [''])
                x, y = first_difference(a, b)
                print(f'seed {number}:\n{text}\n  pallasc: {x[:300]}\n  CPython: {y[:300]}', flush=True)
    print(f'{options.count - failed} passed, {failed} failed, 0 skipped')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
