#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules about the tree itself: what includes what, what object files hold, names, sizes. Each rule is a test.

Exit status 0 if all hold. The last line is `N passed, N failed, N skipped`. Needs the standard library alone, and readelf.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ('base', 'syntax', 'python', 'numpy', 'jax', 'ir', 'passes', 'codegen', 'driver')

# base <- syntax <- python <- numpy <- jax -> ir <- passes <- codegen <- driver
MAY_INCLUDE = {
    'base': {'base'},
    'syntax': {'base', 'syntax'},
    'ir': {'base', 'ir'},
    'python': {'base', 'syntax', 'ir', 'python', 'numpy', 'jax'},
    'numpy': {'base', 'syntax', 'ir', 'python', 'numpy', 'jax'},
    'jax': {'base', 'syntax', 'ir', 'python', 'numpy', 'jax'},

    'passes': {'base', 'ir', 'passes'},
    'codegen': {'base', 'ir', 'passes', 'codegen', 'runtime'},
    'driver': {*PARTS, 'runtime'},
    'runtime': {'runtime'},
}

# State that cannot be elsewhere; each has a comment at its place that says why.
MUTABLE = {
    'prt_machine.c': {'default_machine'},
    'prt_status.c': {'error_message'},
    'arena.c': {'fail_countdown'},  # of the n-th failure test
    'parser.tab.c': {'yyloc_default'},  # bison's own, never written
}

TOP = {'compiler', 'runtime', 'dsl-examples', 'tests', 'docs', 'cmake', 'CMakeLists.txt', 'README.md', 'LICENSE', 'CONTRIBUTING.md', 'build'}
LINES_MOST = 1200
SOURCES = {'.c', '.h', '.def', '.l', '.y'}


def files_of_git():
    listed = subprocess.run(['git', '-C', str(ROOT), 'ls-files'], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists()]
    return [path for path in ROOT.rglob('*') if path.is_file() and 'build' not in path.relative_to(ROOT).parts]


def sources():
    return [path for path in FILES if path.suffix in SOURCES and path.relative_to(ROOT).parts[0] in ('compiler', 'runtime')]


def part_of(path):
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == 'compiler' else parts[0]


RULES = []


def rule(function):
    RULES.append(function)
    return function


@rule
def includes_point_one_way(args):
    owner = {}
    for path in sources():
        owner.setdefault(path.name, set()).add(part_of(path))
    for path in sources():
        for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not match:
                continue
            name = match.group(1)
            target = name.split('/')[0] if name.split('/')[0] in PARTS else None
            targets = {target} if target else owner.get(name.rsplit('/', 1)[-1], set())
            if part_of(path) in targets or not targets:
                continue
            if not targets & MAY_INCLUDE[part_of(path)]:
                yield f'{path.relative_to(ROOT)}:{number}: {part_of(path)} includes {name} of {"/".join(sorted(targets))}'


def object_files(build):
    for folder in ('compiler', 'runtime'):
        for path in (build / folder).rglob('*.o'):
            if 'pallasrt_shared' not in str(path):
                yield path


def writable_symbols(path):
    sections = {}
    for line in subprocess.run(['readelf', '-SW', path], capture_output=True, text=True, check=True).stdout.splitlines():
        match = re.match(r'\s*\[\s*(\d+)\]\s+(\S+)\s+\S+\s+\S+\s+\S+\s+\S+\s+\S+\s+(\S*)', line)
        if match:
            sections[match.group(1)] = (match.group(2), match.group(3))
    for line in subprocess.run(['readelf', '-sW', path], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) < 8 or words[3] not in ('OBJECT', 'TLS', 'COMMON', 'NOTYPE') or words[2] == '0':
            continue
        name, flags = sections.get(words[6], ('COMMON' if words[6] == 'COM' else '', ''))
        if ('W' in flags or name == 'COMMON') and not name.startswith('.data.rel.ro'):
            yield words[7], name


@rule
def objects_hold_no_mutable_state(args):
    if not shutil.which('readelf'):
        raise LookupError('there is no readelf')
    found = False
    for path in object_files(args.build):
        found = True
        source = path.name.removesuffix('.o')
        for symbol, section in writable_symbols(path):
            if symbol.startswith('__odr_asan'):
                continue
            plain = symbol.split('.')[0]
            if plain not in MUTABLE.get(source, set()):
                yield f'{source}: {symbol} in {section}'
    if not found:
        raise LookupError(f'there are no object files in {args.build}')


@rule
def base_names_are_unique(args):
    seen = {}
    for path in FILES:
        if path.suffix in SOURCES and path.relative_to(ROOT).parts[0] in ('compiler', 'runtime', 'tests') and 'apps' not in path.parts:
            if path.name in seen:
                yield f'{path.relative_to(ROOT)} and {seen[path.name].relative_to(ROOT)}'
            seen[path.name] = path


@rule
def sources_say_their_licence(args):
    for path in FILES:
        if path.suffix in SOURCES | {'.cpp', '.cmake', '.sh'} or path.name == 'CMakeLists.txt' or path.suffix == '.py' and 'golden' not in path.parts and 'kernels' not in path.parts[:-1]:
            head = path.read_text(encoding='utf-8').splitlines()[:2]
            if not any('SPDX-License-Identifier: Apache-2.0' in line for line in head):
                yield str(path.relative_to(ROOT))


@rule
def architecture_lists_every_file(args):
    page = (ROOT / 'docs' / 'architecture.md').read_text(encoding='utf-8')
    listed = [name for line in page.splitlines() if line.startswith('| `') for name in re.findall(r'`([\w.]+\.(?:c|h|def|l|y))`', line.split(' | ')[0])]
    there = {path.name: path for path in sources()}
    for name in set(there) - set(listed):
        head = re.sub(r'^\W+', '', there[name].read_text(encoding='utf-8').splitlines()[1]).split('. ')[0]
        yield f'docs/architecture.md has no line for {there[name].relative_to(ROOT)}; for instance: | `{name}` | {head} |'
    for name in set(listed) - set(there):
        yield f'docs/architecture.md has {name}, which is not there'
    for name in {name for name in listed if listed.count(name) > 1}:
        yield f'docs/architecture.md has {name} twice'


@rule
def diagnostics_page_has_every_warning(args):
    table = (ROOT / 'compiler' / 'base' / 'warnings.def').read_text(encoding='utf-8')
    page = (ROOT / 'docs' / 'diagnostics.md').read_text(encoding='utf-8')
    rows = [f"| `-W{name}` | {text} | {'on' if default == 'true' else 'off'} |"
            for name, default, text in re.findall(r'^WARNING\(\w+, "([\w-]+)", (\w+), "([^"]+)"\)', table, re.MULTILINE)]
    yield from (f'docs/diagnostics.md lacks: {row}' for row in rows if row not in page)
    yield from (f'docs/diagnostics.md has: {row}' for row in re.findall(r'^\| `-W.*$', page, re.MULTILINE) if row not in rows)


@rule
def numbers_page_has_the_tested_ulps(args):
    table = (ROOT / 'tests' / 'unit' / 'test_math.c').read_text(encoding='utf-8')
    page = (ROOT / 'docs' / 'numbers.md').read_text(encoding='utf-8').partition('| ulp |')[2].partition('\n\n')[0]
    tested = {(name.lower(), float(ulps)) for name, ulps in re.findall(r'\{OP_(\w+), \w+, ([\d.]+)\}', table)}
    said = {(name, float(ulps)) for ulps, names in re.findall(r'^\| ([\d.]+) \| (.*) \|$', page, re.MULTILINE) for name in re.findall(r'`(\w+)`', names)}
    yield from (f'docs/numbers.md: {name} is tested to {ulps:g} ulp' for name, ulps in tested - said)
    yield from (f'docs/numbers.md: {name} is not tested to {ulps:g} ulp' for name, ulps in said - tested)


@rule
def files_are_short(args):
    for path in FILES:
        if path.suffix in SOURCES:
            lines = len(path.read_text(encoding='utf-8').splitlines())
            if lines > LINES_MOST:
                yield f'{path.relative_to(ROOT)} has {lines} lines, {LINES_MOST} are the most'


@rule
def only_base_asks_for_memory(args):
    for path in sources():
        if part_of(path) in ('base', 'runtime') or path.relative_to(ROOT).parts[0] != 'compiler':
            continue
        for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            code = line.split('//')[0]
            if re.search(r'(?<![\w.>])(malloc|calloc|realloc|strdup|strndup|asprintf)\s*\(', code):
                yield f'{path.relative_to(ROOT)}:{number}: {line.strip()}'


@rule
def names_that_are_provided_are_not_refused(args):
    code = ''.join(path.read_text(encoding='utf-8') for path in sources() if path.suffix == '.c')
    refused = {table: re.findall(r'\{"(\w+)"', names) for table, names in re.findall(r'NotSupported (\w+)\[\] = \{(.*?)\};', code, re.DOTALL)}
    for module, fields in re.findall(r'ModuleDef \w+ = \{\.name = "([\w.]+)",(.*?)\};', code, re.DOTALL):
        prelude, table = (re.search(rf'\.{field} = "?(\w+)', fields) for field in ('prelude', 'not_supported'))
        if prelude and table:
            text = (ROOT / 'compiler' / 'library' / f'{prelude[1]}.pk').read_text(encoding='utf-8')
            provided = set(re.findall(r'^(?:def |class )?(\w+)\b(?: =|\(|:)', text, re.MULTILINE))
            yield from (f'{prelude[1]}.pk provides {name}, which {table[1]} refuses' for name in refused.get(table[1], []) if name in provided)


@rule
def nothing_else_is_at_the_top(args):
    for path in FILES:
        first = path.relative_to(ROOT).parts[0]
        if first not in TOP and not first.startswith('.') and first != 'CMakePresets.json':
            yield first


@rule
def generated_files_are_not_stored(args):
    for path in FILES:
        if re.search(r'(parser\.tab\.[ch]|lex\.yy\.c|lexer\.yy\.[ch]|\.o|\.so|\.a|\.new|\.orig|\.rej)$', path.name):
            yield str(path.relative_to(ROOT))


def main():
    global FILES
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build', metavar='FOLDER')
    args = parser.parse_args()
    FILES = files_of_git()
    count = dict(passed=0, failed=0, skipped=0)
    for check in RULES:
        try:
            broken = sorted(set(check(args)))
            outcome = 'failed' if broken else 'passed'
        except LookupError as why:
            broken, outcome = [str(why)], 'skipped'
        count[outcome] += 1
        if broken:
            print(f'{outcome}: {check.__name__.replace("_", " ")}')
            for line in broken[:40]:
                print(f'  {line}')
    print(', '.join(f'{number} {outcome}' for outcome, number in count.items()))
    return 1 if count['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
