# SPDX-License-Identifier: Apache-2.0
"""The program, by the package's name."""
import importlib.util
import subprocess
import sys

SOURCE = "def add(x: f32[8], y: f32[8]):\n    return x + y\n"


def program(folder, *words):
    return subprocess.run([sys.executable, "-m", "pallasc", *words], cwd=folder, capture_output=True, text=True)


def test_the_package_is_the_program(tmp_path):
    (tmp_path / "add.pk").write_text(SOURCE)
    assert program(tmp_path, "--version").stdout.startswith("pallasc ")
    made = program(tmp_path, "add.pk", "-o", "add.o", "-h", "add.h")
    assert made.returncode == 0 and "prt_status add(" in (tmp_path / "add.h").read_text(), made.stderr
    assert program(tmp_path, "nosuch.pk").returncode == 3


def test_jax_is_a_command_of_the_package(tmp_path):
    done = program(tmp_path, "jax", "--help")
    if importlib.util.find_spec("jax"):
        assert done.returncode == 0 and done.stdout.startswith("usage: pallasc jax ") and "MODULE:FUNCTION" in done.stdout, done
    else:
        assert done.returncode == 1 and done.stderr.startswith("pallasc jax: pallasc.jax needs JAX"), done
