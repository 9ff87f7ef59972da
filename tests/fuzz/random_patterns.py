#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random regular expressions, by pallasc's module re and by CPython's: what they find in random texts, which group closed last, and how they are refused, are compared.

    python3.11 tests/fuzz/random_patterns.py --count 5000 --seed 1

A pattern is drawn as a tree over a small alphabet (letters with unusual cases, white space, digits, what is not ASCII), with flags; now and then one
sign of it is lost or doubled. One in eight is a pattern of bytes. The last line is `N passed, N failed, N skipped`.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

LETTERS = 'aAbB1_ -\n\tßẞKkKiİıſsσςΣäÄéµμ٣½_‿\x1c\x85\u2028あ😀\ud800'
ATOMS = (r'\d', r'\D', r'\s', r'\S', r'\w', r'\W', '.', '[a-c]', '[^a]', r'[\w-]', r'[^\W_]', r'[\s\S]', r'[^\d\s]', '[]a]', '[^]b]', r'[k-s\x85]',
         r'\x41', r'\u0130', r'\n', r'\t', r'\.', '[äÄ]', '[ʰ-τ]', r'[\D1]')
EDGES = ('^', '$', r'\b', r'\B', r'\A', r'\Z')
COUNTS = ('*', '+', '?', '{2}', '{0,2}', '{1,}', '{,3}')

RUN = r'''
import re

def shown(match):
    return match and (match.span(), match.groups(), match.regs, match.lastindex)

def tried(function):
    try:
        return function()
    except (re.error, OverflowError, TypeError, ValueError) as error:
        return type(error).__name__, str(error)

def run(number, pattern, flags, texts, template):
    print("#", number)
    compiled = tried(lambda: re.compile(pattern, flags))
    if isinstance(compiled, tuple):
        print(compiled)
        return
    print(compiled.groups, compiled.flags, compiled.groupindex)
    for text in texts:
        print(shown(compiled.match(text)), shown(compiled.fullmatch(text)), shown(compiled.search(text)), shown(compiled.search(text, 1, 5)))
        print([shown(found) for found in compiled.finditer(text)])
        print(tried(lambda: compiled.subn(template, text)), ascii(compiled.split(text, 2)))

'''


class Pattern:
    """Draws one."""

    def __init__(self, rng):
        self.rng, self.groups, self.names = rng, 0, []

    def atom(self, depth):
        rng, kind = self.rng, self.rng.random()
        if kind < 0.42 or depth > 3:
            letter = rng.choice(LETTERS)
            return '\\' + letter if letter in '-_ ' and rng.random() < 0.2 and letter != '_' else letter
        if kind < 0.6:
            return rng.choice(ATOMS)
        if kind < 0.68:
            return rng.choice(EDGES)
        if kind < 0.72 and self.groups:
            return rng.choice((rf'\{rng.randint(1, self.groups)}', f'(?({rng.randint(1, self.groups)}){self.sequence(depth + 1)}|{self.sequence(depth + 1)})'))
        if kind < 0.74 and self.names:
            return f'(?P={rng.choice(self.names)})'
        return self.group(depth)

    def group(self, depth):
        rng = self.rng
        kind = rng.choice(('', '', '', '?:', '?=', '?!', '?<=', '?<!', '?>', '?i:', '?a:', '?s-i:', '?m:', 'name'))
        if kind in ('?<=', '?<!'):
            return f'({kind}{"".join(self.width_known() for _ in range(rng.randint(1, 2)))})'
        inside = self.alternatives(depth + 1)
        if kind not in ('', 'name'):
            return f'({kind}{inside})'
        self.groups += 1
        if kind == '':
            return f'({inside})'
        self.names.append(f'n{self.groups}')
        return f'(?P<{self.names[-1]}>{inside})'

    def width_known(self):  # or nearly always
        rng = self.rng
        if self.groups and rng.random() < 0.1:
            return rf'\{rng.randint(1, self.groups)}'
        return rng.choice(LETTERS) if rng.random() < 0.6 else rng.choice(ATOMS)

    def sequence(self, depth):
        parts = []
        for _ in range(self.rng.randint(0 if depth else 1, 3)):
            part = self.atom(depth)
            if self.rng.random() < 0.35:
                part += self.rng.choice(COUNTS) + self.rng.choice(('', '', '', '?', '+'))
            parts.append(part)
        return ''.join(parts)

    def alternatives(self, depth):
        return '|'.join(self.sequence(depth) for _ in range(self.rng.choice((1, 1, 1, 2, 3))))


def case(seed, number):
    rng = random.Random(f'{seed}.{number}')
    pattern = Pattern(rng).alternatives(0)
    if rng.random() < 0.1 and pattern:
        at = rng.randrange(len(pattern))
        pattern = pattern[:at] + rng.choice(('', pattern[at] * 2)) + pattern[at + 1:]
    flags = sum(rng.choice((0, 0, flag)) for flag in (2, 8, 16, 256))
    texts = [''.join(rng.choice(LETTERS) for _ in range(rng.randint(0, 8))) for _ in range(3)]
    template = rng.choice((r'<\g<0>>', r'\1-', 'x'))
    if rng.random() < 1 / 8:
        pattern, template, *texts = (text.encode('latin-1', 'ignore') for text in (pattern, template, *texts))
    return f'run({number}, {ascii(pattern)}, {flags}, {ascii(texts)}, {ascii(template)})\n'


def blocks(command, path):
    """What each case printed, by its number; and how it ended."""
    done = subprocess.run([*command, str(path)], capture_output=True, timeout=300)
    found = {}
    for block in done.stdout.decode('utf-8', 'surrogatepass').split('# ')[1:]:
        number, _, text = block.partition('\n')
        found[int(number)] = text
    return found, done.stderr.decode('utf-8', 'replace')[-500:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pallasc', default=str(pathlib.Path(__file__).resolve().parents[2] / 'build/pallasc'))
    parser.add_argument('--count', type=int, default=2000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--show', type=int, default=5, metavar='N', help='so many differences')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'patterns.py'
        cases = [case(options.seed, number) for number in range(options.count)]
        path.write_text(RUN + ''.join(cases))
        theirs, _ = blocks([sys.executable, '-W', 'ignore'], path)
        ours, trouble = blocks([options.pallasc, 'run', '-w'], path)
    differing = [number for number in range(options.count) if ours.get(number) != theirs.get(number)]
    for number in differing[:options.show]:
        print(f'failed: {cases[number]}ours   {ours.get(number, trouble)}theirs {theirs.get(number)}')
    print(f'{options.count - len(differing)} passed, {len(differing)} failed, 0 skipped')
    return 1 if differing else 0


if __name__ == '__main__':
    sys.exit(main())
