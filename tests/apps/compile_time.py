# SPDX-License-Identifier: Apache-2.0
"""How the time of a compilation grows with its source."""
import resource

from bench import HERE, Failed, test


TRIES = 5


def children_time():
    """Seconds of CPU of the children that ended: Linux divides them exactly among processes, but between user and system by samples alone."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cpu_time(b, source, count, *options):
    before = children_time()
    b.run(b.pallasc, *options, source, '-D', f'COUNT={count}', '-o', 'long.o')
    return children_time() - before


def grows_with_it(b, source, few, many, slack, *options):
    """`many` lines take no more than `slack` times as long as in proportion to `few`: the least time of each, since others that share the
    machine only ever add to it, and never less in all tries for code whose time grows with the square."""
    short = long = float('inf')
    for _ in range(TRIES):
        short, long = (min(least, cpu_time(b, source, count, *options)) for least, count in ((short, few), (long, many)))
        if long <= slack * many / few * short:
            return
    raise Failed(f'{source}: {few} lines take {short:.2f} s, {many:,} take {long:.2f} s, the least of {TRIES} runs')


@test
def a_long_body_of_a_grid_takes_time_that_grows_with_it(b):
    grows_with_it(b, HERE / 'long_grid.pk', 200, 1000, 5)


KERNEL = '''COUNT = 1
def kernel(x, n, o):
  {}

def f(x: f32[8, 128], n: i32[8]):
  return pl.pallas_call(kernel, x, in_specs=[pl.BlockSpec(memory_space=pltpu.VMEM), pl.BlockSpec(memory_space=pltpu.SMEM)])(x, n)
'''
LAUNCHES = '''COUNT = 1
def f(x: f32[8, 128]):
  for k in range(COUNT):
    def kernel(x, o):
      o[...] = x[...] * k
    x = pl.pallas_call(kernel, x)(x)
  return x
'''
# Each kind of line was slow at a place of its own: LLVM's X86DomainReassignment (what depends on one register; a chain of numbers) and its
# scheduler (copies that are written out as loads and stores), the labels of untile, destinations, uses that are replaced, arrays that are stored to nowhere,
# the copies that -Wwaits follows, index vectors among concatenations that loops read, addresses in a function's frame, blocks that stood before those that lead to them, and
# LLVM's BranchFolder.
LONG = {
    'rows': (200, 1000, [], KERNEL.format('for k in range(COUNT):\n    o[n[0] + k, :] += x[n[0] + k, :] * k')),
    'numbers': (200, 1000, [], KERNEL.format('a = n[0]\n  for k in range(COUNT):\n    a = lax.cond(a > k, lambda v: v + k, lambda v: v * 2, a)\n  o[...] = x[...] * a')),
    'copies': (25, 100, [], 'COUNT = 1\ndef f(x: f32[1024, 128], n: i32[1024]):\n  return jnp.stack([x[n[k]] for k in range(COUNT)])\n'),
    'casts': (2000, 8000, ['--emit=ir'], KERNEL.format('a = x[...]\n  for k in range(COUNT):\n    a = (a.astype(bf16) * 1.5).astype(f32) + k\n  o[...] = a')),
    'loops': (2000, 8000, ['--emit=ir'], 'COUNT = 1\ndef f(x: f32[8, 128]):\n  for k in range(COUNT):\n    x = lax.fori_loop(0, 3, lambda i, a: a * k + i, x)\n  return x\n'),
    'launches': (2000, 8000, ['--emit=ir'], LAUNCHES),
    'flights': (4800, 19200, ['--emit=ir'], '''COUNT = 1
def kernel(x, o, s):
  for k in range(COUNT):
    pltpu.make_async_copy(x.at[k], o.at[k], s.at[k % 512]).start()
  for k in range(COUNT):
    pltpu.make_async_copy(x.at[k], o.at[k], s.at[k % 512]).wait()

def f(x: f32[COUNT, 8, 128]):
  return pl.pallas_call(kernel, x, in_specs=[pl.BlockSpec(memory_space=pl.ANY)], out_specs=pl.BlockSpec(memory_space=pl.ANY), scratch_shapes=[pltpu.SemaphoreType.DMA((512,))])(x)
'''),
    'scans': (500, 2000, [], '''COUNT = 1
def f(x: f32[8, 128]):
  for k in range(COUNT):
    c, ys = lax.scan(lambda c, v: (c + v, c * v), x[0], x)
    x = ys + c
  return x
'''),
    'nests': (500, 2000, [], KERNEL.format('o[...] = x[...]\n  for k in range(COUNT):\n    @pl.loop(0, 4)\n    def _(i):\n      o[i, :] = o[i, :] * k + x[i, :]')),
    'joins': (4000, 16000, ['--emit=llvm'], '''COUNT = 1
def f(x: f32[8, 128]):
  a = x
  for k in range(COUNT):
    a = jnp.concatenate([a[:, 1:], a[:, :1]], axis=1) * k
    a = lax.fori_loop(0, 2, lambda i, v: v + a, x) if k % 16 == 0 else a
  return a
'''),
    'checks': (500, 2000, ['--check'], KERNEL.format('for k in range(COUNT):\n    o[...] = x[...] + k')),
    'rolls': (500, 2000, ['--emit=llvm', '-O0'], KERNEL.format('a = x[...]\n  for k in range(COUNT):\n    a = pltpu.roll(a, n[k % 8], 1)\n  o[...] = a')),
}


@test
def long_code_takes_time_that_grows_with_it(b):
    slow = []
    for name, (few, many, options, text) in LONG.items():
        (b.folder / f'long_{name}.pk').write_text(text)
        try:
            grows_with_it(b, f'long_{name}.pk', few, many, 2, *options)
        except Failed as why:
            slow.append(str(why))
    if slow:
        raise Failed('\n'.join(slow))
