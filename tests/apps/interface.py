# SPDX-License-Identifier: Apache-2.0
"""The C functions of a header: which names they may have, and one function for several sizes."""
import keyword
import re
import shutil
import subprocess

from bench import HERE, WARNINGS, Failed, test

HEADERS = ('stdlib.h', 'stdio.h', 'string.h', 'stdint.h', 'math.h', 'stddef.h', 'stdbool.h', 'stdarg.h', 'prt.h')
OTHER_HEADERS = set('assert complex ctype errno fenv float inttypes iso646 limits locale setjmp signal stdalign stdatomic stdnoreturn tgmath threads time uchar wchar wctype'.split())
ONLY_OF_C = set('complex iso646 stdalign stdatomic stdnoreturn tgmath threads'.split())
LANGUAGES = (('cc', 'c'), ('clang', 'c'), ('c++', 'c++'), ('clang++', 'c++'))
INCLUDES = ''.join(f'#include <{name}>\n' for name in HEADERS)


def names_at_file_scope(text):
    """The identifiers of preprocessed text outside of parentheses and of braces, but for those of extern "C"."""
    names, braces, parentheses, before = set(), [], 0, ''
    for token in re.findall(r'"[^"\n]*"|[A-Za-z_]\w*|\S', text):
        if token == '{':
            braces.append(before.startswith('"'))
        elif token == '}':
            braces.pop()
        elif token in '()':
            parentheses += 1 if token == '(' else -1
        elif token[0].isidentifier() and parentheses == 0 and all(braces):
            names.add(token)
        before = token
    return names


def names_of(b, compiler, language):
    """What HEADERS declare or define, and OTHER_HEADERS define, as a compiler has them."""
    def preprocess(*options, source=INCLUDES):
        return subprocess.run([compiler, '-x', language, '-E', '-P', *options, *b.includes, '-'], input=source, text=True,
                              capture_output=True, check=True).stdout
    text = re.sub(r'^#.*$|\b__attribute__ *\(\(.*?\)\)', '', preprocess(), flags=re.M)
    headers = OTHER_HEADERS if language == 'c' else OTHER_HEADERS - ONLY_OF_C
    others = ''.join(f'#include <{header}.h>\n' for header in sorted(headers))
    macros = preprocess('-dM') + preprocess('-dM', '-D_GNU_SOURCE', source=others)
    return names_at_file_scope(text) | {name for name in re.findall(r'^#define (\w+)', macros, re.M) if name != '_GNU_SOURCE'}


@test
def refuses_the_names_that_c_has_taken(b):
    """Every name that the headers and the runtime take from C, or give to it."""
    names = set(re.findall(r' U ([A-Za-z]\w*)$', b.run('nm', b.build / 'libpallasrt.a'), re.M))
    for compiler, language in LANGUAGES:
        if shutil.which(compiler):
            names |= names_of(b, compiler, language)
    names = sorted(name for name in names if not keyword.iskeyword(name))
    if len(names) < 1000:
        raise Failed(f'{len(names)} names were found')
    (b.folder / 'taken.pk').write_text('def add(x: f32[2]):\n  return x + 1\n')
    (b.folder / 'taken.args').write_text('\n'.join(f'"--entry={name} = add(f32[2])"' for name in names))
    said = b.run(b.pallasc, '--max-errors=10000', '-c', 'taken.pk', '-o', 'taken.o', '@taken.args', status=1)
    refused = set(re.findall(r"error: '(\w+)' cannot be the name of a C function", said))
    if set(names) - refused:
        raise Failed(f'not refused: {" ".join(sorted(set(names) - refused))}')


@test
def headers_compile_with_names_like_those_of_c(b):
    """Names that only look like C's, and parameters of each kind of name that C has taken."""
    taken = 'register', 'template', 'NULL', 'linux', 'stdin', 'M_PIf', 'int8_t', 'size_t', 'malloc', 'cosf', 'machine', 'prt_status', '_Bool', '__x'
    names = 'memory', 'stringy', 'cosq', 'linux_', 'int8', 'add_one', 'ADD_ONE_X_DIM0', '_step'
    text = ''.join(f'def {name}(x: f32[2], int8_t_: i8[2], {", ".join(f"{p}: i8[2]" for p in taken)}):\n  return x + 1\n' for name in names)
    (b.folder / 'alike.pk').write_text(text)
    entries = [f'--entry={name} = {name}({", ".join(["f32[2]"] + ["i8[2]"] * (len(taken) + 1))})' for name in names]
    b.run(b.pallasc, 'alike.pk', *entries, '-o', 'alike.o', '-h', 'alike.h')
    calls = ''.join(f'prt_status (*use_{name})(prt_machine *, const float *, {"const int8_t *, " * (len(taken) + 1)}float *) = {name};\n' for name in names)
    (b.folder / 'alike.c').write_text(INCLUDES + '#include "alike.h"\n' + calls + 'int main(void) { return 0; }\n')
    for compiler, language in LANGUAGES:
        if shutil.which(compiler):
            b.run(compiler, *WARNINGS, *b.includes, '-x', language, 'alike.c', '-x', 'none', 'alike.o', *b.runtime, '-o', 'alike')


@test
def is_for_the_standards(b):
    """The header is for C99 and C++11 on, without a warning of theirs, and says so to what is older."""
    (b.folder / 'one.pk').write_text('def one(x: f32[8], b: bf16[8], n: i8[8], t: bool_[8]):\n    return x + 1, b, n, t\n')
    (b.folder / 'one.c').write_text('#include "one.h"\nint main(void) { return one == NULL; }\n')
    b.run(b.pallasc, 'one.pk', '-o', 'one.o', '-h', 'one.h')
    for compiler, language, standards in (('cc', 'c', ('c99', 'gnu99', 'c11', 'c17')), ('c++', 'c++', ('c++11', 'c++14', 'c++17', 'c++20'))):
        for standard in standards:
            b.run(compiler, *WARNINGS, f'-std={standard}', '-Wno-address', '-Wno-nonnull-compare', *b.includes, '-x', language, '-c', 'one.c', '-o', 'one_c.o')
    assert 'prt.h is for C99 and later' in b.run('cc', '-std=c89', *b.includes, '-c', 'one.c', status=1)


@test
def picks_the_code_for_a_size(b):
    """One C function for several sizes: from C and C++, at the levels, with checks, from a library."""
    entries = ['softmax(f32[{16,8,256},128])', 'mm = product(f32[{2,4},{3,5}], f32[{3,5},{7,32}])', 'over(f32[{8,16}])']
    command = [b.pallasc, '--devices', '4', HERE / 'sizes.pk', *(f'--entry={entry}' for entry in entries)]
    compilers = (['cc', '-std=gnu11'], ['c++', '-std=c++11', '-x', 'c++'])
    for options, compiler, arguments in ((['-O0'], compilers[0], []), (['-O2', '-g'], compilers[1], []), (['--check'], compilers[0], ['checked'])):
        b.run(*command, *options, '-o', 'sizes.o', '-h', 'sizes.h')
        b.run(*compiler, *WARNINGS, *b.includes, HERE / 'sizes.c', '-x', 'none', 'sizes.o', *b.runtime, '-ldl', '-o', 'sizes')
        b.run('./sizes', *arguments)
    b.run(*command, '-shared', '-o', 'libsizes.so')
    b.run('./sizes', './libsizes.so')


@test
def takes_arrays_in_place_for_a_size(b):
    """Arrays that are read and written; the IR's text has them."""
    body = '{\n  %0 = load %x[:] : f32[N]\n  %1 = add %0, %0 : f32[N]\n  store %1, %x[:]\n}\n'
    text = ''.join(f'func @twice.N(inout %x: hbm f32[N]) sizes twice(n = N) {body}'.replace('N', str(n)) for n in (8, 24))
    (b.folder / 'twice.ir').write_text(f'module tpu v5p devices 1\n{text}')
    (b.folder / 'twice.c').write_text('#include "twice.h"\nint main(void) {\n  float x[TWICE_X_COUNT_MAX + 1] = {[7] = 1, [23] = 2};\n'
                                      '  if (twice(NULL, 8, x) || x[7] != 2 || x[23] != 2) return 1;\n'
                                      '  if (twice(NULL, 24, x) || x[7] != 4 || x[23] != 4) return 2;\n'
                                      '  return twice(NULL, 16, x) != PRT_ERROR_ARGUMENT;\n}\n')
    b.run(b.pallasc, '--from-ir', 'twice.ir', '-o', 'twice.o', '-h', 'twice.h')
    b.link('twice.c', 'twice.o')
    b.run('./twice')


@test
def takes_what_each_device_has_as_an_array_of_its_own(b):
    text = ('module tpu v5p devices 3\nfunc @turn(%a: hbm f32[2], %b: hbm f32[2], %c: hbm f32[2], out %x: hbm f32[2], out %y: hbm f32[2], out %z: hbm f32[2]) {\n'
            '  cores "f" meshes "device i:3" (%i) {\n    %from = part %a, %b, %c, %i : hbm f32[2]\n    %to = part %x, %y, %z, %i : hbm f32[2]\n'
            '    %v = load %from[:] : f32[2]\n    %w = rev %v dims [0] : f32[2]\n    store %w, %to[:]\n  }\n}\n')
    (b.folder / 'turn.ir').write_text(text)
    (b.folder / 'turn.c').write_text('#include "turn.h"\nint main(void) {\n  const float in[3][2] = {{1, 2}, {3, 4}, {5, 6}};\n  float out[3][2];\n'
                                     '  if (turn(NULL, in[0], in[1], in[2], out[0], out[1], out[2])) return 1;\n'
                                     '  for (int i = 0; i < 3; i++)\n    if (out[i][0] != in[i][1] || out[i][1] != in[i][0]) return 2;\n  return 0;\n}\n')
    b.run(b.pallasc, '--from-ir', 'turn.ir', '-o', 'turn.o', '-h', 'turn.h')
    b.link('turn.c', 'turn.o')
    b.run('./turn')
