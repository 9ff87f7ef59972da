# SPDX-License-Identifier: Apache-2.0
"""python -m pallasc: the program."""
from pallasc._program import main

if __name__ == "__main__":
    main()
