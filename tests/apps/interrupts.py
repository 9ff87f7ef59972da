# SPDX-License-Identifier: Apache-2.0
"""Commands that are ended by a signal: what they have printed, their account, and the processes they started."""
import os
import re
import signal
import subprocess
import time

from bench import ROOT, Failed, test


def end_of(command, folder, how, signal_number):
    """Starts it in a group of its own, ends it after some seconds, and sees that nobody of the group is left."""
    job = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        time.sleep(3)
        how(job.pid, signal_number)
        job.communicate(timeout=30)  # the pipe is closed: nobody holds it
        for _ in range(50):
            os.killpg(job.pid, 0)
            time.sleep(0.1)
        raise Failed(f'{" ".join(map(str, command))}: a process goes on')
    except ProcessLookupError:
        pass
    except subprocess.TimeoutExpired:
        raise Failed(f'{" ".join(map(str, command))}: not over after 30 s') from None
    finally:
        try:
            os.killpg(job.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


@test
def leaves_no_process_behind(b):
    for name in 'one', 'two':
        (b.folder / f'test_{name}.py').write_text('def test_endless():\n    while True:\n        pass\n')
    commands = ([b.pallasc, 'check', '--seeds=100000', '--jobs=3', ROOT / 'dsl-examples/cores/core_reduction.pk'],
                [b.pallasc, 'test', '-j', '2', 'test_one.py', 'test_two.py'])
    for command in commands:
        for how, number in (os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM), (os.kill, signal.SIGINT):
            end_of(command, b.folder, how, number)


def interrupted(b, arguments, after):
    """What a command prints whose standard output is a pipe and that is stopped once `after` is there, and its status."""
    job = subprocess.Popen([b.pallasc, *arguments], cwd=b.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        for _ in range(600):
            if (b.folder / after).exists():
                break
            time.sleep(0.1)
        time.sleep(0.5)  # what was begun goes on
        job.send_signal(signal.SIGINT)
        return job.communicate(timeout=60)[0], job.returncode
    finally:
        job.kill()


@test
def an_interrupt_loses_nothing_that_was_printed(b):
    (b.folder / 'ends.py').write_text('''import time
print("one")
try:
    open("begun", "w")
    time.sleep(60)
finally:
    print("two")
''')
    out, status = interrupted(b, ['run', 'ends.py'], 'begun')
    if 'one\ntwo\n' not in out or status != -signal.SIGINT:
        raise Failed(f'status {status}\n{out}')


@test
def tests_that_are_interrupted_have_an_account(b):
    (b.folder / 'test_it.py').write_text('''import time
def test_a(): pass
def test_b(): assert 0
def test_c():
    open("begun", "w")
    time.sleep(60)
def test_d(): pass
''')
    out, status = interrupted(b, ['test', 'test_it.py'], 'begun')
    if status != 2 or not re.search(r'FAILED test_it.py::test_b - assert 0\n!+ KeyboardInterrupt !+\n=+ 1 failed, 1 passed in', out):
        raise Failed(f'status {status}\n{out}')


@test
def an_interrupt_is_an_exception_of_the_program(b):
    (b.folder / 'endless.py').write_text('''import jax, jax.numpy as jnp
def spin(n):
    while True:
        n += 1
print("one", flush=True)
try:
    spin(0)
except KeyboardInterrupt:
    print("two", flush=True)
try:
    spin(1)
finally:
    print("three", flush=True)
''')
    (b.folder / 'kernel.py').write_text('''import jax, jax.numpy as jnp
print("one", flush=True)
print(jax.jit(lambda x: jax.lax.while_loop(lambda c: c >= 0, lambda c: c + 0 * x, x))(jnp.float32(1)))
''')
    (b.folder / 'turns.py').write_text('''import jax, jax.numpy as jnp
print("one", flush=True)
print(jax.jit(lambda x: jax.lax.fori_loop(0, 2 ** 31 - 1, lambda i, c: jnp.sin(c) + x, x))(jnp.ones(1024))[0])
''')
    (b.folder / 'sorted.py').write_text('''import numpy as np
x = np.sin(np.arange(10 ** 8))
print("one", flush=True)
print(np.argsort(x)[0])
''')
    (b.folder / 'asleep.py').write_text('''import time
print("one", flush=True)
try:
    time.sleep(60)
except KeyboardInterrupt:
    print("two", flush=True)
try:
    time.sleep(60)
finally:
    print("three", flush=True)
''')
    for name, rounds, want in (('asleep.py', 2, 'KeyboardInterrupt'), ('endless.py', 2, r'endless\.py:[34]:\d+: error: KeyboardInterrupt'), ('kernel.py', 1, r'KeyboardInterrupt: stopped in turn \d+ of this loop, kernel\.py:3:\d+'),
                               ('turns.py', 1, r'KeyboardInterrupt: stopped in turn \d+ of this loop, turns\.py:3:\d+'),
                               ('sorted.py', 1, r'sorted\.py:4:\d+: error: KeyboardInterrupt: what this runs did not stop within a second')):
        job = subprocess.Popen([b.pallasc, '--color=never', 'run', name], cwd=b.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        try:
            for _ in range(rounds):
                job.stdout.readline()
                time.sleep(0.5)
                job.send_signal(signal.SIGINT)
            out, err = job.communicate(timeout=60)
        finally:
            job.kill()
        if job.returncode != -signal.SIGINT or not re.search(want, err) or (rounds == 2 and out != 'three\n'):
            raise Failed(f'{name}: status {job.returncode}\n{out}\n{err}')


STOPPED_KERNEL = '''def spin(x_ref, o_ref):
    o_ref[0] = lax.while_loop(lambda c: c >= 0, lambda c: c + 0 * c, x_ref[0])

def counted(x_ref, o_ref):
    o_ref[...] = lax.fori_loop(0, 2 ** 31 - 1, lambda i, c: c * 0.5 + 1, x_ref[...])

def steps(x_ref, o_ref):
    o_ref[...] = jnp.sin(x_ref[...]) + pl.program_id(0)

def endless(x: f32[1]):
    return pl.pallas_call(spin, out_shape=x)(x)

def turns(x: f32[1024]):
    return pl.pallas_call(counted, out_shape=x)(x)

def grid(x: f32[1024]):
    whole = pl.BlockSpec((1024,), lambda i: (0,))
    return pl.pallas_call(steps, out_shape=x, grid=(2 ** 30,), in_specs=[whole], out_specs=whole)(x)

def fits(x: f32[8]):
    return x + 1
'''
STOPPING_APP = '''#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include "long.h"
static void stop(int number) {
  signal(number, stop);
  prt_machine_stop(NULL, true);
}
static float x[1024], out[1024];
int main(void) {
  if (fits(NULL, x, out) != PRT_OK) return 1;
  prt_machine_stop(NULL, true);
  prt_machine_stop(NULL, false);
  signal(SIGALRM, stop);
  alarm(1);
  if (endless(NULL, x, out) != PRT_ERROR_STOPPED) return 2;
  puts(prt_error_message());
  prt_machine_stop(NULL, false);
  alarm(1);
  if (turns(NULL, x, out) != PRT_ERROR_STOPPED) return 3;
  puts(prt_error_message());
  prt_machine_stop(NULL, false);
  alarm(1);
  if (grid(NULL, x, out) != PRT_ERROR_STOPPED) return 4;
  puts(prt_error_message());
  if (fits(NULL, x, out) != PRT_OK || out[7] != 1) return 5;
  return 0;
}
'''


@test
def a_program_of_c_stops_a_kernel(b):
    (b.folder / 'long.pk').write_text(STOPPED_KERNEL)
    (b.folder / 'long.c').write_text(STOPPING_APP)
    b.run(b.pallasc, 'long.pk', '-o', 'long.o', '-h', 'long.h')
    b.link('long.c', 'long.o')
    begun = time.monotonic()
    told = b.run('./long').splitlines()
    if time.monotonic() - begun > 20:
        raise Failed('a kernel goes on for seconds once it is stopped')
    if not re.fullmatch(r'endless: long\.pk:2: stopped in turn \d+ of this loop\nturns: long\.pk:5: stopped in turn \d+ of this loop\ngrid: .*stopped.*', '\n'.join(told)):
        raise Failed('\n'.join(told))
