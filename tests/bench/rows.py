# SPDX-License-Identifier: Apache-2.0
"""The rows of the benchmark: what is computed, against whom, and what is expected of it.

A row has a kernel (source, callee, statics: as in --entry), its arrays, the work of one call (operations, bytes or elements; for
'ms/call' one call), the peak that its share is taken of, its contestants, and `floor`: the least ratio to the best contestant whose
name begins with `floor_peer`. `goal` is the ratio to the best of all that is aimed at.
"""

MATMUL_PEERS = ['oneDNN', 'oneDNN sgemm', 'OpenBLAS', 'NumPy', 'PyTorch', 'XLA']
ROW_PEERS = ['PyTorch', 'torch.compile', 'XLA']


def row(name, kind, source, callee, statics, inputs, out, work, unit, contestants, threads=1, **more):
    plain = ''.join(c if c.isalnum() else '_' for c in name)
    return dict(name=name, kind=kind, source=source, callee=callee, statics=statics, inputs=inputs, out=out, work=work, unit=unit, contestants=contestants,
                threads=threads, function=f'r_{plain}', **more)


def matmul(n, dtype, form, threads, **more):
    out = {'f32': 'f32', 'bf16': 'bf16', 'i8': 'i32'}[dtype]
    peak = {'f32': 'f32', 'bf16': 'bf16', 'i8': 'int8'}[dtype]
    callee, statics = ('plain', '') if form == 'x @ y' else ('grid', f'block={form}')
    label = form if form == 'x @ y' else f'grid {form}'
    return row(f'{dtype} matmul {n} {label}', 'matmul', 'matmul.pk', callee, statics, [(dtype, (n, n))] * 2, (out, (n, n)), 2.0 * n ** 3,
               'GOP/s' if dtype == 'i8' else 'GFLOP/s', MATMUL_PEERS, threads, peak=f'{peak} {threads}T', **more)


def matmul_rows():
    for n in (256, 512, 1024, 2048):
        for form in ('x @ y', 256, 512):
            if form == 'x @ y' or form <= n:
                for threads in (1, 2):
                    yield matmul(n, 'f32', form, threads, floor=0.9, floor_peer='oneDNN', goal=1.03)
    for dtype in ('bf16', 'i8'):
        for form in ('x @ y', 256):
            for threads in (1, 2):
                yield matmul(1024, dtype, form, threads, goal=1.15)


def few_rows_rows():
    n = 4096
    for dtype in ('f32', 'bf16'):
        for m in (1, 8):
            for along_k in (False, True):
                yield row(f'{dtype} {m}x{n} @ {n}x{n}{" along k" if along_k else ""}', 'few rows', 'matmul.pk', 'few_rows', f'along_k={along_k}, block=512',
                          [(dtype, (m, n)), (dtype, (n, n))], ('f32', (m, n)), 2.0 * m * n * n, 'GFLOP/s', ['PyTorch', 'XLA'], along_k=along_k, goal=1.0)


def elementwise_rows():
    shape = (4096, 4096)
    for block in ((256, 512), (8, 128)):
        for threads in (1, 2):
            yield row(f'x + y 4096x4096 in {block[0]}x{block[1]}', 'add', 'elementwise.pk', 'add', f'block={block}', [('f32', shape)] * 2, ('f32', shape), 12.0 * 4096 ** 2,
                      'GB/s', ['limits', 'PyTorch', 'XLA'], threads, peak=f'add NT {threads}T', floor=0.8, floor_peer='limits', goal=1.0)


def norm_rows():
    x, w = ('f32', (1024, 4096)), ('f32', (1, 4096))
    for kind, source, inputs in (('softmax', 'rows.pk', [x]), ('layer_norm', 'rows.pk', [x, w, w]), ('rms_norm', 'rows.pk', [x, w]), ('gelu', 'elementwise.pk', [x])):
        for threads in (1, 2):
            yield row(f'{kind} 1024x4096', kind, source, kind, 'rows=64', inputs, x, 1024.0 * 4096, 'Gelem/s', ROW_PEERS, threads, floor=1.0, floor_peer='PyTorch', goal=2.0)


def attention_rows():
    for dtype in ('f32', 'bf16'):
        for causal in (False, True):
            for threads in (1, 2):
                shape = (8, 2048, 128)
                yield row(f'attention {dtype}{" causal" if causal else ""} 8x2048x128', 'attention', 'attention.pk', 'attention', f'causal={causal}', [(dtype, shape)] * 3,
                          (dtype, shape), 4.0 * 8 * 2048 ** 2 * 128, 'GFLOP/s', ['PyTorch', 'XLA'], threads, peak=f'{dtype} {threads}T', causal=causal,
                          goal=1.1 if dtype == 'f32' else 1.5)


def copy_rows():
    """Kernels that move their data themselves, against the same thing as a grid: `base` is what the contestant 'grid version' calls."""
    add, matmul_base = dict(source='elementwise.pk', callee='add', statics='block=(256, 512)'), dict(source='matmul.pk', callee='grid', statics='block=512')
    n = 4096
    yield row('double buffering x + y 4096x4096', 'add', 'copies.pk', 'double_buffered', 'block=(256, 512)', [('f32', (n, n))] * 2, ('f32', (n, n)), 12.0 * n * n, 'GB/s',
              ['grid version'], peak='add NT 1T', floor=0.8, floor_peer='grid', base=add)
    n = 2048
    yield row('emit_pipeline matmul 2048, 512', 'matmul', 'copies.pk', 'pipelined', 'block=512', [('f32', (n, n))] * 2, ('f32', (n, n)), 2.0 * n ** 3, 'GFLOP/s',
              ['grid version'], peak='f32 1T', floor=0.9, floor_peer='grid', base=matmul_base)


def device_rows():
    """Kernels on several devices and cores. Where there is no peer, `most` is the floor."""
    def devices_row(name, kind, callee, statics, devices, inputs, out, work, unit, contestants, threads=1, **more):
        return row(name, kind, 'devices.pk', callee, f'{statics}devices={devices}', inputs, out, work, unit, contestants, threads, options=['--devices', str(devices)], **more)

    for tokens, what in ((1, 'one token'), (18000, 'all tokens')):
        yield devices_row(f'ring of 9000x2 cores, 1000 rounds, {what}', 'ring', 'tokens_around', f'cores=2, rounds=1000, tokens={tokens}, ', 9000, [('i32', (1,))],
                          ('i32', (9000,)), 1.0, 's', [], most=0.2)
    yield devices_row('ring all-gather 64 MB over 8', 'gather', 'all_gather', '', 8, [('f32', (2048, 8192))], ('f32', (64, 256, 8192)), 8.0 * 2 ** 26, 'GB/s', ['memcpy'],
                      floor=0.7, floor_peer='memcpy')
    yield devices_row('swap_cores, launch to launch', 'swap', 'swap_cores', '', 4, [('f32', (32, 256))], ('f32', (32, 256)), 1.0, 'us', [], most=50)
    yield devices_row('matmuls on 8 devices, 2 threads to 1', 'matmul', 'matmuls', 'block=128, rounds=1, ', 8, [('f32', (4096, 1024)), ('f32', (1024, 1024))], ('f32', (4096, 1024)),
                      2.0 * 4096 * 1024 ** 2, 'GFLOP/s', ['one thread'], 2, floor=1.8, floor_peer='one thread')
    yield devices_row('interpreted all-gather over 8', 'gather', 'all_gather', '', 8, [('f32', (64, 128))], ('f32', (64, 8, 128)), 1.0, 'ms/call', ['InterpretParams'],
                      floor=1000, floor_peer='', wall=True)


def interpreter_rows():
    cases = (('add', 'elementwise.pk', 'add', 'block=(256, 512)', 4096, 100), ('add', 'elementwise.pk', 'add', 'block=(8, 128)', 1024, 1000),
             ('matmul', 'matmul.pk', 'grid', 'block=256', 1024, 100))
    for kind, source, callee, statics, n, floor in cases:
        yield row(f'interpreted {kind} {n}, {statics}', kind, source, callee, statics, [('f32', (n, n))] * 2, ('f32', (n, n)), 1.0, 'ms/call', ['interpret=True', 'InterpretParams'],
                  2, floor=floor, floor_peer='', goal=floor, wall=True)


def all_rows():
    return [*matmul_rows(), *few_rows_rows(), *elementwise_rows(), *norm_rows(), *attention_rows(), *copy_rows(), *device_rows(), *interpreter_rows()]


def PEAK_ROWS(threads):
    """The limits of this CPU, in the order they are shown."""
    array = ('f32', (4096, 4096))
    for which, name in enumerate(('f32', 'bf16', 'int8')):
        yield dict(name=f'{name} {threads}T', kind='peak', which=which, inputs=[], threads=threads, wall=True)
    for kind, arrays in (('copy', 2), ('add', 3)):
        yield dict(name=f'{kind} NT {threads}T', kind=kind, inputs=[array] * (arrays - 1), out=array, work=4.0 * arrays * 4096 ** 2, threads=threads)


# ---- compile time: no peers, a most ----------------------------------------------------------------------------------------------

COMPILE_ROWS = [
    dict(name='compile add 8x128 to an object', kind='compile', source='elementwise.pk', entry='one_add(f32[8,128], f32[8,128])', unit='ms', most=40, goal=20),
    dict(name='compile softmax to an object', kind='compile', source='rows.pk', entry='softmax(f32[1024,4096], rows=64)', unit='ms', most=40, goal=20),
    dict(name='compile matmul 1024 to an object', kind='compile', source='matmul.pk', entry='grid(f32[1024,1024], f32[1024,1024], block=256)', unit='ms', most=40),
    *(dict(name=f'compile {lines} lines on {form}', kind='compile', form=form, lines=lines, unit='ms', most=lines)
      for form in ('values', 'refs') for lines in (1000, 2000, 4000)),
    *(dict(name=f'compile 1000 lines of {form}', kind='compile', form=form, lines=1000, unit='ms', most=1000) for form in ('cond', 'fori_loop', 'roll', 'casts', 'argmax')),
    *(dict(name=f'linear in lines on {form}', kind='linear', form=form, unit='x', most=1.3) for form in ('values', 'refs')),
    *(dict(name=f'18000 cores, 1000 rounds, {what}', kind='cores', tokens=tokens, unit='s', most=0.2) for tokens, what in ((1, 'one token'), (18000, 'all tokens'))),
    dict(name='memory of such a core', kind='cores', tokens=None, unit='bytes', most=256, goal=160),
    dict(name='call from C of an 8x128 add', kind='call', entry='one_add(f32[8,128], f32[8,128])', unit='ns', most=1000),
]

VALUE_LINES = ['a = a * 0.5 + b', 'b = jnp.maximum(a, b - {i}.0)', 'a = jnp.where(b > {i}.5, a, -a)', 'b = b + a * a', 'a = jnp.minimum(a, 3.0) - b']
ONE_KIND = {  # each line of which is a loop or more of its own
    'cond': 'a = lax.cond(jnp.sum(a) > {i}.0, lambda v: v + 1.0, lambda v: v * 2.0, a)',
    'fori_loop': 'a = lax.fori_loop(0, 4, lambda k, v: v * 0.5 + {i}.0, a)',
    'roll': 'a = pltpu.roll(a, {i} % 127 + 1, 1) + 1.0',
    'casts': 'a = a.astype(jnp.bfloat16).astype(jnp.int32).astype(jnp.float32) * 0.5',
    'argmax': 'a = a + jnp.argmax(a, axis=1, keepdims=True).astype(jnp.float32)',
}
REF_LINES = ['o_ref[{r}, :] = x_ref[{r}, :] * {i}.0', 'o_ref[{r}, :] += x_ref[{s}, :]']


def unrolled_source(form, lines):
    """A kernel of so many lines: arithmetic on values, loads and stores of rows, or one kind of operation again and again."""
    text = ['def kernel(x_ref, o_ref):', '  a = x_ref[...]', '  b = a + 1.0']
    patterns = {'values': VALUE_LINES, 'refs': REF_LINES}.get(form) or [ONE_KIND[form]]
    for i in range(lines):
        pattern = patterns[i % len(patterns)]
        text.append('  ' + pattern.format(i=i, r=i // 2 % 64, s=(i // 2 + 7) % 64))
    if form != 'refs':
        text.append('  o_ref[...] = a + b')
    return '\n'.join([*text, '', 'def f(x: f32[64, 128]):', '  return pl.pallas_call(kernel, out_shape=x)(x)', ''])
