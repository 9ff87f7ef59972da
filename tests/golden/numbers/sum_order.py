# own: bits are compared with those of the same sums, written out
"""Sums and products in the order that docs/numbers.md promises: along the last dimension, along all, along others, of what is computed on the way, and of products of vectors."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(7)
PARTIAL = 64
SIZES = (1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 200, 1000)


def along_rows(values, combine=np.add, identity=0):
    """64 partial ones: that of an element is its place in its row, modulo 64; and then half of them onto the other half. Dimensions of one do not count."""
    values = np.atleast_1d(values.squeeze())
    partial = np.full(PARTIAL, identity, values.dtype)
    for row in values.reshape(-1, values.shape[-1]):
        for chunk in np.concatenate([row, np.full(-row.size % PARTIAL, identity, row.dtype)]).reshape(-1, PARTIAL):
            partial = combine(partial, chunk)
    while len(partial) > 1:
        partial = combine(partial[:len(partial) // 2], partial[len(partial) // 2:])
    return partial[0]


def one_after_another(rows, combine=np.add, identity=0):
    total = np.full(rows.shape[1:], identity, rows.dtype)
    for row in rows:
        total = combine(total, row)
    return total


def running(row):
    """Blocks of 16; what is before a block, the running sum of the blocks' own, is added to each of its places."""
    blocks = [np.cumsum(row[i:i + 16], dtype=row.dtype) for i in range(0, len(row), 16)]
    if len(blocks) > 1:
        for block, before in zip(blocks[1:], running(np.array([b[-1] for b in blocks[:-1]]))):
            block += before
    return np.concatenate(blocks)


def same(found, wanted):
    found, wanted = np.asarray(found), np.asarray(wanted)
    return found.dtype == wanted.dtype and found.shape == wanted.shape and found.tobytes() == wanted.tobytes()


def draw(*shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


def report(name, found):
    wrong = [str(size) for size, is_same in found if not is_same]
    print(f'{name}: ' + (f'differs for {", ".join(wrong)}' if wrong else 'as promised'))


jit = jax.jit
report('rows', [(n, same(jit(lambda x: x.sum(1))(x), np.stack([along_rows(r) for r in x]))) for n in SIZES for x in [draw(3, n)]])
report('one row', [(n, same(jit(jnp.sum)(x), along_rows(x))) for n in SIZES for x in [draw(n)]])
report('products of rows', [(n, same(jit(lambda x: x.prod(1))(x), np.stack([along_rows(r, np.multiply, 1) for r in x]))) for n in SIZES
                            for x in [(1 + draw(2, n) / 64).astype(np.float32)]])
report('of what is computed', [(n, same(jit(lambda x, y: (x * 2 + y).sum(1))(x, y), np.stack([along_rows(r) for r in x * 2 + y]))) for n in SIZES
                               for x, y in [(draw(2, n), draw(2, n))]])
report('sizes of rows', [(n, same(jit(lambda x: jnp.abs(x).sum(-1))(x), np.array([along_rows(r) for r in np.abs(x)]))) for n in SIZES for x in [draw(5, n)]])
report('both dimensions', [(n, same(jit(jnp.sum)(x), along_rows(x))) for n in SIZES for x in [draw(3, n)]])
report('two of three', [(n, same(jit(lambda x: x.sum((1, 2)))(x), np.stack([along_rows(r) for r in x]))) for n in SIZES for x in [draw(2, 5, n)]])
report('columns', [(n, same(jit(lambda x: x.sum(0))(x), one_after_another(x))) for n in SIZES for x in [draw(n, 37)]])
report('few columns', [(n, same(jit(lambda x: x.sum(0))(x), one_after_another(x))) for n in SIZES for x in [draw(n, 3)]])
report('middle', [(n, same(jit(lambda x: x.sum(1))(x), np.stack([one_after_another(m) for m in x]))) for n in SIZES for x in [draw(2, n, 19)]])
report('vectors', [(n, same(jit(jnp.vdot)(x, y), along_rows(x * y))) for n in SIZES for x, y in [(draw(n), draw(n))]])
report('running', [(n, same(jit(jnp.cumsum)(x), running(x))) for n in SIZES for x in [draw(n)]])
