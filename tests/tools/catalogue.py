#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a catalogue of messages: the first line of every golden diagnostic, by family, with its case."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAMILIES = [  # (folder and beginning of the name, heading)
    ('diagnostics/syntax_', 'Syntax'),
    ('diagnostics/eval_', 'Running the Python, and recording'),
    ('diagnostics/budget_', 'Memory of the chip'),
    ('diagnostics/tpu_', 'What the chip would refuse (`-Wtpu`, `--strict-tpu`)'),
    ('command/', 'The command line'),
    ('ir/', 'IR in text'),
]


def messages(path):
    """The errors and warnings of a golden text, without places."""
    for line in path.read_text(encoding='utf-8', errors='replace').splitlines():
        match = re.match(r'(?:\S.*?: )?(error|warning): (.*)$', line)
        if match:
            yield match.group(1), match.group(2)


def cell(text):
    text = text if len(text) <= 170 else text[:167] + '…'
    return text.replace('|', '\\|').replace('`', "'").replace('<', '&lt;').replace('*', '\\*').replace('_', '\\_')


def catalogue():
    golden = ROOT / 'tests' / 'golden'
    families = {beginning: [] for beginning, _ in FAMILIES}
    others = []
    for path in sorted(golden.glob('*/*.err')):
        name = str(path.relative_to(golden))
        family = next((beginning for beginning in families if name.startswith(beginning)), None)
        (others if family is None else families[family]).append(path)
    for beginning, heading in [*FAMILIES, ('', 'Others')]:
        paths = others if not beginning else families[beginning]
        seen, rows = set(), []
        for path in paths:
            for kind, text in messages(path):
                if text not in seen:
                    seen.add(text)
                    rows.append(f'| {"warning: " if kind == "warning" else ""}{cell(text)} | {path.name.split(".")[0]} |')
        if rows:
            yield f'\n## {heading}\n\n| message | case |\n|---|---|\n' + '\n'.join(rows) + '\n'


def main():
    print('# Messages', *catalogue(), sep='\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
