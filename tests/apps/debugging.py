# SPDX-License-Identifier: Apache-2.0
"""What debuggers and profilers see: lines, values, and code that was made in the process."""
import pathlib
import re
import shutil
import subprocess

from bench import HERE, Failed, Skipped, test


@test
def has_lines_of_the_source(b):
    if not shutil.which('readelf'):
        raise Skipped('there is no readelf')
    b.run(b.pallasc, '-g', HERE / 'kernels.pk', '-o', 'kernels_g.o')
    if 'kernels.pk' not in b.run('readelf', '--debug-dump=decodedline', 'kernels_g.o'):
        raise Failed('the object has no lines of kernels.pk')


@test
def stops_at_lines_in_a_debugger(b):
    if not shutil.which('gdb'):
        raise Skipped('there is no gdb')
    b.run(b.pallasc, '-g', HERE / 'traced.pk', '-o', 'traced.o', '-h', 'traced.h')
    b.link('traced.c', 'traced.o', '-g')
    session = b.run('gdb', '-batch', '-ex', 'break traced.pk:5', '-ex', 'run', '-ex', 'backtrace', './traced')
    for wanted in ('double_exp () at ', 'traced.pk:5', 'kernel () at ', 'traced.pk:11', 'grow () at ', 'traced.pk:17', 'main () at '):
        if wanted not in session:
            raise Failed(f'gdb does not show {wanted!r}:\n{session}')


@test
def shows_fused_lines_and_scalars_in_a_debugger(b):
    if not shutil.which('gdb'):
        raise Skipped('there is no gdb')
    source = (HERE / 'scalars.pk').read_text().splitlines()
    lines = {word: next(i for i, line in enumerate(source, 1) if f'# {word}' in line) for word in ('view', 'fused', 'folded', 'step', 'last')}
    for level in '-O0', '-O1', '-O2':
        b.run(b.pallasc, '-g', level, HERE / 'scalars.pk', '-o', 'scalars.o', '-h', 'scalars.h')
        b.link('scalars.c', 'scalars.o', '-g')
        breaks = [word for line in lines.values() for word in ('-ex', f'break scalars.pk:{line}')]
        told = b.run('gdb', '-batch', *breaks, './scalars')
        for line in lines.values():
            if f'scalars.pk, line {line}.' not in told:
                raise Failed(f'there is no code of line {line} at {level}:\n{told}')
        # What has been used for the last time is gone from the registers of optimised code, on one CPU here, on another one there.
        keeps_all = level != '-O2'
        which = 'program_id_0 == 1 && program_id_1 == 1' if keeps_all else 'program_id_0 == 1'
        stop = ['-ex', f'tbreak scalars.pk:{lines["step"]} if n == 1', '-ex', f'tbreak scalars.pk:{lines["last"]} if {which}', '-ex', 'run']
        told = b.run('gdb', '-batch', *stop, '-ex', 'info locals', '-ex', 'continue', '-ex', 'info locals', './scalars')
        for name, value in ('twice', '2'), ('program_id_1', '1' if keeps_all else '[01]'):
            if not re.search(rf'^{name} = ({value}' + ('' if keeps_all else '|<optimized out>') + ')$', told, re.M):
                raise Failed(f'gdb shows another value of {name} at {level}:\n{told}')
        for wanted in ('n = 1', 'i = 1', 'program_id_0 = 1', 'scale = 3', 'half = 1.5', 'offset = 7'):
            if wanted not in told:
                raise Failed(f'gdb does not show {wanted!r} at {level}:\n{told}')


REDUCED = '''def kernel(x_ref, o_ref):
  i = pl.program_id(0)
  most = jnp.max(x_ref[...])
  total = jnp.sum(x_ref[...] - most)
  both = most + total
  o_ref[...] = (x_ref[...] - most) * total + both


def f(x: f32[24, 128]):
  block = pl.BlockSpec((8, 128), lambda i: (i, 0))
  return pl.pallas_call(kernel, out_shape=x, grid=(3,), in_specs=[block], out_specs=block)(x)
'''
REDUCED_APP = '''#include "reduced.h"
static float x[F_X_COUNT], out[F_OUT_COUNT];
int main(void) {
  for (int i = 0; i < F_X_COUNT; i++) x[i] = i % 4 + i / 1024;
  return (int)f(NULL, x, out);
}
'''


@test
def shows_scalars_of_fused_loops_in_a_debugger(b):
    """What a loop over an array makes, and what is computed of it, at a line behind them: in the step of the grid that is asked for."""
    if not shutil.which('gdb'):
        raise Skipped('there is no gdb')
    (b.folder / 'reduced.pk').write_text(REDUCED)
    (b.folder / 'reduced.c').write_text(REDUCED_APP)
    for level in '-O0', '-O1':
        b.run(b.pallasc, '-g', level, 'reduced.pk', '-o', 'reduced.o', '-h', 'reduced.h')
        b.link('reduced.c', 'reduced.o', '-g')
        told = b.run('gdb', '-batch', '-ex', 'break reduced.pk:6 if program_id_0 == 2', '-ex', 'run', '-ex', 'info locals', './reduced')
        for wanted in ('i = 2', 'most = 5', 'total = -1536', 'both = -1531'):
            if not re.search(f'^{wanted}$', told, re.M):
                raise Failed(f'gdb does not show {wanted!r} at {level}:\n{told}')


UNROLLED = '''def kernel(x_ref, o_ref):
  for r in range(6):
    most = jnp.max(x_ref[r])
    total = jnp.sum(x_ref[r] - most)
    o_ref[r] = x_ref[r] * total


def f(x: f32[6, 4096]):
  return pl.pallas_call(kernel, out_shape=x)(x)
'''


@test
def shows_a_debugger_no_value_of_another_turn(b):
    """Turns of a loop that are fused have their scalars in another order than the source: a variable shows none of them, or that of its turn."""
    if not shutil.which('gdb'):
        raise Skipped('there is no gdb')
    (b.folder / 'reduced.pk').write_text(UNROLLED)
    (b.folder / 'reduced.c').write_text(REDUCED_APP)
    for level in '-O0', '-O1':
        b.run(b.pallasc, '-g', level, 'reduced.pk', '-o', 'reduced.o', '-h', 'reduced.h')
        b.link('reduced.c', 'reduced.o', '-g')
        told = b.run('gdb', '-batch', '-ex', 'tbreak reduced.pk:5', '-ex', 'run', '-ex', 'info locals', './reduced')
        shown = re.findall(r'^(most|total) = (.*)$', told, re.M)
        if level == '-O0' and ('most', '6') not in shown or [value for name, value in shown if (name, value) not in (('most', '6'), ('total', '-12288'))]:
            raise Failed(f'gdb shows the value of another turn at {level}:\n{told}')


TURNS = '''def kernel(x_ref, o_ref):
  i = pl.program_id(0)
  t = lax.fori_loop(0, 8, lambda j, s: s + x_ref[j, 0] * j, 0.0)
  o_ref[...] = x_ref[...] * t + i


def f(x: f32[24, 128]):
  block = pl.BlockSpec((8, 128), lambda i: (i, 0))
  return pl.pallas_call(kernel, out_shape=x, grid=(3,), in_specs=[block], out_specs=block)(x)
'''


@test
def stops_in_each_step_in_a_debugger(b):
    """What jumps to the next step is not taken for the last line of a body."""
    if not shutil.which('gdb'):
        raise Skipped('there is no gdb')
    (b.folder / 'turns.pk').write_text(TURNS)
    (b.folder / 'turns.c').write_text('#include "turns.h"\nint main(void) {\n  static float x[F_X_COUNT], o[F_OUT_COUNT];\n  return f(0, x, o);\n}\n')
    for level in '-O0', '-O1', '-O2':
        b.run(b.pallasc, '-g', level, 'turns.pk', '-o', 'turns.o', '-h', 'turns.h')
        b.link('turns.c', 'turns.o', '-g')
        words = [word for _ in range(3) for word in ('-ex', 'print i', '-ex', 'continue')]
        told = b.run('env', 'PRT_THREADS=1', 'gdb', '-batch', '-ex', 'break turns.pk:4', '-ex', 'run', *words, './turns')
        shown = re.findall(r'^\$\d+ = (\d+|<optimized out>)$', told, re.M)
        if shown != ['0', '1', '2'] and (level != '-O2' or len(shown) != 3):
            raise Failed(f'gdb does not stop in each of the three steps at {level}:\n{told}')


STEPS = '''def softmax_kernel(x_ref, o_ref):
    i = pl.program_id(0)
    j = i * 2 + 1
    m = jnp.max(x_ref[...], axis=1, keepdims=True)
    e = jnp.exp(x_ref[...] - m)
    s = jnp.sum(e, axis=1, keepdims=True)
    o_ref[...] = e / s
    o_ref[0, 0] = j.astype(f32)

def softmax(x: f32[256, 128]):
    b = pl.BlockSpec((32, 128), lambda i: (i, 0))
    return pl.pallas_call(softmax_kernel, out_shape=x, grid=(8,), in_specs=[b], out_specs=b)(x)

if __name__ == "__main__":
    print(softmax(jnp.ones((256, 128)))[0, :4])
'''


@test
def shows_a_debugger_no_value_of_another_step(b):
    if not shutil.which('gdb'):
        raise Skipped('there is no gdb')
    (b.folder / 'soft.pk').write_text(STEPS)
    (b.folder / 'soft.c').write_text('#include "soft.h"\nstatic float x[256 * 128], y[256 * 128];\nint main(void) { return (int)softmax(NULL, x, y); }\n')
    programs = [[b.pallasc, 'run', '-g', '--threads', '1', 'soft.pk']]
    for level in '-O0', '-O2', '-O3':
        b.run(b.pallasc, '-g', level, 'soft.pk', '-o', 'soft.o', '-h', 'soft.h')
        b.link('soft.c', 'soft.o', '-g', to=f'soft{level}')
        programs.append([f'./soft{level}'])
    for program in programs:
        told = b.run('gdb', '-batch', '-ex', 'set breakpoint pending on', '-ex', 'break soft.pk:8 if program_id_0 == 3', '-ex', 'run', '-ex', 'info locals', '--args', *program,
                     env={'PRT_THREADS': '1'})
        if 'program_id_0 = 3' not in told or 'No symbol "' in told or not re.search(r'^i = 3$', told, re.M) or not re.search(r'^j = (7|<optimized out>)$', told, re.M):
            raise Failed(f'{program}:\n{told}')


@test
def tells_debuggers_and_profilers_of_code_that_runs_in_it(b):
    source = b.folder / 'inside.pk'
    source.write_text('@jax.jit\ndef root(x):\n    y = x * 2\n    return jnp.sqrt(y)\n\nprint(root(jnp.ones(8)))\n')
    done = subprocess.Popen([str(b.pallasc), 'run', '--perf-map', 'inside.pk'], cwd=b.folder, stdout=subprocess.PIPE)
    done.communicate()
    if done.returncode:
        raise Failed(f'a run that tells perf of its code ends with {done.returncode}')
    listed = pathlib.Path(f'/tmp/perf-{done.pid}.map')
    functions = [line.split() for line in listed.read_text().splitlines()]
    listed.unlink()
    if not any(name.endswith('.body') and int(start, 16) and int(size, 16) for start, size, name in functions):
        raise Failed(f'the map has no body of a function:\n{functions}')
    b.run(b.pallasc, '--perf-map', 'inside.pk', status=2)
    if shutil.which('gdb'):
        told = b.run('gdb', '-batch', '-ex', 'set breakpoint pending on', '-ex', 'break inside.pk:4', '-ex', 'run', '-ex', 'backtrace 1', '--args', b.pallasc, 'run',
                     '-g', 'inside.pk')
        if 'root () at ' not in told or 'inside.pk:4' not in told:
            raise Failed(f'gdb does not stop at a line of code that was made in the process:\n{told}')
