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


def pytest_configure(config):
    import pallasc.jax  # before any module of the suite compiles a kernel
    try:
        pallasc.jax.live.check_arguments(seed=config.getoption("--pallasc-seed"), tpu=config.getoption("--pallasc-tpu"))
    except ValueError as error:
        raise pytest.UsageError(f"--pallasc-{error}") from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    import pallasc.jax
    __tracebackhide__ = True
    option = item.config.getoption
    with pallasc.jax.machine(check=option("--pallasc") == "check", seed=option("--pallasc-seed"), tpu=option("--pallasc-tpu"),
                             replace_interpret=True):
        return (yield)
