# SPDX-License-Identifier: Apache-2.0
"""The command line, pallasc.compile and a live JAX tell the same findings at the same lines."""
import json
import pathlib
import subprocess

import jax
import jax.numpy as jnp
import mistaken
import numpy as np
import pallasc
import pallasc.jax

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = pathlib.Path(mistaken.__file__)


def line_of(name):
    return next(i for i, line in enumerate(FILE.read_text().splitlines(), 1) if line.endswith(f"  # {name}"))


def of(findings):
    """(kind, lines) of each: which of two accesses comes later, where a race is reported, is the schedule's."""
    return {(found["kind"], *sorted(access["line"] for access in found.get("race", {}).get("accesses", [found]))) for found in findings}


def by_command(name):
    done = subprocess.run([ROOT / "build" / "pallasc", "check", "--error-format=json", FILE, "--", name], capture_output=True, text=True)
    assert done.returncode == 1, (name, done)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    return of(found for found in lines if "kind" in found)


def raised(call):
    try:
        call()
    except pallasc.Finding as error:
        return of(error.findings)
    return set()


def by_compile(name):
    lib = pallasc.compile(FILE, check=True, entry=f"{name}(f32[8, 128])")
    return raised(lambda: lib[name](np.ones((8, 128), np.float32)))


def by_jax(name):
    def call():
        with pallasc.jax.machine(check=True):
            jax.block_until_ready(jax.jit(getattr(mistaken, name))(jnp.ones((8, 128))))
    return raised(call)


def test_every_way_tells_the_same():
    for function in mistaken.ALL:
        name = function.__name__
        ways = by_command(name), by_compile(name), by_jax(name)
        assert ways[0] == ways[1] == ways[2], (name, ways)
        assert any(line_of(name) in lines for _, *lines in ways[0]), (name, ways, line_of(name))
