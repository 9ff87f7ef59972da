# SPDX-License-Identifier: Apache-2.0
"""Code that is kept between compilations, and code that is made again as it is called often."""
import os
import re
import subprocess

from bench import Failed, test


@test
def keeps_code_in_a_cache(b):
    folder = b.folder / 'cached'
    folder.mkdir()
    (folder / 'cut.pk').write_text('def cut(x: f32[8, 128]):\n    return jnp.where(x < 0, 0, x)\n')
    kept = lambda: sorted((folder / 'new/kept').glob('*.kept'))
    compile_it = lambda *more: b.run(b.pallasc, '--time-passes', 'cut.pk', '-o', 'cut.o', '--cache=new/kept', *more, cwd=folder)
    if 'machine code' not in compile_it() or len(kept()) != 1:
        raise Failed(f'a first compilation is not kept: {kept()}')
    made = (folder / 'cut.o').read_bytes()
    if 'machine code' in compile_it() or (folder / 'cut.o').read_bytes() != made:
        raise Failed('a second compilation makes the code again, or another one')
    for more in '-O1', '-g', '--check', '--nan', '--target-cpu=x86-64', '-Wall', '-Wtpu', '-Wno-hint', '-Werror=tpu', '-Werror=hint', '--report':
        if 'machine code' not in compile_it(more):
            raise Failed(f'{more} is given code without it')
    whole = kept()[0].read_bytes()
    for damaged in (b'', whole[:40], whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1]), b'x' * len(whole)):
        for path in kept():
            path.write_bytes(damaged)
        compile_it()
        if (folder / 'cut.o').read_bytes() != made:
            raise Failed('a damaged file is taken for code')
    for path in kept():
        path.unlink()
        os.mkfifo(path)  # nobody ever writes
    compile_it()
    (folder / 'cut.pk').write_text('def cut(x: f32[8, 128]):\n    return jnp.where(x < 1, 0, x)\n')
    if 'machine code' not in compile_it() or (folder / 'cut.o').read_bytes() == made:
        raise Failed('another source is given the code of the first')
    b.run(b.pallasc, 'cut.pk', '-o', 'cut.o', '--cache=cut.pk/here', '-Werror=hint', cwd=folder, status=1)


@test
def tells_its_warnings_with_a_cache_too(b):
    folder = b.folder / 'warned'
    folder.mkdir()
    (folder / 'half.pk').write_text('def copy(x, o):\n    o[0] = x[0]\n\ndef half(x: f32[8, 128]):\n'
                                    '    return pl.pallas_call(copy, out_shape=jax.ShapeDtypeStruct((16, 128), jnp.float32), grid=(1,),\n'
                                    '                          in_specs=[pl.BlockSpec((8, 128), lambda i: (0, 0))], out_specs=pl.BlockSpec((8, 128), lambda i: (0, 0)))(x)\n')
    told = [b.run(b.pallasc, 'half.pk', '-o', 'half.o', '--cache=kept', '-Wall', cwd=folder) for _ in range(2)]
    if 'warning' not in told[0] or told[0] != told[1]:
        raise Failed(f'first:\n{told[0]}\nthen:\n{told[1]}')


@test
def bounds_a_cache_that_has_all(b):
    folder = b.folder / 'smaller'
    folder.mkdir()
    (folder / 'cut.pk').write_text('def cut(x: f32[8, 128]):\n    return jnp.where(x < 0, 0, x)\n')
    for size, left in ('1G', 1), ('1G', 1), ('1K', 0):
        b.run(b.pallasc, 'cut.pk', '-o', 'cut.o', '--cache=kept', f'--cache-size={size}', cwd=folder)
        if len(list((folder / 'kept').iterdir())) != left:
            raise Failed(f'--cache-size={size} leaves {list((folder / "kept").iterdir())}')


@test
def drops_what_is_longest_unused(b):
    folder = b.folder / 'unused'
    folder.mkdir()
    compile_it = lambda i, *more: b.run(b.pallasc, f'f{i}.pk', '-o', f'f{i}.o', '--cache=kept', *more, cwd=folder)
    kept = lambda: set((folder / 'kept').iterdir())
    made = []
    for i in range(6):
        (folder / f'f{i}.pk').write_text(f'def f(x: f32[8, 128]):\n    return x + {i}\n')
        if i < 5:
            before = kept() if made else set()
            compile_it(i)
            made += kept() - before
    (folder / 'kept' / 'of_others').mkdir()
    (folder / 'kept' / 'link.kept').symlink_to(folder / 'f0.pk')
    # By seconds, then by what is less than one; 1 is used again.
    for path, used in zip(made, (3_000_000_000, 1_000_000_000, 3_000_000_005, 2_999_999_999, 3_000_000_001)):
        os.utime(path, ns=(used, used))
    os.utime(folder / 'kept' / 'link.kept', ns=(1, 1), follow_symlinks=False)
    compile_it(1)
    sizes = [path.stat().st_size for path in made]
    compile_it(5, f'--cache-size={sum(sizes) + 100}')
    left = [i for i, path in enumerate(made) if path in kept()]
    if left != [1, 2] or not (folder / 'kept' / 'of_others').exists() or not (folder / 'kept' / 'link.kept').is_symlink():
        raise Failed(f'of {sizes} bytes {left} are left, and {kept()}')


@test
def bounds_its_cache_and_shares_it(b):
    folder = b.folder / 'shared'
    folder.mkdir()
    for i in range(40):
        (folder / f'f{i}.pk').write_text(f'def f(x: f32[8, 128]):\n    return jnp.sin(x) + {i}\n')
    for size, most, level in ('1G', 1 << 30, '-O3'), ('64K', 64 << 10, '-O2'):
        jobs = [subprocess.Popen([str(b.pallasc), level, '--cache=kept', f'--cache-size={size}', f'-of{part}.o', f'f{i}.pk'], cwd=folder) for part in range(4) for i in range(part * 5, part * 5 + 20)]
        if any(job.wait() for job in jobs):
            raise Failed('a process that shares a cache failed')
        files = list((folder / 'kept').iterdir())
        total = sum(path.stat().st_size for path in files)
        if not files or any(path.suffix != '.kept' for path in files) or total > most or size == '1G' and len(files) != 35:
            raise Failed(f'{len(files)} files of {total} bytes with --cache-size={size}')


@test
def takes_its_own_steps_from_a_cache(b):
    folder = b.folder / 'steps'
    folder.mkdir()
    (folder / 'steps.pk').write_text('x = jnp.arange(6.0).reshape(2, 3)\nfor i in range(4):\n    x = jax.jit(lambda v: v * i + 1)(x)\nprint(x, x.sum())\n')
    plain = b.run(b.pallasc, 'run', 'steps.pk', cwd=folder)
    for command in 'run', 'check':
        told = [b.run(b.pallasc, command, 'steps.pk', '--time-passes', cwd=folder, env={'PALLASC_CACHE': str(folder / 'kept')}) for _ in range(2)]
        if any(plain not in text for text in told) or 'machine code' not in told[0] or 'machine code' in told[1]:
            raise Failed(f'{command}, first:\n{told[0]}\nthen:\n{told[1]}')


@test
def looks_for_nan_or_inf_with_a_cache_too(b):
    folder = b.folder / 'watched'
    folder.mkdir()
    (folder / 'watched.pk').write_text("""def tried(x):
    try:
        return (x / x + 1 / x)[0].item()
    except FloatingPointError as e:
        return str(e)

for x in jnp.zeros(5000), jnp.full(5000, 2.0**-140):
    for name in 'nans', 'infs':
        print(tried(x))
        jax.config.update(f'jax_debug_{name}', True)
        print(tried(x))
        jax.config.update(f'jax_debug_{name}', False)
""")
    plain = b.run(b.pallasc, 'run', 'watched.pk', cwd=folder)
    if 'nan' not in plain or 'inf' not in plain:
        raise Failed(plain)
    for _ in range(2):
        if (told := b.run(b.pallasc, 'run', 'watched.pk', cwd=folder, env={'PALLASC_CACHE': str(folder / 'kept')})) != plain:
            raise Failed(f'with a cache:\n{told}\nwithout:\n{plain}')


@test
def what_is_called_often_is_compiled_again_to_the_same_results(b):
    for calls, codes in (8, 1), (40, 2):
        (b.folder / 'often.pk').write_text(
            'f = jax.jit(lambda v: jnp.exp(v) * 2 - v)\nx = jnp.asarray(np.linspace(-2, 2, 2000, dtype=np.float32))\nfirst = np.asarray(f(x)).tobytes()\n'
            f'print(all(np.asarray(f(x)).tobytes() == first for i in range({calls})))\n')
        told = b.run(b.pallasc, 'run', 'often.pk', '--time-passes')
        if 'True' not in told or not re.search(f' {codes} +machine code', told):
            raise Failed(f'{calls} calls:\n{told}')
