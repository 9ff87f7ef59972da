# SPDX-License-Identifier: Apache-2.0
"""Tests that cannot fail: files that no runner takes up, cases that compare nothing, functions that nobody calls.

In: the tree and its files. Out: a line for each.
"""
import ast
import collections
import importlib.machinery
import importlib.util
import re
import sys

NOT_CASES = {'README.md', 'run_golden', 'run_bad_input', 'make_outputs', 'run_cases', 'arrays.py', 'case_file.py'}
TELLS = re.compile(r'\bassert|\braise\b|np\.testing')


def load(path):
    """A runner as a module."""
    sys.path.insert(0, str(path.parent))
    loader = importlib.machinery.SourceFileLoader(path.name.replace('.', '_'), str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def below(files, folder):
    """The files of a folder that are not there to be imported by others."""
    return [path for path in files if path.is_relative_to(folder) and path.name not in NOT_CASES and 'modules' not in path.parts]


def golden(folder, files):
    """What is neither a source with a text beside it, nor such a text, nor named by a source of the same folder, nor in a project: a folder inside that with a command."""
    cases = list(load(folder / 'run_golden').find_cases([]))
    used = {case.stored for case in cases} | {case.source for case in cases}
    projects = {case.source.parent for case in cases if case.source.suffix == '.cmd'} - set(folder.iterdir())
    words = collections.defaultdict(set)  # of the sources of a folder
    for source in {case.source for case in cases}:
        words[source.relative_to(folder).parts[0]].update(re.findall(r'[\w.]+', source.read_text(encoding='utf-8', errors='replace')))
    for path in below(files, folder):
        top, *parts = path.relative_to(folder).parts
        if path not in used and not words[top].intersection(parts) and not projects.intersection(path.parents):
            yield f'golden/{path.relative_to(folder)}: no case runs it, and none names it'


def kernels(folder, files):
    runner = load(folder / 'run_cases')
    used = set()
    for path in below(files, folder):
        if path.suffix != '.pk':
            continue
        case = runner.case_file.read(path)
        used.update([path, case.stdout_path] if case.kind == 'script' else [path])
        for entry in case.entries:
            used.update(case.array_paths(entry.name, 'in') + case.array_paths(entry.name, 'out'))
        if case.kind == 'script' and not case.stdout_path.exists() and not TELLS.search(path.read_text(encoding='utf-8')):
            yield f'kernels/{path.relative_to(folder)}: nothing is stored, and it asserts nothing'
    for path in below(files, folder):
        if path not in used:
            yield f'kernels/{path.relative_to(folder)}: belongs to no case'


def units(folder):
    """Tests of Check that no suite has: the compiler does not tell."""
    for path in sorted(folder.glob('test_*.c')):
        text = path.read_text(encoding='utf-8')
        added = set(re.findall(r'tcase_add_\w+\(\s*\w+,\s*(\w+)', text))
        for name in re.findall(r'^START_TEST\((\w+)\)', text, re.M):
            if name not in added:
                yield f'unit/{path.name}: no suite has {name}'


def functions(folder, files):
    """A function of a runner or of a file of tests that another of its name replaces."""
    for path in files:
        if path.suffix != '.py' and not path.name.startswith('run_') or not path.is_relative_to(folder) or {'golden', 'kernels'} & set(path.relative_to(folder).parts[:-1]):
            continue
        names = collections.Counter(node.name for node in ast.parse(path.read_text(encoding='utf-8')).body if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
        for name, count in names.items():
            if count > 1:
                yield f'{path.relative_to(folder)}: {name} is there {count} times'


def that_cannot_fail(root, files):
    tests = root / 'tests'
    yield from golden(tests / 'golden', files)
    yield from kernels(tests / 'kernels', files)
    yield from units(tests / 'unit')
    yield from functions(tests, files)
