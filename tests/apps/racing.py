# SPDX-License-Identifier: Apache-2.0
"""Programs under ThreadSanitizer: the kernels tell it of their accesses, and so does the runtime of --tsan."""
import sys

from bench import HERE, ROOT, Failed, race


def has_no_races(b, name, *options, arguments=()):
    b.run(b.pallasc, '-g', '-fsanitize=thread', *options, HERE / f'{name}.pk', '-o', 'raced.o', '-h', f'{name}.h')
    b.run('cc', '-std=c11', '-g', '-O1', '-fsanitize=thread', *b.includes, HERE / f'{name}.c', 'raced.o', *b.runtime, '-o', 'raced')
    b.run('./raced', *arguments, env={'TSAN_OPTIONS': 'halt_on_error=1'})


@race
def eight_devices_do_not_race(b):
    has_no_races(b, 'devices', '--devices', '8')


@race
def eight_threads_do_not_race(b):
    b.run(b.pallasc, '-fsanitize=thread', HERE / 'kernels.pk', '-o', 'raced.o', '-h', 'kernels.h')
    b.run('cc', '-std=c11', '-fsanitize=thread', *b.includes, HERE / 'threads.c', 'raced.o', *b.runtime, '-o', 'raced')
    b.run('./raced', env={'TSAN_OPTIONS': 'halt_on_error=1'})


@race
def who_waits_does_not_race(b):
    has_no_races(b, 'races', '--devices', '4')


@race
def a_missing_wait_is_found(b):
    try:
        has_no_races(b, 'races', '--devices', '4', '-D', 'EARLY=True', arguments=['20000'])
    except Failed as report:
        if all(text in str(report) for text in ('ThreadSanitizer: data race', 'races.pk:18', 'prt__copy_start')):
            return
        raise
    raise Failed('the read in races.pk:18 goes unnoticed')


@race
def programs_that_are_drawn_do_not_race(b):
    """Programs of random_effects, on several threads: each memory that cores share must be theirs by a semaphore."""
    sys.path.insert(0, str(ROOT / 'tests' / 'fuzz'))
    import random_effects
    seeds = range(100, 116)
    (b.folder / 'drawn.pk').write_text(random_effects.HEAD + ''.join(random_effects.make_program(seed) for seed in seeds))
    entries = [word for seed in seeds for word in ('--entry', f'p{seed}_entry(i32[1])')]
    b.run(b.pallasc, '-g', '-fsanitize=thread', '--devices', '3', *entries, 'drawn.pk', '-o', 'raced.o')
    b.run('cc', '-std=c11', '-g', '-O1', '-rdynamic', '-fsanitize=thread', *b.includes, HERE / 'drawn.c', 'raced.o', *b.runtime, '-o', 'raced')
    b.run('./raced', '20', env={'TSAN_OPTIONS': 'halt_on_error=1'})
