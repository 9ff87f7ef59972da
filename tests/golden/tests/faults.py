# cmd: test --check {}
# status: 1
# What kernels are at fault at is reported with the test that ran them, whether or not it looks, and of each test that runs them.
import jax.numpy as jnp
import pytest
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

x = jnp.ones((8, 128))


def waits(x_ref, o_ref, sem):
    pl.semaphore_wait(sem, 1)
    o_ref[...] = x_ref[...]


def reads_on(x_ref, o_ref):
    @pl.loop(0, 8)
    def _(i):
        o_ref[i] = x_ref[i + 1]


def half(x_ref, o_ref):
    o_ref[:4] = x_ref[:4]


def run(kernel, *scratch):
    return pl.pallas_call(kernel, out_shape=x, scratch_shapes=scratch)(x)


def test_fails():
    assert 0


def test_fails_too():
    run(reads_on)
    assert 1 == 2


def test_unseen():
    run(reads_on)


def test_unseen_again():
    run(reads_on)


def test_deadlock():
    run(waits, pltpu.SemaphoreType.REGULAR)


def test_deadlock_seen():
    y = run(waits, pltpu.SemaphoreType.REGULAR)
    assert y.shape == (8, 128)
    y.block_until_ready()


def test_unwritten():
    run(half)


def test_good():
    assert (run(lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...])) == 1).all()


@pytest.mark.xfail(reason="known")
def test_expected():
    run(reads_on)


@pytest.fixture
def broken():
    return run(reads_on)


def test_set_up(broken):
    pass
