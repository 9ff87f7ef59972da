"""x * 2**k + c in kernels, c a constant: as the two operations round, also where the product leaves the range of its type."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

F32 = np.float32
TINY, LARGE = np.finfo(F32).tiny, np.finfo(F32).max
bases = np.array([0, 1, 1 / 3, 1.5, np.pi, 1 - 2**-24, 1 + 2**-23, TINY, 1.75 * TINY, 2**-60, 3 * 2**-61, 2**60, 3 * 2**59, 2**100, LARGE, LARGE / 2, LARGE / 4, np.inf], F32)
near = np.concatenate([F32(1) + np.arange(-8, 8, dtype=F32) * F32(2**-24), F32(2**24) + np.arange(-8, 8, dtype=F32)])
x = np.concatenate([bases, near, np.random.default_rng(0).standard_normal(62).astype(F32)])
x = np.concatenate([x, -x])
x[5], x[-1] = np.nan, -np.nan
x = np.pad(x, (0, 256 - x.size)).reshape(2, 128)

scales = [1 / 3, 3.0, 0.5, -0.5, 2.0, 2.0**-30, 2.0**-100, 2.0**-126, 2.0**100, -(2.0**127)]
terms = [1.0, -1.0, 1 / 3, 1e-20, 2.0**-60, 2.0**60, -(2.0**60), 2.0**-61, 2.0**-100, 1e-37, 1e38, -1e38]


def run(kernel, *operands):
    return np.asarray(pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, F32))(*map(jnp.asarray, operands)))


def bits(array):
    return np.where(np.isnan(array), -1, array.view(np.int32))


def apart(scale_ref, term_ref, x_ref, o_ref):
    """What is not known when it is compiled."""
    o_ref[...] = x_ref[...] * scale_ref[0] + term_ref[0]


for scale in scales:
    for c in terms:
        def kernel(x_ref, o_ref):
            o_ref[...] = x_ref[...] * scale + c

        def turned(x_ref, o_ref):
            o_ref[...] = c + scale * x_ref[...]
        want = [run(apart, np.array([scale], F32), np.array([c], F32), x)]
        if abs(c) > 2.0**-100:  # where no product that is as small as to be a zero in kernels is seen
            with np.errstate(all='ignore'):
                want.append(x * F32(scale) + F32(c))
        assert all((bits(run(f, x)) == bits(w)).all() for w in want for f in (kernel, turned)), (scale, c)


def steps(x_ref, o_ref):
    """The product is wanted by others, too."""
    half = x_ref[...] * 0.5
    o_ref[...] = (half + 1.0) * half - (half * 0.25 + 3.0)


with np.errstate(all='ignore'):
    half = x * F32(0.5)
    want = (half + 1) * half - (half * F32(0.25) + 3)
got = run(steps, x)
assert (bits(got) == bits(want)).all()
print('equal, of', len(scales) * len(terms), 'pairs')
