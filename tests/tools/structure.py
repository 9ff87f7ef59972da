#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules about the tree itself: what includes what, what object files hold, names, sizes. Each rule is a test.

Exit status 0 if all hold. The last line is `N passed, N failed, N skipped`. Needs the standard library alone, and readelf.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

import callgraph
import cases

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Floors, lowest first, and the floors that each may know. Rooms of a floor are its folders; where their order is given, lowest first, it holds too.
MAY_KNOW = {
    'text': (),
    'host': (),
    'base': ('text', 'host'),
    'syntax': ('base',),
    'python': ('text', 'base', 'syntax'),
    'numpy': ('text', 'base', 'syntax', 'python'),
    'ir': ('base',),
    'jax': ('base', 'syntax', 'python', 'numpy', 'ir'),
    'passes': ('base', 'ir'),
    'plan': ('base', 'ir', 'passes'),
    'codegen': ('host', 'base', 'ir', 'passes', 'plan', 'runtime'),
    'driver': ('base', 'syntax', 'python', 'numpy', 'ir', 'jax', 'passes', 'plan', 'codegen', 'runtime'),
    'runtime': ('text', 'host'),
}
ROOMS = {
    'python': ('values', 'numbers', 'objects', 'modules', 'core', 'builtins', 'stdlib'),
    'jax': ('trace', 'array', 'ops', 'transform', 'pallas', 'import', 'program'),
    'codegen': ('emit', 'memory', 'elements', 'values', 'refs', 'walks', 'clusters', 'products', 'arrays', 'functions', 'module'),
}

TOP = {'compiler', 'runtime', 'dsl-examples', 'tests', 'docs', 'cmake', 'python', 'CMakeLists.txt', 'README.md', 'LICENSE', 'CONTRIBUTING.md', 'build', 'pyproject.toml'}
LINES_MOST, FUNCTION_LINES_MOST, CIRCLE_FILES_MOST, PROTOTYPES_MOST, FOLDER_FILES_MOST = 1000, 80, 4, 25, 30
TWIN_LEAST = 25  # characters of a body: shorter ones are a field, or a call by another name
SHARED = ('text', 'host')  # folders of the runtime that the compiler has too
FILES_MARK = '<!-- files: made by tests/tools/structure.py --update -->'
EVALUATOR = re.compile(r"<!-- the evaluator's recursion -->(.*?)<!-- end -->", re.DOTALL)
SOURCES = {'.c', '.h', '.def', '.l', '.y'}


def files_of_git():
    listed = subprocess.run(['git', '-C', str(ROOT), 'ls-files'], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / name for name in sorted(set(listed.stdout.splitlines())) if (ROOT / name).exists()]
    return [path for path in ROOT.rglob('*') if path.is_file() and 'build' not in path.relative_to(ROOT).parts]


def sources():
    return [path for path in FILES if path.suffix in SOURCES and path.relative_to(ROOT).parts[0] in ('compiler', 'runtime')]


RULES = []


def rule(function):
    RULES.append(function)
    return function


def floor_of(path):
    """The floor of a source below compiler/, else its top folder; the runtime's text and host are floors for others too."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == 'runtime' and parts[1] in SHARED:
        return parts[1]
    return parts[1] if parts[0] == 'compiler' else parts[0]


def room_of(path):
    """Its place among the ordered rooms of its floor; -1 for files beside the rooms and floors without an order."""
    rooms, parts = ROOMS.get(floor_of(path), ()), path.relative_to(ROOT).parts
    return rooms.index(parts[2]) if len(parts) > 3 and parts[2] in rooms else -1


def points_upwards(path, target):
    here, there = floor_of(path), floor_of(target)
    if here != there:
        return there not in MAY_KNOW[here]
    return room_of(path) < room_of(target) and room_of(path) >= 0


@rule
def includes_point_one_way(args):
    by_name = {path.name: path for path in sources()}
    for path in sources():
        for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            target = match and by_name.get(match[1].rsplit('/', 1)[-1])
            if target and points_upwards(path, target):
                yield f'{path.relative_to(ROOT)}:{number}: includes {target.relative_to(ROOT)}'


@rule
def calls_point_one_way(args):
    for source, targets in graph_of(args).arrows.items():
        for target, symbols in targets.items():
            if points_upwards(ROOT / source, ROOT / target):
                yield f'{source} uses {", ".join(sorted(symbols))} of {target}'


@rule
def circles_stay_in_their_room(args):
    natural = set(re.findall(r'`([\w.]+)`', EVALUATOR.search((ROOT / 'docs' / 'architecture.md').read_text(encoding='utf-8'))[1]))
    for circle in graph_of(args).circles():
        names = {pathlib.PurePath(source).name for source in circle}
        folders = {str(pathlib.PurePath(source).parent) for source in circle}
        if names <= natural:
            continue
        if len(folders) > 1 or len(circle) > CIRCLE_FILES_MOST:
            yield f'{len(circle)} files of {len(folders)} folders call each other: {" ".join(circle)}'


def lonely_functions(args):
    """Public ones that only their own file calls, as pairs of source and name: beside prt.h and pallasc.h, which are for others, what compiled code
    and libraries (_…) call by name, and what flex and bison make."""
    api = ''.join((ROOT / path).read_text(encoding='utf-8') for path in ('runtime/prt.h', 'compiler/driver/api/pallasc.h'))
    quoted = set(re.findall(r'"(prt_\w+)"', ''.join(path.read_text(encoding='utf-8') for path in sources() if floor_of(path) in ('codegen', 'runtime'))))
    return [(source, symbol) for source, symbol in graph_of(args).lonely()
            if not (symbol == 'main' or symbol.startswith('_') or re.search(rf'\b{symbol}\b', api) or symbol in quoted or source.endswith(('.l', '.y')))]


@rule
def public_functions_are_called(args):
    for source, symbol in lonely_functions(args):
        yield f'{source}: nobody outside calls {symbol}'


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
    page = (ROOT / 'docs' / 'architecture.md').read_text(encoding='utf-8')
    listed = set(re.findall(r'^\| `(\w+)` \| `([\w.]+)` \|', page, re.MULTILINE))
    found, met = False, set()
    for path in object_files(args.build):
        found = True
        source = path.name.removesuffix('.o')
        for symbol, section in writable_symbols(path):
            if symbol.startswith('__odr_asan'):
                continue
            plain = symbol.split('.')[0]
            met.add((plain, source))
            if (plain, source) not in listed:
                yield f'{source}: {symbol} in {section}'
    if not found:
        raise LookupError(f'there are no object files in {args.build}')
    yield from (f'docs/architecture.md lists {name} of {source}, which is not there' for name, source in listed - met if (args.build / 'compiler').exists())


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


def head_line(path):
    """The first sentence of the comment at a file's head."""
    text = []
    for line in path.read_text(encoding='utf-8').splitlines()[1:]:
        line = line.strip()
        if not re.match(r'(//|/\*|\*|%\{)', line):
            break
        text.append(re.sub(r'^(//|/\*|\*|%\{)\s?|\s*\*/$', '', line))
    sentence = re.split(r'(?<=[^.])[.](?:\s|$)', ' '.join(text).strip())[0]
    return re.sub(r'\s+\([\w./]+\.[chlydef]+\)$', '', sentence)


def file_list(floor):
    """The files of a floor, room by room, with what their heads say: a header and the source of its name are one line."""
    folder = ROOT / (f'runtime/{floor}' if floor in SHARED else floor if floor == 'runtime' else f'compiler/{floor}')
    rooms = {}
    for path in sources():
        if floor_of(path) == floor:
            rooms.setdefault(str(path.parent.relative_to(folder)), {}).setdefault(path.stem, []).append(path)
    lines = []
    for room, stems in sorted(rooms.items()):
        lines += ['', f'## {room}' if room != '.' else '## Beside the rooms' if len(rooms) > 1 else '## Files', '', '| | |', '|---|---|']
        for _, paths in sorted(stems.items()):
            paths.sort(key=lambda path: ('.h', '.def', '.c', '.l', '.y').index(path.suffix))
            said = [head_line(path).replace('|', '\\|') for path in paths]
            lines.append(f"| {' '.join(f'`{path.name}`' for path in paths)} | {max(said, key=len)} |")
    return '\n'.join(lines) + '\n'


@rule
def pages_list_every_file(args):
    """Each floor has a page: its contract, then the list of its files, which is made here."""
    for floor in MAY_KNOW:
        page = ROOT / 'docs' / 'floors' / f'{floor}.md'
        if not any(floor_of(path) == floor for path in sources()):
            continue
        text = page.read_text(encoding='utf-8') if page.exists() else f'# {floor}\n\n{FILES_MARK}\n'
        contract, _, listed = text.partition(FILES_MARK + '\n')
        if not page.exists() or len(contract.splitlines()) < 5:
            yield f'docs/floors/{floor}.md says nothing of the contract of the floor'
        if listed != file_list(floor):
            if args.update:
                page.write_text(contract + FILES_MARK + '\n' + file_list(floor), encoding='utf-8')
            else:
                yield f'docs/floors/{floor}.md is not what the heads of the files say; structure.py --update writes it'
    for path in sources():
        if not head_line(path):
            yield f'{path.relative_to(ROOT)} does not say at its head what it is'


def standard_modules():
    """Names of the modules of Python's own library that are provided: written in C, in the language, or both."""
    code = ''.join(path.read_text(encoding='utf-8') for path in sources() if path.suffix == '.c')
    library = ROOT / 'compiler' / 'library'
    names = set(re.findall(r'ModuleDef \w+ = \{\s*\.name = "([\w.]+)"', code))
    names.update('.'.join(path.relative_to(library).with_suffix('').parts) for path in FILES if path.suffix == '.pk' and library in path.parents)
    others = ('jax', 'jaxlib', 'numpy', 'ml_dtypes', 'third_party', 'posixpath')
    return sorted(name for name in names if name.split('.')[0] not in others and not any(part.startswith('_') for part in name.split('.')))


@rule
def language_page_lists_every_module(args):
    page = ROOT / 'docs' / 'language.md'
    text = page.read_text(encoding='utf-8')
    made = re.sub(r'(?s)Standard modules: `.*?`', lambda _: f'Standard modules: `{" ".join(standard_modules())}`', text, count=1)
    if made != text and args.update:
        page.write_text(made, encoding='utf-8')
    elif made != text:
        yield 'docs/language.md does not list the modules that there are; structure.py --update writes it'


@rule
def diagnostics_page_has_every_warning(args):
    table = (ROOT / 'compiler' / 'base' / 'warnings.def').read_text(encoding='utf-8')
    page = (ROOT / 'docs' / 'diagnostics.md').read_text(encoding='utf-8')
    rows = [f"| `-W{name}` | {text} | {'on' if default == 'true' else 'off'} |"
            for name, default, text in re.findall(r'^WARNING\(\w+, "([\w-]+)", (\w+), "([^"]+)"\)', table, re.MULTILINE)]
    yield from (f'docs/diagnostics.md lacks: {row}' for row in rows if row not in page)
    yield from (f'docs/diagnostics.md has: {row}' for row in re.findall(r'^\| `-W.*$', page, re.MULTILINE) if row not in rows)


@rule
def interface_page_has_every_status(args):
    header = (ROOT / 'runtime' / 'prt.h').read_text(encoding='utf-8')
    page = (ROOT / 'docs' / 'c-interface.md').read_text(encoding='utf-8')
    body = re.search(r'typedef enum prt_status \{(.*?)\} prt_status;', header, re.DOTALL)
    names = re.findall(r'^  (PRT_\w+) *=', body.group(1), re.MULTILINE)
    rows = re.findall(r'^\| `(PRT_OK|PRT_ERROR_\w+)` \|', page, re.MULTILINE)
    if rows != names:
        yield f'docs/c-interface.md has the statuses {rows}, prt.h has {names}'


@rule
def every_reason_is_in_a_golden_report(args):
    """Of remark.def, with its outcome, in a report as JSON, every line of which can be read."""
    table = (ROOT / 'compiler' / 'ir' / 'remarks' / 'remark.def').read_text(encoding='utf-8')
    outcomes = dict(re.findall(r'^OUTCOME\((\w+), "(\w+)"', table, re.MULTILINE))
    told = set()
    for path in sorted((ROOT / 'tests' / 'golden' / 'report').glob('*.err')):
        for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            if not line.startswith('{'):
                continue
            try:
                item = json.loads(line)
            except ValueError as error:
                yield f'{path.relative_to(ROOT)}:{number}: {error}'
                continue
            told.update((reason['outcome'], reason['reason']) for reason in item.get('reasons', ()))
    wanted = {(outcomes[outcome], key): name for name, key, outcome in re.findall(r'^REASON\((\w+), "(\w+)", (\w+)', table, re.MULTILINE)}
    yield from (f'no report of tests/golden/report has {name}' for key, name in wanted.items() if key not in told)


@rule
def numbers_page_has_the_tested_ulps(args):
    table = (ROOT / 'tests' / 'unit' / 'test_math.c').read_text(encoding='utf-8')
    page = (ROOT / 'docs' / 'numbers.md').read_text(encoding='utf-8').partition('| ulp |')[2].partition('\n\n')[0]
    tested = {(name.lower(), float(ulps)) for name, ulps in re.findall(r'\{OP_(\w+), \w+, ([\d.]+)\}', table)}
    said = {(name, float(ulps)) for ulps, names in re.findall(r'^\| ([\d.]+) \| (.*) \|$', page, re.MULTILINE) for name in re.findall(r'`(\w+)`', names)}
    yield from (f'docs/numbers.md: {name} is tested to {ulps:g} ulp' for name, ulps in tested - said)
    yield from (f'docs/numbers.md: {name} is not tested to {ulps:g} ulp' for name, ulps in said - tested)


def functions_of(path):
    """(name, line, lines) of the functions of a C file, as clang-format lays them out."""
    lines, start = path.read_text(encoding='utf-8').splitlines(), None
    for number, line in enumerate(lines):
        if re.match(r'[A-Za-z_].*\)( \w+)* \{$', line) or line == '{' or start is None and re.match(r'\s+\S.*\) \{$', line) and not lines[number - 1].startswith('}'):
            start = number
            while start and re.match(r'\s', lines[start]):
                start -= 1
        elif line.startswith('}') and start is not None:
            name = re.search(r'(\w+)\(', ' '.join(lines[start:number]))
            yield (name[1] if name else '?', start + 1, number - start + 1)
            start = None


@rule
def files_and_functions_are_short(args):
    for path in FILES:
        if path.suffix not in SOURCES and (path.suffix != '.pk' or path.relative_to(ROOT).parts[0] != 'compiler'):
            continue
        lines = len(path.read_text(encoding='utf-8').splitlines())
        if lines > LINES_MOST:
            yield f'{path.relative_to(ROOT)} has {lines} lines, {LINES_MOST} are the most'
        if path.suffix == '.c' and floor_of(path) in MAY_KNOW:
            for name, line, length in functions_of(path):
                if length > FUNCTION_LINES_MOST:
                    yield f'{path.relative_to(ROOT)}:{line}: {name} has {length} lines, {FUNCTION_LINES_MOST} are the most'


@rule
def only_base_asks_for_memory(args):
    for path in sources():
        if floor_of(path) in ('base', 'runtime', *SHARED) or path.relative_to(ROOT).parts[0] != 'compiler':
            continue
        for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            code = line.split('//')[0]
            if re.search(r'(?<![\w.>])(malloc|calloc|realloc|strdup|strndup|asprintf)\s*\(', code):
                yield f'{path.relative_to(ROOT)}:{number}: {line.strip()}'


# Who asks the machine what it is: the shared file; the compiler's, for its level; for the name of the CPU, whose list is LLVM's; and the transport,
# which is loaded alone and joins the CPUs of all ranks.
ASKS_THE_MACHINE = {
    r'cpuid|xgetbv|getauxval|sched_getaffinity|_SC_NPROCESSORS|_SC_LEVEL\d|_SC_PHYS_PAGES|/proc/cpuinfo|/sys/devices': ('runtime/host/prt_cpu.c',),
    r'__builtin_cpu_': ('compiler/base/host.c',),
    r'LLVMGetHostCPU': ('compiler/codegen/emit/target.c',),
}


@rule
def one_file_asks_the_machine(args):
    """Features of the CPU, its name, caches, cores, memory: facts with one owner a program."""
    for path in sources():
        name = str(path.relative_to(ROOT))
        for number, line in enumerate(without_comments(path.read_text(encoding='utf-8')).splitlines(), 1):
            for asked, owners in ASKS_THE_MACHINE.items():
                if path.suffix in ('.c', '.h') and name not in owners and re.search(asked, line) and path.name != 'prt_mpi.c':
                    yield f'{name}:{number}: {line.strip()}: {owners[0]} asks'


def without_comments(text):
    """C without its comments, line for line."""
    blank = lambda match: re.sub(r'[^\n]', ' ', match[0]) if match[0].startswith('/') else match[0]
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.DOTALL)


@rule
def floors_below_arrays_name_none(args):
    """What jax and numpy have, they register: no string below them names their modules."""
    below = MAY_KNOW['numpy']
    for path in sources():
        if floor_of(path) not in below:
            continue
        for number, line in enumerate(without_comments(path.read_text(encoding='utf-8')).splitlines(), 1):
            for text in re.findall(r'"(?:\\.|[^"\\])*"', line):
                if not re.match(r'\s*#\s*include', line) and re.search(r'\b(jax|jaxlib|jnp|np|numpy|lax|ml_dtypes)\b', text):
                    yield f'{path.relative_to(ROOT)}:{number}: {text}'


def prototypes_of(text):
    """Names of the functions that a header declares; those that a table declares (#include of a .def) are the table's."""
    code = re.sub(r'(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', '', without_comments(text))
    before = None
    while before != code:
        before, code = code, re.sub(r'\{[^{}]*\}', '@', code)
    ended = (' '.join(part.split()) for part in re.findall('([^;@]*);', code))
    declared = (re.match(r'(?!typedef\b|static\b)[A-Za-z_][\w *]*?\**(\w+)\(', part) for part in ended)
    return [match[1] for match in declared if match and not re.match(r'_Static_assert$|__attribute__$', match[1])]


@rule
def headers_are_one_contract(args):
    """A header has 25 prototypes at the most, and none only includes others. Those that are installed are a user's contract, as a whole."""
    installed = set(re.findall(r'\b(?:runtime|compiler)/[\w/]+\.h\b', (ROOT / 'cmake' / 'Install.cmake').read_text(encoding='utf-8')))
    for path in sources():
        if path.suffix != '.h' or str(path.relative_to(ROOT)) in installed:
            continue
        text = path.read_text(encoding='utf-8')
        count = len(prototypes_of(text))
        if count > PROTOTYPES_MOST:
            yield f'{path.relative_to(ROOT)} has {count} prototypes, {PROTOTYPES_MOST} are the most'
        if all(re.match(r'\s*(#\s*(pragma|include)\b.*)?$', line) for line in without_comments(text).splitlines()):
            yield f'{path.relative_to(ROOT)} only includes others'


def declared_numbers(text):
    """Names that are declared as integers in a text of C."""
    integer = r'\b(?:u?int\d*(?:_t|ptr_t)?|u?intptr_t|size_t|unsigned|long|char|LLVMOrcExecutorAddress)'
    return {name for names in re.findall(integer + r' (\w+(?:, \w+)*)', text) for name in names.split(', ')}


@rule
def no_pointer_goes_through_a_number(args):
    """-Wcast-qual, an error of debug builds, does not see a const that is cast away on the way through uintptr_t. What comes out of one as a pointer
    to what may be written was a number, or a function that dlsym found."""
    headers = ''.join(path.read_text(encoding='utf-8') for path in sources() if path.suffix == '.h')
    in_headers = declared_numbers(headers)
    for path in sources():
        text = without_comments(path.read_text(encoding='utf-8'))
        for match in re.finditer(r'\((const )?[\w ]+\*+\)\s*\(u?intptr_t\)\s*(\((?:[^()]|\([^()]*\))*\)|&?[\w.>-]+\(?)', text):
            is_const, operand = match.groups()
            if is_const or operand.startswith('dlsym(') or ' | ' in operand:  # which no pointer has
                continue
            names = re.findall(r'[A-Za-z_]\w*(?![\w(]|\.|->)', operand)
            numbers = in_headers | declared_numbers(text) | {'count'}
            pointers = set(re.findall(r'\*(?:const )?(\w+)\b(?=[;,)]| =)', text))
            if operand.startswith('&') or not names or any(name not in numbers or name in pointers for name in names):
                yield f'{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}'


def comments_of(path):
    """(line, text) of the comments of a file: of C, of Python and what looks like it; of a page, all but its code."""
    text = path.read_text(encoding='utf-8', errors='replace')
    if path.suffix == '.md':
        text = re.sub(r'(?s)```.*?```|`[^`\n]*`', lambda match: re.sub(r'[^\n]', ' ', match[0]), text)
        yield from enumerate(text.splitlines(), 1)
        return
    of_c = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(//[^\n]*|/\*.*?\*/)'
    of_python = r'((?<=[:\n])\s*"""(?:.*?)""")|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(?<!\S)(#[^\n]*)'
    for match in re.finditer(of_c if path.suffix in SOURCES | {'.cpp'} else of_python, text, re.DOTALL):
        comment = next((group for group in match.groups() if group), None)
        for at, line in enumerate((comment or '').split('\n')):
            yield text.count('\n', 0, match.start()) + 1 + at, line


# Words that only this code base used in its own sense, with the field's. (oracle.py and pk_under_jax.py stay as they are: all that they have confirmed is recorded with their digests.)
PRIVATE_WORDS = {'told': 'reported, recorded, passed, sent', 'soil': 'destination', 'home': 'destination, owner', 'kin': 'others like it', 'errand': 'task', 'lent': 'borrowed, read-only',
                 'alike': 'equal, the same, similar'}


@rule
def comments_use_the_words_of_the_field(args):
    words = re.compile(rf'\b({"|".join(PRIVATE_WORDS)})\b', re.IGNORECASE)
    for path in FILES:
        top = path.relative_to(ROOT).parts[0]
        if path.suffix not in SOURCES | {'.cpp', '.py', '.pk', '.md'} or top == 'dsl-examples' or path.name in ('structure_plants.py', 'oracle.py', 'pk_under_jax.py'):
            continue
        for number, line in comments_of(path):
            for word in words.findall(re.sub(r'`[^`]*`', '', line)):
                yield f'{path.relative_to(ROOT)}:{number}: "{word}": {PRIVATE_WORDS[word.lower()]}'


@rule
def headings_of_sections_stand_in_one_line(args):
    """One that is too long is broken by clang-format, and what stands behind it becomes a part of it."""
    for path in FILES:
        if path.suffix in SOURCES:
            for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
                if line.startswith('// ----------'):
                    yield f'{path.relative_to(ROOT)}:{number}: the end of a heading'


def without_prose(text):
    """Python without its comments, and without texts that are not names, line for line."""
    blank = lambda match: match[0] if re.fullmatch(r'("|\')\w+\1', match[0]) else re.sub(r'[^\n]', ' ', match[0])
    return re.sub(r'(?s)""".*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*', blank, text)


@rule
def identifiers_use_the_words_of_the_field(args):
    """`is_told`, `TOLD_MOST`, `ToldSteps`: the words of names in C, in the package and in the library; `_told` and `"told"`, where a text is a name, too."""
    for path in FILES:
        parts, text = path.relative_to(ROOT).parts, None
        if path.suffix in SOURCES:
            text = re.sub(r'"(?:\\.|[^"\\])*"', '', without_comments(path.read_text(encoding='utf-8')))
        elif path.suffix in ('.py', '.pk') and (parts[0] == 'python' or parts[:2] == ('compiler', 'library')):
            text = re.sub(r'\b(HOME|home)\b', '', without_prose(path.read_text(encoding='utf-8')))  # of a user: a name of Python's
        for number, line in enumerate((text or '').splitlines(), 1):
            for name in re.findall(r'[A-Za-z_]\w*', line):
                for word in PRIVATE_WORDS.keys() & {part.lower() for part in re.findall(r'[A-Z]?[a-z]+|[A-Z]+', name)}:
                    yield f'{path.relative_to(ROOT)}:{number}: {name}: {PRIVATE_WORDS[word]}'


@rule
def names_that_are_provided_are_not_refused(args):
    code = ''.join(path.read_text(encoding='utf-8') for path in sources() if path.suffix == '.c')
    refused = {table: re.findall(r'\{"(\w+)"', names) for table, names in re.findall(r'NotSupported (\w+)\[\] = \{(.*?)\};', code, re.DOTALL)}
    for module, fields in re.findall(r'ModuleDef \w+ = \{\s*\.name = "([\w.]+)",(.*?)\};', code, re.DOTALL):
        table = re.search(r'\.not_supported = (\w+)', fields)
        prelude = ROOT / 'compiler' / 'library' / f'{module.replace(".", "/")}.pk'
        if table and prelude.exists():
            provided = set(re.findall(r'^(?:def |class )?(\w+)\b(?: =|\(|:)', prelude.read_text(encoding='utf-8'), re.MULTILINE))
            yield from (f'{module} provides {name}, which {table[1]} refuses' for name in refused.get(table[1], []) if name in provided)


def limits_of(text):
    """(line, name, whether there is a comment) of the constants of C that are more than a count to two: beside it, above its group, or above the enum."""
    lines = text.splitlines()
    for match in re.finditer(r'^[ \t]*(?:enum \{(.*?)\}|#define \w+ +-?[\d.(][^\n]*)', text, re.MULTILINE | re.DOTALL):
        first = text.count('\n', 0, match.start())
        is_above = first > 0 and lines[first - 1].strip().startswith('//')
        for at, line in enumerate(match[0].split('\n'), first):
            named = re.findall(r'(?:#define |\b)([A-Z]\w+)(?: *= *| +)(-?[\d.(][^,}]*)', line.split('//')[0])
            group = at
            while group > first and not lines[group].strip().startswith('//'):
                group -= 1
            beside = '//' in lines[at] or group > first
            for name, value in named:
                if '.' not in value and any(int(number) > 2 for number in re.findall(r'(?<!\w)\d+(?!\w)', value)):  # floats are mathematics
                    yield at + 1, name, is_above or beside


@rule
def limits_have_reasons(args):
    """A number that decides what is done says beside it why it is that one: a formula of sizes (ir/core/cpu.h), a measurement, a fact of a
    manual; or that it is a choice."""
    for path in sources():
        if floor_of(path) in ('passes', 'plan', 'codegen') and path.suffix in ('.c', '.h'):
            for number, name, is_explained in limits_of(path.read_text(encoding='utf-8')):
                if not is_explained:
                    yield f'{path.relative_to(ROOT)}:{number}: {name} does not say why'


@rule
def lists_of_ops_stand_once(args):
    """Four ops and more that share a case are a fact of the ops: where a second place asks the same, it is a column of ops.def, or a function of it."""
    seen = {}
    for path in sources():
        text = path.read_text(encoding='utf-8') if path.suffix in ('.c', '.h') else ''
        for match in re.finditer(r'(?m)(?:^[ \t]*case OP_\w+:[ \t]*\n){3,}[ \t]*case OP_\w+:', text):
            place = f'{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}'
            seen.setdefault(frozenset(re.findall(r'OP_\w+', match[0])), []).append(place)
    for ops, places in seen.items():
        if len(places) > 1:
            yield f'{" and ".join(sorted(places))}: {" ".join(sorted(ops))}'


def static_functions_of(path):
    """(head, body) of the static functions of a source, white space folded."""
    text = without_comments(path.read_text(encoding='utf-8'))
    for match in re.finditer(r'(?ms)^static (?:inline )?([^;{}()]*?\w+\([^;{}]*?\)) \{(.*?)(?:^\}|\}$)', text):
        yield ' '.join(match[1].split()), ' '.join(match[2].split())


@rule
def functions_stand_once(args):
    """What two files need stands in a header of the lower one: no static function is the same, to the letter, in two files."""
    places = {}
    for path in sources():
        if path.suffix in ('.c', '.h'):
            for function in static_functions_of(path):
                places.setdefault(function, set()).add(str(path.relative_to(ROOT)))
    for (head, body), paths in places.items():
        if len(paths) > 1 and len(body) >= TWIN_LEAST:
            yield f'{" and ".join(sorted(paths))}: {head}'


@rule
def folders_have_themes(args):
    """A folder with more sources than this holds several themes, each of which is a folder."""
    folders = {}
    for path in sources():
        if path.suffix == '.c':
            folders.setdefault(path.parent, []).append(path)
    for folder, paths in folders.items():
        if len(paths) > FOLDER_FILES_MOST:
            yield f'{folder.relative_to(ROOT)} has {len(paths)} sources, {FOLDER_FILES_MOST} are the most'


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


@rule
def planted_changes_have_their_text(args):
    """Each entry of tests/mutate/planted.txt is still somewhere to be made: code that was rewritten takes its entry along."""
    done = subprocess.run([sys.executable, ROOT / 'tests' / 'mutate' / 'mutate', '--planted', '--list'], capture_output=True, text=True)
    yield from (line for line in done.stdout.splitlines() if line.startswith('cannot be planted'))
    if done.returncode and 'cannot be planted' not in done.stdout:
        yield done.stderr.strip().rpartition('\n')[2]


@rule
def every_test_can_fail(args):
    yield from cases.that_cannot_fail(ROOT, FILES)


def graph_of(args):
    if not hasattr(args, 'graph'):
        args.graph = callgraph.Graph(args.build.resolve())
    return args.graph


def picture(args):
    """The tree in figures."""
    compiled = [path for path in sources() if floor_of(path) in MAY_KNOW]
    lines = {path: len(path.read_text(encoding='utf-8').splitlines()) for path in compiled}
    lengths = sorted((length, f'{name} in {path.name}') for path in compiled if path.suffix == '.c' for name, _, length in functions_of(path))
    yield f'{len(compiled)} files, {sum(lines.values())} lines; functions: {len(lengths)}, median {lengths[len(lengths) // 2][0]} lines, p99 {lengths[len(lengths) * 99 // 100][0]}'
    longest = max(compiled, key=lines.get)
    yield f'longest file {longest.relative_to(ROOT)} ({lines[longest]} lines), longest function {lengths[-1][1]} ({lengths[-1][0]} lines)'
    folders = {}
    for path in compiled:
        folders.setdefault(path.parent, []).append(path)
    fullest = max(folders, key=lambda folder: len(folders[folder]))
    yield f'{len(folders)} rooms, fullest {fullest.relative_to(ROOT)} ({len(folders[fullest])} files)'
    try:
        circles = graph_of(args).circles()
    except LookupError:
        return
    crossing = [circle for circle in circles if len({pathlib.PurePath(source).parent for source in circle}) > 1]
    yield f'circles of files that call each other: {len(circles)}, of {" ".join(str(len(circle)) for circle in circles) or "no"} files; {len(crossing)} cross a folder'
    yield f'public functions that only their own file calls: {len(lonely_functions(args))}'


def main():
    global FILES
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build', metavar='FOLDER')
    parser.add_argument('--update', action='store_true', help='write the lists of files in docs/floors, and of modules in docs/language.md')
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
    print(*picture(args), sep='\n')
    print(', '.join(f'{number} {outcome}' for outcome, number in count.items()))
    return 1 if count['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
