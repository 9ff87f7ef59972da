#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the commands in README.md and docs/*.md.

The blocks of one page run in one folder of their own, from top to bottom. A block's language says what happens:
  ```sh                   its lines run, with the build folder in PATH and PKG_CONFIG_PATH, as the README sets them; status 0 is expected
  ```sh status=1          that status of the last line
  ```sh by=tests/x.py     is run by that file, which names the page
  ```sh root              in the project's folder
  ```sh needs=gdb         is counted as skipped where there is no such program
  ```console              lines with `$ ` run, the others must be what they print; … stands for anything
  ```python file=add.pk   (or any language) is written to add.pk; so is a block whose first line is the comment `# add.pk` or `// app.c`
  ```ir                   is read and printed; ```c is compiled as statements of a function that has arrays x, y and out, … left out
Anything else in a language that is neither run nor written is an error. A block without a language is a picture or a text; one with lines that look like commands is an error.
  <!-- python: numpy pallasc -->  where python3 cannot import these, the page's blocks behind it are counted as skipped (tests/python runs them)
  <!-- array: x.npy f4 8,128 -->  on a line of its own makes an array of small numbers for the commands behind it
Exit status 0 if all is well. The last line is `N passed, N failed, N skipped`. Needs the standard library alone.
"""
import argparse
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARRAY = re.compile(r'<!-- array: (\S+) ([fiu]\d) ([\d,]*) -->$')
MODULES = re.compile(r'<!-- python: ([\w ]+) -->$')
FENCE = re.compile(r'^(\s*)(```+)\s*(.*)$')
ELSEWHERE = ('./tests/run', './dsl-examples/run')  # run by themselves


class Failed(Exception):
    pass


def blocks_of(path):
    """(line number, info words, lines) of each fenced block."""
    block = None
    for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
        match = FENCE.match(line)
        if block is None and (array := ARRAY.match(line.strip())):
            yield number, ['array'], list(array.groups())
        elif block is None and (modules := MODULES.match(line.strip())):
            yield number, ['modules'], modules.group(1).split()
        elif block is None and match:
            block = (number, match.group(3).split(), [], match.group(2), len(match.group(1)))
        elif block is not None and match and match.group(2) == block[3] and not match.group(3):
            yield block[:3]
            block = None
        elif block is not None:
            block[2].append(line[block[4]:])


def run_shell(text, folder, environment):
    try:
        return subprocess.run(['bash', '-e', '-o', 'pipefail', '-c', text], cwd=folder, env=environment, text=True, errors='replace',
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=3000)
    except subprocess.TimeoutExpired:
        raise Failed('still running after 300 s') from None


def run_block(words, lines, folder, environment):
    lines = [line for line in lines if not line.strip().startswith(ELSEWHERE)]
    status = next((int(word[7:]) for word in words if word.startswith('status=')), 0)
    done = run_shell('\n'.join(lines), ROOT if 'root' in words else folder, environment)
    if done.returncode != status:
        raise Failed(f'exit status {done.returncode}, not {status}\n{done.stdout[-2000:]}')


def matches(want, got):
    pattern = '.*'.join(re.escape(piece) for piece in want.split('…'))
    return re.fullmatch(pattern, got, re.DOTALL) is not None


def run_console(lines, folder, environment):
    """Commands one after the other, each with the lines behind it."""
    steps = []
    for line in lines:
        if line.startswith('$ '):
            steps.append((line[2:], []))
        elif line.startswith('> ') and steps and not steps[-1][1]:
            steps[-1] = (steps[-1][0] + '\n' + line[2:], [])
        elif steps:
            steps[-1][1].append(line)
    for command, want in steps:
        done = run_shell(command, folder, environment)
        got = '\n'.join(line.rstrip() for line in done.stdout.rstrip().splitlines())
        if not matches('\n'.join(want).rstrip(), got):
            raise Failed(f'$ {command}\nprints\n{got}')


def write_array(path, kind, shape):
    dims = [int(dim) for dim in shape.split(',') if dim]
    count = 1
    for dim in dims:
        count *= dim
    header = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': ({''.join(f'{dim}, ' for dim in dims)})}}"
    letter = {'f4': 'f', 'f8': 'd', 'i4': 'i', 'u4': 'I', 'i1': 'b', 'u1': 'B'}[kind]
    data = struct.pack(f'<{count}{letter}', *(i % 100 for i in range(count)))
    path.write_bytes(b'\x93NUMPY\1\0' + struct.pack('<H', len(header)) + header.encode() + data)


def file_name(words, lines):
    """The file that a block is, or None."""
    named = next((word[5:] for word in words if word.startswith('file=')), None)
    if named or not lines or not words or words[0] in ('sh', 'console'):
        return named
    match = re.fullmatch(r'(?:#|//|;|/\*) ([\w.-]+\.\w+)(?: \*/)?', lines[0].strip())
    return match and match.group(1)


def check_ir(lines, folder, environment):
    pathlib.Path(folder, 'block.ir').write_text('\n'.join(lines) + '\n', encoding='utf-8')
    done = run_shell('pallasc --from-ir block.ir --emit=trace -o again.ir && pallasc --from-ir again.ir --emit=trace', folder, environment)
    if done.returncode != 0:
        raise Failed(done.stdout[-2000:])


def check_statements(lines, folder, environment):
    text = '\n'.join(line for line in lines if line.strip() != '…')
    pathlib.Path(folder, 'block.c').write_text(
        f'#define _GNU_SOURCE\n#include <dlfcn.h>\n#include "prt.h"\nfloat x[1], y[1], out[1];\nvoid block(void) {{\n{text}\n}}\n', encoding='utf-8')
    done = run_shell('cc -std=c11 -Wall -Wno-unused-variable -Werror -fsyntax-only $(pkg-config --cflags pallasrt) block.c', folder, environment)
    if done.returncode != 0:
        raise Failed(done.stdout[-2000:])


def refuse_unmarked(words, lines, folder, environment):
    commands = [line for line in lines if re.match(r'\s*(\$ |pallasc |\./|cc |cmake |ninja |python3? )', line)]
    if words and words[0] != 'text':
        raise Failed(f'this block of {words[0]} is not run by anything')
    if commands:
        raise Failed(f'a block without a language has a command: {commands[0]}')


RUNNERS = dict(sh=run_block, console=lambda words, *rest: run_console(*rest), ir=lambda words, *rest: check_ir(*rest),
               c=lambda words, *rest: check_statements(*rest))


def environment_for(build):
    joined = lambda first, name: ':'.join(filter(None, [str(first), os.environ.get(name)]))
    return {**os.environ, 'PATH': joined(build, 'PATH'), 'PKG_CONFIG_PATH': joined(build, 'PKG_CONFIG_PATH'), 'NO_COLOR': '1'}


def can_import(modules):
    return subprocess.run(['python3', '-c', f'import {", ".join(modules)}'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def what_lacks(words):
    return next((f'there is no {word[6:]}' for word in words if word.startswith('needs=') and not shutil.which(word[6:])), None)


def check_runner(name, page):
    """The file that is said to run a block is there, and knows its page."""
    runner = ROOT / name
    if not runner.is_file() or page.name not in runner.read_text(encoding='utf-8'):
        raise Failed(f'{name} does not run the blocks of {page.name}')


def run_block_of(words, lines, page, folder, environment):
    """Whether the block is one to count."""
    runner = next((word[3:] for word in words if word.startswith('by=')), None)
    if runner:
        check_runner(runner, page)
        return False
    RUNNERS.get(words[0] if words else '', refuse_unmarked)(words, lines, folder, environment)
    return bool(words)


def run_page(path, build, count):
    has_modules = True
    with tempfile.TemporaryDirectory() as folder:
        for number, words, lines in blocks_of(path):
            language = words[0] if words else ''
            if language == 'array':
                write_array(pathlib.Path(folder, lines[0]), *lines[1:])
                continue
            name = file_name(words, lines)
            if name:
                target = pathlib.Path(folder, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text('\n'.join(lines) + '\n', encoding='utf-8')
                continue
            if language == 'modules':
                has_modules = can_import(lines)
                continue
            lacking = what_lacks(words) if has_modules else 'python3 lacks its modules'
            if lacking:
                count['skipped'] += 1
                print(f'skipped: {path.relative_to(ROOT)}:{number}: {lacking}', flush=True)
                continue
            try:
                count['passed'] += run_block_of(words, lines, path, folder, environment_for(build))
            except Failed as error:
                count['failed'] += 1
                print(f'failed: {path.relative_to(ROOT)}:{number}: {error}', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build', metavar='FOLDER')
    parser.add_argument('pages', nargs='*', type=pathlib.Path, help='default: README.md, CONTRIBUTING.md, dsl-examples/README.md, docs/*.md')
    args = parser.parse_args()
    pages = args.pages or [ROOT / 'README.md', ROOT / 'CONTRIBUTING.md', ROOT / 'dsl-examples' / 'README.md', *sorted((ROOT / 'docs').glob('*.md'))]
    count = dict(passed=0, failed=0, skipped=0)
    for page in pages:
        if page.exists():
            run_page(page.resolve(), args.build.resolve(), count)
    print(', '.join(f'{number} {outcome}' for outcome, number in count.items()))
    return 1 if count['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
