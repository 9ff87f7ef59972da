#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each rule of structure.py finds what breaks it: in a copy of the tree a violation of each is planted, one at a time, and taken out again.

A rule without a plant is a failure. The last line is `N passed, N failed, N skipped`. Needs git, cc, nm and readelf.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = '// SPDX-License-Identifier: Apache-2.0\n// A plant.\n'


class Tree:
    """A copy of the files of the repository by hard links. What is written is remembered, and undone."""

    def __init__(self, root):
        self.root, self.before, self.build = root, {}, root / 'build'
        listed = subprocess.run(['git', '-C', ROOT, 'ls-files', '-co', '--exclude-standard'], capture_output=True, text=True, check=True).stdout
        for name in listed.splitlines():
            if (ROOT / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                os.link(ROOT / name, root / name) if os.stat(ROOT).st_dev == os.stat(root).st_dev else shutil.copy(ROOT / name, root / name)

        subprocess.run(['git', 'init', '-q', root], check=True)  # which tests/mutate asks for its files

    def read(self, name):
        return (self.root / name).read_text(encoding='utf-8')

    def write(self, name, text):
        path = self.root / name
        self.before.setdefault(name, self.read(name) if path.exists() else None)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # a link
        path.write_text(text, encoding='utf-8')

    def append(self, name, text):
        self.write(name, self.read(name) + text)

    def replace(self, name, pattern, text):
        changed, count = re.subn(pattern, lambda _: text, self.read(name), count=1, flags=re.MULTILINE)
        assert count, f'{name} has no {pattern}'
        self.write(name, changed)

    def compile(self, name, text):
        """A source with its object, where a build has it."""
        self.write(name, HEAD + text)
        floor, _, rest = name.partition('/')
        target = self.build / floor / 'CMakeFiles' / 'plants.dir' / f'{rest}.o'
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(['cc', '-c', '-o', target, self.root / name], check=True)

    def undo(self):
        for name, text in self.before.items():
            (self.root / name).unlink()
            if text is not None:
                (self.root / name).write_text(text, encoding='utf-8')
        self.before = {}
        shutil.rmtree(self.build, ignore_errors=True)


PLANTS = []  # (rule, function that breaks it, what the rule says then)


def plant(rule, says):
    def keep(function):
        PLANTS.append((rule, function, says))
        return function
    return keep


@plant('includes_point_one_way', 'compiler/python/core/name_error.c:3: includes compiler/numpy/arrays/nd.h')
def include_upwards(tree):
    tree.replace('compiler/python/core/name_error.c', r'^#include', '#include "numpy/arrays/nd.h"\n#include')


@plant('includes_point_one_way', 'compiler/jax/trace/plant.c:3: includes compiler/jax/pallas/pallas.h')
def include_of_a_room_above(tree):
    tree.write('compiler/jax/trace/plant.c', HEAD + '#include "jax/pallas/pallas.h"\n')


@plant('calls_point_one_way', 'compiler/base/plant_a.c uses plant_b of compiler/ir/core/plant_b.c')
def call_upwards(tree):
    tree.compile('compiler/base/plant_a.c', 'void plant_b(void);\nvoid plant_a(void) { plant_b(); }\n')
    tree.compile('compiler/ir/core/plant_b.c', 'void plant_b(void) {}\n')


def circle(tree, names):
    for i, name in enumerate(names):
        after = (i + 1) % len(names)
        tree.compile(name, f'void plant_{after}(void);\nvoid plant_{i}(void) {{ plant_{after}(); }}\n')


@plant('circles_stay_in_their_room', '2 files of 2 folders call each other')
def circle_across_rooms(tree):
    circle(tree, ['compiler/ir/core/plant_0.c', 'compiler/ir/text/plant_1.c'])


@plant('circles_stay_in_their_room', '5 files of 1 folders call each other')
def large_circle(tree):
    circle(tree, [f'compiler/ir/core/plant_{i}.c' for i in range(5)])


@plant('public_functions_are_called', 'compiler/base/plant.c: nobody outside calls plant_alone')
def lonely_function(tree):
    tree.compile('compiler/base/plant.c', 'void plant_alone(void) {}\n')


@plant('objects_hold_no_mutable_state', 'plant.c: plant_count in .data')
def mutable_variable(tree):
    tree.compile('compiler/base/plant.c', 'int plant_count = 3;\n')


@plant('objects_hold_no_mutable_state', 'plant.c: counter')
def static_in_a_function(tree):
    tree.compile('compiler/base/plant.c', 'int plant(void) { static int counter; return ++counter; }\n')


@plant('base_names_are_unique', 'arena.c and ')
def one_name_twice(tree):
    tree.write('compiler/ir/core/arena.c', HEAD)


@plant('sources_say_their_licence', 'compiler/base/plant.c')
def no_licence(tree):
    tree.write('compiler/base/plant.c', '// A plant.\n')


@plant('pages_list_every_file', 'docs/floors/base.md is not what the heads of the files say')
def file_off_the_page(tree):
    tree.write('compiler/base/plant.c', HEAD)


@plant('pages_list_every_file', 'compiler/base/plant.c does not say at its head what it is')
def no_head(tree):
    tree.write('compiler/base/plant.c', '// SPDX-License-Identifier: Apache-2.0\nint x;\n')


@plant('language_page_lists_every_module', 'docs/language.md does not list the modules')
def module_off_the_page(tree):
    tree.write('compiler/library/planted.pk', '# SPDX-License-Identifier: Apache-2.0\n')


@plant('diagnostics_page_has_every_warning', 'lacks: | `-Wplanted` | plants | on |')
def warning_off_the_page(tree):
    tree.append('compiler/base/warnings.def', 'WARNING(PLANTED, "planted", true, "plants")\n')


@plant('interface_page_has_every_status', 'docs/c-interface.md has the statuses')
def status_off_the_page(tree):
    tree.replace('docs/c-interface.md', r'^\| `PRT_ERROR_CHECK` .*\n', '')


@plant('every_reason_is_in_a_golden_report', 'no report of tests/golden/report has PLANTED')
def reason_without_a_report(tree):
    table = tree.read('compiler/ir/remarks/remark.def')
    outcome = re.search(r'^OUTCOME\((\w+),', table, re.MULTILINE)[1]
    tree.append('compiler/ir/remarks/remark.def', f'REASON(PLANTED, "planted", {outcome}, "", "")\n')


@plant('numbers_page_has_the_tested_ulps', 'docs/numbers.md: planted is not tested to 1 ulp')
def ulps_that_nothing_tests(tree):
    tree.replace('docs/numbers.md', r'^\| ulp \|.*\n.*\n', '| ulp | |\n|---|---|\n| 1 | `planted` |\n')


@plant('headers_are_one_contract', 'compiler/base/plant.h has 31 prototypes, 25 are the most')
def large_header(tree):
    tree.write('compiler/base/plant.h', HEAD + ''.join(f'const char *plant_{i}(int a,\n    int b);\n' for i in range(31)))


@plant('headers_are_one_contract', 'compiler/base/plant.h only includes others')
def umbrella_header(tree):
    tree.write('compiler/base/plant.h', HEAD + '#pragma once\n#include <stddef.h> // for all\n#include "base/session.h"\n')


@plant('files_and_functions_are_short', 'compiler/base/plant.c has 1001 lines, 1000 are the most')
def long_file(tree):
    tree.write('compiler/base/plant.c', HEAD + '\n' * 999)


@plant('files_and_functions_are_short', 'compiler/base/plant.c:3: plant has 81 lines, 80 are the most')
def long_function(tree):
    tree.write('compiler/base/plant.c', HEAD + 'void plant(void) {\n' + '  ;\n' * 79 + '}\n')


@plant('only_base_asks_for_memory', 'compiler/ir/core/plant.c:3: void *plant(void) { return malloc(8); }')
def malloc_outside_of_base(tree):
    tree.write('compiler/ir/core/plant.c', HEAD + 'void *plant(void) { return malloc(8); }\n')


@plant('one_file_asks_the_machine', 'compiler/numpy/plant.c:3: bool plant(void) { return __builtin_cpu_supports("avx2"); }: compiler/base/host.c asks')
def second_asker(tree):
    tree.write('compiler/numpy/plant.c', HEAD + 'bool plant(void) { return __builtin_cpu_supports("avx2"); } // cpuid\n')


@plant('one_file_asks_the_machine', 'runtime/tasks/plant.c:3: long plant(void) { return sysconf(_SC_NPROCESSORS_ONLN); }: runtime/host/prt_cpu.c asks')
def second_count_of_cores(tree):
    tree.write('runtime/tasks/plant.c', HEAD + 'long plant(void) { return sysconf(_SC_NPROCESSORS_ONLN); }\n')


@plant('floors_below_arrays_name_none', 'compiler/python/core/plant.c:3: "jax."')
def python_names_jax(tree):
    tree.write('compiler/python/core/plant.c', HEAD + 'bool plant(Str s) { return str_starts_with(s, STR("jax.")); } // "numpy" may stand here\n')


@plant('no_pointer_goes_through_a_number', 'compiler/numpy/plant.c:3: (Object *)(uintptr_t)nd->owner')
def const_cast_away(tree):
    tree.write('compiler/numpy/plant.c', HEAD + 'Object *plant(const NdArray *nd) { return (Object *)(uintptr_t)nd->owner; }\n')


@plant('no_pointer_goes_through_a_number', 'compiler/numpy/plant.c:3: (char *)(uintptr_t)(text + 1)')
def const_cast_away_behind_a_sum(tree):
    tree.write('compiler/numpy/plant.c', HEAD + 'char *plant(const char *text) { return (char *)(uintptr_t)(text + 1); }\n')


@plant('headings_of_sections_stand_in_one_line', 'compiler/base/plant.c:4: the end of a heading')
def broken_heading(tree):
    tree.write('compiler/base/plant.c', HEAD + '// ---- a heading\n// -------------------- What it does.\nint plant;\n')


@plant('identifiers_use_the_words_of_the_field', 'compiler/base/plant.c:3: is_told: reported, recorded, passed, sent')
def private_word_in_a_name(tree):
    tree.write('compiler/base/plant.c', HEAD + 'int is_told; // "told" in quotes\nconst char *text = "told";\n')


@plant('identifiers_use_the_words_of_the_field', 'python/pallasc/plant.py:3: _told: reported, recorded, passed, sent')
def private_word_in_python(tree):
    tree.write('python/pallasc/plant.py', '# SPDX-License-Identifier: Apache-2.0\n"""What is told."""\n_told = "as told"\n')


@plant('comments_use_the_words_of_the_field', 'compiler/base/plant.c:4: "told": reported, recorded, passed, sent')
def private_word(tree):
    tree.write('compiler/base/plant.c', HEAD + '/* What\n   is told of it. */\nint told; // `told`\n')


@plant('names_that_are_provided_are_not_refused', 'planted provides gone, which planted_refused refuses')
def name_provided_and_refused(tree):
    tree.write('compiler/library/planted.pk', '# SPDX-License-Identifier: Apache-2.0\ndef gone():\n    pass\n')
    tree.write('compiler/python/stdlib/plant.c', HEAD + 'static const NotSupported planted_refused[] = {{"gone", NULL}};\n'
               'const ModuleDef planted = {\n    .name = "planted",\n    .not_supported = planted_refused,\n};\n')


@plant('limits_have_reasons', 'compiler/passes/arrays/plant.c:5: MOST does not say why')
def bare_number(tree):
    tree.write('compiler/passes/arrays/plant.c', HEAD + 'enum { LEAST = 4 * WIDE }; // vectors\n\nenum { MOST = 1 << 20, TWICE = 2 };\n')


@plant('lists_of_ops_stand_once', 'compiler/ir/text/plant_a.c:4 and compiler/passes/plant_b.c:4: OP_ABS OP_EXP OP_LOG OP_NEG')
def list_of_ops_twice(tree):
    tree.write('compiler/ir/text/plant_a.c', HEAD + 'switch (code) {\ncase OP_NEG:\ncase OP_ABS:\ncase OP_EXP:\ncase OP_LOG: return true;\n}\n')
    tree.write('compiler/passes/plant_b.c', HEAD + 'switch (code) {\ncase OP_ABS:\ncase OP_EXP:\ncase OP_LOG:\ncase OP_NEG: break;\n}\n')


@plant('functions_stand_once', 'compiler/ir/core/plant_b.c and compiler/numpy/plant_a.c: int64_t up(int64_t n)')
def function_twice(tree):
    tree.write('compiler/numpy/plant_a.c', HEAD + 'static int64_t up(int64_t n) { return (n + 63) / 64 * 64; }\n')
    tree.write('compiler/ir/core/plant_b.c', HEAD + 'static int64_t up(int64_t n) {\n  return (n + 63) / 64 * 64; // whole lines\n}\n')


@plant('folders_have_themes', 'compiler/plants has 31 sources, 30 are the most')
def full_folder(tree):
    for i in range(31):
        tree.write(f'compiler/plants/plant_{i}.c', HEAD)


@plant('nothing_else_is_at_the_top', 'planted.txt')
def file_at_the_top(tree):
    tree.write('planted.txt', '')


@plant('generated_files_are_not_stored', 'compiler/syntax/parser.tab.c')
def generated_file(tree):
    tree.write('compiler/syntax/parser.tab.c', HEAD)


@plant('planted_changes_have_their_text', 'cannot be planted')
def change_without_its_text(tree):
    tree.append('tests/mutate/planted.txt', '\n# nowhere\narena.c\n- this text is nowhere\n+ nor is this\n')


@plant('every_test_can_fail', 'golden/check/planted.dat: no case runs it, and none names it')
def case_that_nobody_runs(tree):
    tree.write('tests/golden/check/planted.dat', '')


@plant('every_test_can_fail', 'unit/test_str.c: no suite has planted')
def test_in_no_suite(tree):
    tree.append('tests/unit/test_str.c', 'START_TEST(planted) {}\nEND_TEST\n')


def found(structure, rule, tree):
    """What a rule says of the tree as it is."""
    structure.FILES = structure.files_of_git()
    args = argparse.Namespace(build=tree.build, update=False)
    try:
        return list(getattr(structure, rule)(args))
    except LookupError as why:  # no objects
        return [] if 'no object files' in str(why) else [str(why)]


def main():
    count = dict(passed=0, failed=0)

    def note(good, text):
        count['passed' if good else 'failed'] += 1
        if not good:
            print(f'failed: {text}')

    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(pathlib.Path(folder).resolve())
        sys.path.insert(0, str(tree.root / 'tests' / 'tools'))
        import structure
        for rule in [rule.__name__ for rule in structure.RULES]:
            note(any(rule == planted for planted, _, _ in PLANTS), f'nothing breaks the rule {rule}')
        before = {}
        for rule, function, says in PLANTS:
            if rule not in before:
                before[rule] = found(structure, rule, tree)
            try:
                function(tree)
                said = [line for line in found(structure, rule, tree) if line not in before[rule]]
            finally:
                tree.undo()
            note(any(says in line for line in said), f'{rule} does not find {function.__name__}: {said[:3]}, not "{says}"')
    print(f'{count["passed"]} passed, {count["failed"]} failed, 0 skipped')
    return 1 if count['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
