# SPDX-License-Identifier: Apache-2.0
# cmd: run --memory-limit=200M {}
# own: CPython has no such limit
# What does not fit is a MemoryError that a program can catch, and it goes on.


def show(make):
    try:
        print(len(make()))
    except MemoryError as e:
        print('MemoryError', e)


show(lambda: list(range(10**12)))
show(lambda: tuple(range(10**12)))
show(lambda: [0] * 10**12)
show(lambda: (0,) * 10**13)
show(lambda: set(range(10**12)))
show(lambda: dict.fromkeys(range(10**12)))
show(lambda: [i for i in range(10**12)])
show(lambda: {i: i for i in range(10**12)})
show(lambda: sorted(range(10**12)))
show(lambda: list(range(10**5)))
