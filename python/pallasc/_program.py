# SPDX-License-Identifier: Apache-2.0
"""The program pallasc of the wheel, which takes the place of this process."""
import os
import pathlib
import sys


def main():
    program = pathlib.Path(__file__).resolve().parent / "bin" / "pallasc"
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
