# SPDX-License-Identifier: Apache-2.0
"""Kernels linked into programs: languages, levels, CPUs, checks, devices, threads, and a machine without memory."""
import shutil

from bench import HERE, ROOT, WARNINGS, Skipped, test


@test
def links_into_c(b):
    b.link('app.c', 'kernels.o')
    b.run('./app')
    b.run('./app', env={'PRT_THREADS': '1'})


@test
def links_into_cxx(b):
    b.run('c++', '-std=c++11', *WARNINGS, *b.includes, '-x', 'c++', HERE / 'app.c', '-x', 'none', 'kernels.o', *b.runtime, '-o', 'app_cxx')
    b.run('./app_cxx')


@test
def links_with_clang(b):
    if not shutil.which('clang'):
        raise Skipped('there is no clang')
    b.run('clang', '-std=c11', *WARNINGS, *b.includes, HERE / 'app.c', 'kernels.o', *b.runtime, '-o', 'app_clang')
    b.run('./app_clang')


@test
def links_against_the_shared_runtime(b):
    b.run('cc', '-std=c11', *b.includes, HERE / 'app.c', 'kernels.o', f'-L{b.build}', '-lpallasrt', '-lm', '-o', 'app_shared')
    b.run('./app_shared', env={'LD_LIBRARY_PATH': str(b.build)})


@test
def runs_on_every_level_of_cpu(b):
    for cpu in ('x86-64', 'x86-64-v2', 'x86-64-v3', 'native'):
        b.run(b.pallasc, HERE / 'kernels.pk', f'--target-cpu={cpu}', '-O2', '-o', 'kernels_cpu.o')
        b.link('app.c', 'kernels_cpu.o', to='app_cpu')
        b.run('./app_cpu')


@test
def runs_at_every_optimisation_level(b):
    for level in '0123':
        b.run(b.pallasc, HERE / 'kernels.pk', f'-O{level}', '-o', 'kernels_level.o')
        b.link('app.c', 'kernels_level.o', to='app_level')
        b.run('./app_level')


@test
def runs_with_checks(b):
    b.run(b.pallasc, '--check', HERE / 'kernels.pk', '-o', 'kernels_check.o')
    b.link('app.c', 'kernels_check.o', to='app_check')
    b.run('./app_check')


@test
def tells_what_checks_find(b):
    b.run(b.pallasc, '--check', HERE / 'found.pk', '-o', 'found.o', '-h', 'found.h')
    b.link('found.c', 'found.o')
    b.run('./found')


@test
def refuses_arguments_that_overlap(b):
    """Code with checks, and any code on a debug build of the runtime."""
    for options, defines, arguments in ((['--check'], ['-DNDEBUG'], []), ([], [], []), ([], ['-DNDEBUG'], ['unchecked'])):
        b.run(b.pallasc, *options, HERE / 'arguments.pk', '-o', 'arguments.o', '-h', 'arguments.h')
        b.run('cc', '-std=gnu11', *defines, *b.includes, '-c', ROOT / 'runtime/machine/prt_call.c', '-o', 'prt_call.o')
        b.link('arguments.c', 'arguments.o', 'prt_call.o')  # instead of the archive's
        b.run('./arguments', *arguments)


@test
def runs_eight_devices(b):
    b.link('devices.c', b.make_devices())
    b.run('./devices')


@test
def launches_a_hundred_thousand_times(b):
    b.link('soak.c', b.make_devices())
    b.run('./soak', env={'PRT_THREADS': '1'})


@test
def is_called_from_eight_threads(b):
    b.link('threads.c', 'kernels.o')
    b.run('./threads')
    b.run('./threads', env={'PRT_THREADS': '1'})


@test
def weathers_a_storm(b):
    b.link('storm.c', b.make_devices(), std='gnu11')
    b.run('./storm')


@test
def says_that_there_is_no_memory(b):
    wrapped = [f'-Wl,--wrap={name}' for name in ('malloc', 'calloc', 'realloc', 'mmap', 'pthread_create')]
    b.link('no_memory.c', b.make_devices(), *wrapped, std='gnu11')
    b.run('./no_memory')


@test
def refuses_a_cpu_without_its_features(b):
    b.link('refusal.c', 'kernels.o')
    b.run('./refusal')
