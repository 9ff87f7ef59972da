# SPDX-License-Identifier: Apache-2.0
"""A suite of Pallas kernels, each test on our machine: pytest -p pallasc --pallasc=check.

Calls that ask for an interpreter of JAX are compiled as well; what checks find fails the test, with the lines of the kernel.
"""
import pytest


def pytest_addoption(parser):
    group = parser.getgroup("pallasc")
    group.addoption("--pallasc", choices=("run", "check"), default="run", help="compile kernels by pallasc, with every check under 'check'")
    group.addoption("--pallasc-seed", type=int, default=None, metavar="N", help="draw the choices of programs that wait from this seed")
    group.addoption("--pallasc-tpu", default=None, metavar="CHIP", help="the chip that kernels are compiled for")
    group.addoption("--pallasc-strict-tpu", action="store_true", help="refuse what the chip's own compiler would, in kernels that are not interpreted")


def pytest_configure(config):
    import pallasc.jax  # before any module of the suite compiles a kernel
    try:
        pallasc.jax.live.check_arguments(seed=config.getoption("--pallasc-seed"), tpu=config.getoption("--pallasc-tpu"))
    except ValueError as error:
        raise pytest.UsageError(f"--pallasc-{error}") from None


def _machine(config):
    import pallasc.jax
    option = config.getoption
    return pallasc.jax.machine(check=option("--pallasc") == "check", seed=option("--pallasc-seed"), tpu=option("--pallasc-tpu"),
                               replace_interpret=True, strict_tpu=option("--pallasc-strict-tpu"))


def _raise_kept(item):
    """A TestCase of unittest keeps what its test raises: a call that has failed is raised here, where the machine says what it has found."""
    __tracebackhide__ = True
    import pallasc.jax
    kept = getattr(item, "_excinfo", None)
    if kept and pallasc.jax.live._is_of_a_call(kept[0].value):
        raise kept.pop(0).value


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    __tracebackhide__ = True
    with _machine(item.config):
        result = yield
        _raise_kept(item)
        return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    __tracebackhide__ = True
    with _machine(item.config):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    __tracebackhide__ = True
    with _machine(item.config):
        return (yield)
