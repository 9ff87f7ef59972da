# SPDX-License-Identifier: Apache-2.0
"""The program pallasc of the wheel, or of the build folder of a checkout, which takes the place of this process; `pallasc jax` is the
package's own."""
import os
import pathlib
import sys

from pallasc import _native


def main():
    if sys.argv[1:2] == ["jax"]:
        try:
            from pallasc.jax.__main__ import main as of_jax
        except ImportError as error:
            sys.exit(f"pallasc jax: {error}")
        return of_jax(sys.argv[2:], "pallasc jax")
    programs = [path / "bin" / "pallasc" for path in _native.package_folders()]
    program = next(filter(pathlib.Path.exists, programs), None) or _native.folder() / "pallasc"
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
