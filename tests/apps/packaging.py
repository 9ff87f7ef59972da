# SPDX-License-Identifier: Apache-2.0
"""What builds lean on: dependency files, the installed tree, CMake, pkg-config, the manual page, stand-ins for packages."""
import os
import pathlib
import re
import shutil
import subprocess

from bench import HERE, ROOT, Failed, test


@test
def depends_on_what_it_imports(b):
    b.run(b.pallasc, HERE / 'kernels.pk', '-o', 'k.o', '-MD', '-MP', '-MT', 'out.o')
    rule = (b.folder / 'k.d').read_text()
    for wanted in ('out.o:', 'kernels.pk', 'scaling.pk'):
        if wanted not in rule:
            raise Failed(f'the dependency file has no {wanted}:\n{rule}')


@test
def depends_on_files_of_any_name(b):
    """make reads the names as they are."""
    folder = b.folder / 'named'
    folder.mkdir()
    names = ['two words.pk', 'a#b.pk', 'of $5.pk', 'of $(x).pk', 'back\\slash.pk', 'back\\#.pk', 'back\\ blank.pk', 'tab\there.pk', 'of <x>.pk', '-D x.pk']
    for name in names:
        (folder / name).write_text('def f(x: f32[8]):\n    return x + 1\n')
        b.run(b.pallasc, f'./{name}', '-o', 'f.o', '-MD', '-MF', 'f.d', cwd=folder)
        rule = (folder / 'f.d').read_text()
        (folder / 'Makefile').write_text(f'all: f.o\n{rule}\t@:\n')
        (folder / 'f.o').unlink()
        made = subprocess.run(['make', '-n', '-r', '--debug=v'], cwd=folder, capture_output=True, text=True)
        if f"target file '{name}'" not in made.stdout or made.returncode:
            raise Failed(f'make does not find {name} in\n{rule}\n{made.stdout}{made.stderr}')
    (folder / 'k.pk').write_text('def f(x: f32[8]):\n    return x + N\n')
    b.run(b.pallasc, 'k.pk', '-D', 'N=2', '--entry', 'f(f32[8])', '-o', 'f.o', '-MD', '-MF', 'k.d', cwd=folder)
    if (rule := (folder / 'k.d').read_text()) != 'f.o: \\\n  k.pk\n':
        raise Failed(f'k.pk depends on\n{rule}')


@test
def what_is_installed_is_built_for_it(b):
    """The README's install after ./dsl-examples/run, which builds this target."""
    made = set(b.run('ninja', '-C', b.build, '-t', 'commands', 'installed').split())
    targets = {line.split(':')[0] for line in b.run('ninja', '-C', b.build, '-t', 'targets', 'all').splitlines()}
    named = set(re.findall(rf'"{re.escape(str(b.build))}/([^"]+)"', (b.build / 'cmake_install.cmake').read_text()))
    missing = (named & targets) - made
    if missing or 'libpallasc.so' not in ' '.join(named):
        raise Failed(f'the target installed does not make {missing}')
    if 'setup_build installed' not in (ROOT / 'dsl-examples/run').read_text():
        raise Failed('dsl-examples/run does not build it')


@test
def what_is_installed_names_no_folder_of_the_build(b):
    prefix = b.folder / 'anywhere'
    b.run('cmake', '--install', b.build, '--prefix', prefix)
    for file in prefix.rglob('*'):
        if file.is_file() and not file.is_symlink() and (found := re.search(re.escape(bytes(ROOT)) + rb'/[^\0\n]*', file.read_bytes())):
            raise Failed(f'{file.relative_to(prefix)} has {found[0]}')


@test
def is_linked_from_the_build_folder_by_pkg_config(b):
    config = {'PKG_CONFIG_PATH': str(b.build)}
    flags = b.run('pkg-config', '--cflags', '--libs', 'pallasrt', env=config).split()
    b.run(b.pallasc, HERE / 'kernels.pk', '-o', 'pcb.o', '-h', 'kernels.h')
    b.run('cc', '-std=c11', f'-I{b.folder}', HERE / 'app.c', 'pcb.o', *flags, '-lm', '-o', 'app_pcb')
    b.run('./app_pcb')


@test
def is_found_by_cmake_and_pkg_config(b):
    prefix = b.folder / 'prefix'
    b.run('cmake', '--install', b.build, '--prefix', prefix)
    project = b.folder / 'consumer'
    b.run('cmake', '-S', HERE / 'consumer', '-B', project, '-G', 'Ninja', f'-DCMAKE_PREFIX_PATH={prefix}', '-DCMAKE_BUILD_TYPE=Release')
    b.run('ninja', '-C', project)
    b.run(project / 'app')
    b.run(project / 'special_app')
    if 'no work to do' not in b.run('ninja', '-C', project):
        raise Failed('a second build has work to do')
    os.utime(HERE / 'scaling.pk')
    if 'kernels.o' not in b.run('ninja', '-C', project, '-n', '-v'):
        raise Failed('a change of an imported module does not rebuild the kernels')
    config = {'PKG_CONFIG_PATH': ':'.join(str(path.parent) for path in prefix.rglob('pallasrt.pc'))}
    flags = b.run('pkg-config', '--cflags', '--libs', 'pallasrt', env=config).split()
    b.run(prefix / 'bin' / 'pallasc', HERE / 'kernels.pk', '-o', 'pc.o', '-h', 'kernels.h')
    b.run('cc', '-std=c11', f'-I{b.folder}', HERE / 'app.c', 'pc.o', *flags, '-lm', '-pthread', '-o', 'app_pc')
    libraries = ':'.join({str(path.parent) for path in prefix.rglob('libpallasrt.so')})
    b.run('./app_pc', env={'LD_LIBRARY_PATH': libraries})
    b.run(prefix / 'bin' / 'pallasc', '-shared', HERE / 'kernels.pk', '-o', 'libinstalled.so')
    b.run('./loader', './libinstalled.so')


@test
def has_a_manual_page_and_a_completion(b):
    prefix = b.folder / 'paged'
    b.run('cmake', '--install', b.build, '--prefix', prefix)
    page = (prefix / 'share/man/man1/pallasc.1').read_text()
    options = (ROOT / 'compiler/driver/options/options.def').read_text()
    for spelling, text in re.findall(r'^OPTION\(\w+, "([^"]+)", .*, "(.*)"\)$', options, re.M):
        if text and spelling.replace('-', r'\-') not in page:
            raise Failed(f'the manual page has no {spelling}')
    if shutil.which('groff'):
        told = subprocess.run(['groff', '-man', '-ww', '-Tascii', prefix / 'share/man/man1/pallasc.1'], capture_output=True, text=True)
        if told.stderr or 'compile Pallas TPU kernels' not in told.stdout:
            raise Failed(f'groff says: {told.stderr}')
    script = prefix / 'share/bash-completion/completions/pallasc'
    for words, want in (('--see', '--seed= --seeds='), ('che', 'check'), ('check --tpu = v6', 'v6e'), ('check --tpu =', 'v5e'), ('help wa', 'warnings'),
                        ('-Wp', '-Wperf'), ('--emit = sch', 'schedule'), ('--emit = a', 'asm ast'), ('-O', '-O0 -O1 -O2 -O3'), ('--target-cpu = skylake-', 'skylake-avx512'),
                        ('-x p', 'pk'), ('test --tb = na', 'native'), ('test --maxf', '--maxfail='), ('run --maxf', ''), ('bench --sw', '--sweep='),
                        ('--error-format = j', 'json'), ('-Werror = ig', 'ignored'), ('--stop-after = sim', 'simplify')):
        done = b.run('bash', '-c', f'source {script}; compopt() {{ :; }}; COMP_WORDS=(pallasc {words}); COMP_CWORD={len(words.split())}; _pallasc; '
                     'echo "${COMPREPLY[@]}"')
        if done.strip() != want and want not in done.split():
            raise Failed(f'{words} is completed as {done}')


@test
def installs_headers_for_c_and_cxx(b):
    """Each by itself, without a warning; those of programs in C99 and C++11, too."""
    prefix = b.folder / 'headed'
    b.run('cmake', '--install', b.build, '--prefix', prefix)
    warnings = ['-Wall', '-Wextra', '-Wshadow', '-Wundef', '-Wconversion', '-Werror']
    for header in sorted((prefix / 'include').glob('*.h')):
        (b.folder / 'alone.c').write_text(f'#include "{header.name}"\nint alone(void);\nint alone(void) {{ return 0; }}\n')
        strict = header.name != 'prt_transport.h'  # C11's alignment, C's arrays without a length
        for language, compiler, standards in (('c', 'cc', ['c99'] * strict + ['c11', 'c17']), ('c++', 'c++', ['c++11', 'c++17', 'c++20'])):
            own = ['-Wpedantic', '-Wold-style-cast', '-Wzero-as-null-pointer-constant'][:3 if language == 'c++' else 1] if strict else []
            for standard in standards:
                b.run(compiler, '-x', language, f'-std={standard}', *warnings, *own, f'-I{prefix / "include"}', '-c', 'alone.c', '-o', 'alone.o')


@test
def is_taken_away_again(b):
    """`ninja uninstall`: what the last installation has put there, and no more."""
    prefix = b.folder / 'taken'
    (prefix / 'lib').mkdir(parents=True, exist_ok=True)
    other = prefix / 'lib' / 'other.so'
    other.write_text('of another program')
    b.run('cmake', '--install', b.build, '--prefix', prefix)
    b.run('cmake', '--build', b.build, '--target', 'uninstall')
    stage = b.folder / 'stage'  # of a package: found again without the variable
    b.run('cmake', '--install', b.build, '--prefix', '/usr', env={'DESTDIR': str(stage)})
    told = b.run('cmake', '--build', b.build, '--target', 'uninstall')
    if 'Removed 0 files' in told or [path for path in stage.rglob('*') if path.is_file()]:
        raise Failed(f'uninstall leaves what is in {stage}: {told}')
    left = [path for path in prefix.rglob('*') if not path.is_dir() or 'allasc' in path.name]
    if left != [other]:
        raise Failed(f'uninstall leaves {left}')


STAND_INS = '''import absl.flags, absl.logging, beartype.typing, chex, flax.struct, jaxtyping, pydantic.dataclasses
print(chex.__file__)
'''


@test
def finds_stand_ins_for_packages_of_others(b):
    """Installed, anywhere; a package of that name on the search path wins; without their folder the message says where it belongs."""
    prefix, program = b.folder / 'moved', b.folder / 'stand_ins.py'
    b.run('cmake', '--install', b.build, '--prefix', b.folder / 'first')
    shutil.rmtree(prefix, ignore_errors=True)
    (b.folder / 'first').rename(prefix)
    program.write_text(STAND_INS)
    for pallasc, place in ((b.pallasc, b.build), (prefix / 'bin' / 'pallasc', prefix)):
        found = pathlib.Path(b.run(pallasc, 'run', program).strip())
        if not found.resolve().samefile(next((prefix / 'share').rglob('chex.pk')) if place == prefix else ROOT / 'compiler/library/third_party/chex.pk'):
            raise Failed(f'{pallasc} took {found}')
    real = b.folder / 'site' / 'chex'
    real.mkdir(parents=True, exist_ok=True)
    (real / '__init__.py').write_text('version = 9\n')
    for options, env in ((['-I', real.parent], {}), ([], {'PALLASC_PATH': str(real.parent)})):
        found = b.run(prefix / 'bin' / 'pallasc', 'run', *options, program, env=env).strip()
        if pathlib.Path(found) != real / '__init__.py':
            raise Failed(f'{found} was taken, not the package of the search path')
    for name in 'pytest', 'absl':
        other = real.parent / name
        other.mkdir(exist_ok=True)
        (other / '__init__.py').write_text('raise ImportError("the runner is another one")\n')
    (b.folder / 'test_site.py').write_text('import pytest\nfrom absl.testing import absltest\n\n\ndef test_it():\n    assert pytest.approx(1.0) == 1.0\n')
    b.run(prefix / 'bin' / 'pallasc', 'test', '-I', real.parent, 'test_site.py', cwd=b.folder)
    shutil.rmtree(prefix / 'share' / 'pallasc')
    said = b.run(prefix / 'bin' / 'pallasc', 'run', program, status=1)
    if 'share/pallasc/third_party' not in said:
        raise Failed(f'the message does not say what is missing:\n{said}')
