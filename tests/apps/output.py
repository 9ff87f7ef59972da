# SPDX-License-Identifier: Apache-2.0
"""Where what a command writes goes: standard output, a terminal with progress, a full device, a file that may not grow, a reader that leaves."""
import os
import re
import resource
import signal
import subprocess

from bench import Failed, test


@test
def emits_to_standard_output(b):
    """Every --emit, byte for byte what -o writes; -S and -c name a file themselves."""
    def source_of(name):
        folder = b.folder / name
        folder.mkdir()
        (folder / 'add.pk').write_text('def add(x: f32[8], y: f32[8]):\n    return x + y\n')
        return folder
    folder = source_of('emit')
    for kind in ('obj', 'asm', 'llvm', 'tokens', 'ast', 'trace', 'schedule', 'ir', 'plan'):
        done = subprocess.run([str(b.pallasc), 'add.pk', f'--emit={kind}'], cwd=folder, stdout=subprocess.PIPE, check=True)
        b.run(b.pallasc, 'add.pk', f'--emit={kind}', '-o', 'named', cwd=folder)
        if not done.stdout or done.stdout != (folder / 'named').read_bytes():
            raise Failed(f'--emit={kind}: standard output is not what -o writes')
        (folder / 'named').unlink()
    if sorted(path.name for path in folder.iterdir()) != ['add.pk']:
        raise Failed(f'files appeared: {list(folder.iterdir())}')
    b.run(b.pallasc, 'add.pk', '--emit=asm', '-MD', cwd=folder)
    b.run(b.pallasc, 'add.pk', '-S', cwd=folder)
    b.run(b.pallasc, 'add.pk', '-c', cwd=folder)
    if sorted(path.name for path in folder.iterdir()) != ['add.d', 'add.o', 'add.pk', 'add.s']:
        raise Failed(f'-S, -c and -MD left {list(folder.iterdir())}')
    b.run(b.pallasc, '--emit=obj', 'add.pk', 'add.pk', cwd=folder, status=2)


@test
def pipes_are_sources_arrays_and_outputs(b):
    """/dev/stdin, /dev/stdout, and what shells make of <(command)."""
    folder = b.folder / 'pipes'
    folder.mkdir()
    (folder / 'add.pk').write_text('def add(x: f32[8], y: f32[8]):\n    return x + y\n')

    def bash(command):
        return b.run('bash', '-c', command.replace('pallasc', str(b.pallasc)), cwd=folder)
    bash("echo 'np.save(\"x.npy\", np.arange(8.0, dtype=np.float32))' | pallasc run -")
    wanted = bash('pallasc run add.pk:add x.npy x.npy')
    for command in ('pallasc run add.pk:add <(cat x.npy) x.npy', 'cat x.npy | pallasc run <(cat add.pk):add x.npy /dev/stdin',
                    'cat add.pk | pallasc run /dev/stdin:add x.npy x.npy'):
        if bash(command) != wanted:
            raise Failed(f'{command}: {bash(command)!r} is not {wanted!r}')
    bash('cmp <(pallasc add.pk -o /dev/stdout | cat) <(pallasc --emit=obj add.pk)')
    bash('cmp <(pallasc run add.pk:add x.npy x.npy -o /dev/stdout | cat) <(pallasc run add.pk:add x.npy x.npy -o -)')
    said = b.run('bash', '-c', f'{b.pallasc} <(cat add.pk)', cwd=folder, status=2)
    if "'-o' is needed" not in said or list(folder.glob('*.o')):
        raise Failed(f'an object of a pipe: {said}, {list(folder.iterdir())}')


@test
def colours_and_versions_are_asked_for_as_elsewhere(b):
    (b.folder / 'wrong.pk').write_text('def f(x: f32[8]):\n    return x + y\n')
    (b.folder / 'right.pk').write_text('def f(x: f32[8]):\n    return x\n')
    for variables, coloured in (({}, False), ({'CLICOLOR_FORCE': '1'}, True), ({'CLICOLOR_FORCE': '0'}, False), ({'CLICOLOR_FORCE': ''}, False),
                                ({'CLICOLOR_FORCE': '1', 'NO_COLOR': '1'}, False)):
        plain = {name: value for name, value in os.environ.items() if name not in ('CLICOLOR_FORCE', 'NO_COLOR')}
        done = subprocess.run([str(b.pallasc), 'wrong.pk'], cwd=b.folder, env={**plain, **variables}, stderr=subprocess.PIPE, text=True)
        if ('\x1b[' in done.stderr) != coloured:
            raise Failed(f'with {variables} standard error is {done.stderr!r}')
    done = subprocess.run([str(b.pallasc), '-v', 'right.pk'], cwd=b.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.stdout or not done.stderr.startswith('pallasc ') or not (b.folder / 'right.o').exists():
        raise Failed(f'-v of a file gives {done} and {list(b.folder.iterdir())}')
    for option in ('-v', '--version'):
        if not b.run(b.pallasc, option).startswith('pallasc '):
            raise Failed(f'{option} tells no version')


def on_a_terminal(command, folder, all_of_it=False, **variables):
    """What a program writes to a terminal; what it writes to standard output is thrown away, unless it is `all_of_it`."""
    import pty
    leader, follower = pty.openpty()
    out = follower if all_of_it else subprocess.DEVNULL
    process = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=out, stderr=follower, env={**os.environ, 'TERM': 'xterm', **variables})
    os.close(follower)
    written = b''
    while True:
        try:
            piece = os.read(leader, 4096)
        except OSError:  # the other end is closed
            piece = b''
        if not piece:
            break
        written += piece
    os.close(leader)
    if process.wait():
        raise Failed(f'exit status {process.returncode}\n{written.decode(errors="replace")}')
    return written.decode()


@test
def writes_no_object_to_a_terminal(b):
    (b.folder / 'shown.pk').write_text('def f(x: f32[8]):\n    return x\n')
    for options in '-o -', '-c -o -', '--emit=obj':
        shown = on_a_terminal(['sh', '-c', f'{b.pallasc} shown.pk {options}; test $? = 2'], b.folder, all_of_it=True)
        if 'which is a terminal' not in shown or 'ELF' in shown:
            raise Failed(f'{options} writes {shown!r}')
    if '.text' not in on_a_terminal([b.pallasc, '-S', 'shown.pk', '-o', '-'], b.folder, all_of_it=True):
        raise Failed('assembly is not shown')


@test
def shows_progress_on_a_terminal(b):
    # Some seconds of work: products of many sizes.
    (b.folder / 'long.pk').write_text('def mm(x, y):\n    return jax.nn.softmax(x @ y, axis=-1)\n')
    entries = [word for n in range(60) for word in ('--entry', f'mm{n} = mm(f32[{128 + n},64], f32[64,{256 + n}])')]
    command = [b.pallasc, 'long.pk', '-o', 'long.o', *entries]
    shown = on_a_terminal(command, b.folder)
    if not re.search(r'\[=*\.+\] (tracing|pass|code of) \d+/\d+ |machine code of long.pk', shown):
        raise Failed(f'no progress was shown: {shown!r}')
    if not shown.endswith('\r\x1b[K'):
        raise Failed(f'the line was left behind: {shown[-200:]!r}')
    silent = [on_a_terminal([*command, '--quiet'], b.folder), on_a_terminal(command, b.folder, TERM='dumb'),
              on_a_terminal(command, b.folder, OMPI_COMM_WORLD_SIZE='2', OMPI_COMM_WORLD_RANK='1'), b.run(*command)]
    if any(silent):
        raise Failed(f'progress was shown where none is: {silent!r}')
    checks = ''.join(f'def f{100 + n}(x: f32[{64 + n},64]):\n    return jnp.sort(x @ x.T, axis=0)\n' for n in range(60))
    (b.folder / 'checks.pk').write_text(checks)
    shown = on_a_terminal([b.pallasc, 'check', 'checks.pk'], b.folder)
    if not re.search(r'checking f\d+', shown) or 'code of' in shown:
        raise Failed(f'no progress of check was shown: {shown!r}')
    if not re.search(r'\x1b\[Kpallasc: checked 60 calls in \d+ schedules: nothing found\r\n$', shown):
        raise Failed(f'what was checked is not told: {shown[-300:]!r}')


@test
def shows_which_call_of_a_program_is_checked(b):
    (b.folder / 'steps.pk').write_text('''def kernel(x_ref, o_ref, sum_ref):
    @pl.when(pl.program_id(0) == 0)
    def _():
        sum_ref[...] = jnp.zeros_like(sum_ref)
    sum_ref[...] = sum_ref[...] * 0.5 + x_ref[...] @ x_ref[...]
    o_ref[...] = sum_ref[...]

block = pl.BlockSpec((128, 128), lambda i: (0, 0))
x = jnp.ones((128, 128))
print(pl.pallas_call(kernel, out_shape=x, grid=(10000,), in_specs=[block], out_specs=block, scratch_shapes=[pltpu.VMEM((128, 128), f32)])(x)[0, 0])
''')
    shown = on_a_terminal([b.pallasc, 'check', 'steps.pk'], b.folder, all_of_it=True)
    if 'checking steps.pk:' not in shown:
        raise Failed(f'no progress of a call was shown: {shown!r}')


@test
def wipes_progress_before_a_program_prints(b):
    (b.folder / 'printing.py').write_text(PRINTING)
    shown = on_a_terminal([b.pallasc, 'check', '--seeds=60000', '--jobs=1', 'printing.py'], b.folder, all_of_it=True)
    printed = [line for line in shown.split('\r\n') if 'sum' in line or 'step' in line]
    if 'checking' not in shown or len(printed) != 2 or any(line.split('\x1b[K')[-1] not in ('step 0', 'sum 2048.0') for line in printed):
        raise Failed(f'{shown!r}')


PRINTING = '''import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

def kernel(x, o, sem):
    pl.debug_print("step {}", 0)
    copies = [pltpu.make_async_copy(x.at[i], o.at[i], sem) for i in range(8)]
    for copy in copies: copy.start()
    for copy in copies: copy.wait()

anywhere = pl.BlockSpec(memory_space=pl.ANY)
x = jnp.ones((8, 128))
y = pl.pallas_call(kernel, out_shape=x, in_specs=[anywhere], out_specs=anywhere, scratch_shapes=[pltpu.SemaphoreType.DMA])(x)
print("sum", (x + y).sum())
'''


@test
def a_file_that_may_not_grow_is_not_left_half_written(b):
    """As `ulimit -f` has it, whose signal ends a process that does not expect it."""
    (b.folder / 'f.pk').write_text('def f(x: f32[8, 128]):\n    return jnp.exp(x)\n')
    job = subprocess.run([b.pallasc, 'f.pk', '-o', 'f.o'], cwd=b.folder, stderr=subprocess.PIPE, text=True,
                         preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_DFL), resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))))
    left = sorted(path.name for path in b.folder.glob('f.o*'))
    if job.returncode != 3 or "cannot write 'f.o': File too large" not in job.stderr or left:
        raise Failed(f'status {job.returncode}, {left}:\n{job.stderr}')


@test
def what_cannot_be_printed_is_told(b):
    (b.folder / 'k.pk').write_text('def f(x: f32[8]):\n  return x + 1\nprint(1)\n')
    for arguments in (['help'], ['--version'], ['check', '--support', 'k.pk'], ['bench', '--json', 'k.pk:f'], ['run', 'k.pk'], ['check', 'k.pk']):
        with open('/dev/full', 'w') as full:
            job = subprocess.run([b.pallasc, *arguments], cwd=b.folder, stdout=full, stderr=subprocess.PIPE, text=True)
        if job.returncode != 3 or len(re.findall('cannot write to standard output(?:: No space left on device)?\n', job.stderr)) != 1:
            raise Failed(f'{arguments}: status {job.returncode}\n{job.stderr}')


@test
def a_reader_that_leaves_ends_the_program_quietly(b):
    (b.folder / 'talks.pk').write_text('n = 0\nwhile True:\n    n += 1\n    print(n)\n')
    (b.folder / 'large.pk').write_text('def f(x):\n    return x\n')
    for command in (['run', 'talks.pk'], ['--help'], ['large.pk', '-o', '-', *[f'--entry=f{i} = f(f32[{i + 1}])' for i in range(64)]]):
        job = subprocess.Popen([b.pallasc, *command], cwd=b.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        job.stdout.read(1)
        job.stdout.close()
        error = job.stderr.read().decode()
        status = job.wait(timeout=60)
        if error or status not in (-signal.SIGPIPE, 0) or (command[0] == 'run' and not status):
            raise Failed(f'{command}: status {status}\n{error}')
        if list(b.folder.glob('*.tmp')):
            raise Failed(f'{command}: a temporary file is left')
