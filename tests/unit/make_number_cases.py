#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write format_cases.def and bigint_cases.def beside this file: what CPython 3.11 says, for test_format.c and test_bigint.c."""
import pathlib
import random
import struct

HERE = pathlib.Path(__file__).resolve().parent
FLOATS, CHUNK = 10000, 100
MASK = (1 << 64) - 1


def quoted(text):
    out = ''
    for byte in text.encode('utf-8', 'surrogatepass'):
        char = chr(byte)
        out += '\\' + char if char in '"\\' else char if 32 <= byte < 127 and char != '?' else '\\%03o' % byte
    return f'"{out}"'


def split_mix(state):
    """The generator that test_format.c has as well: (next state, 64 random bits)."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = state
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return state, z ^ z >> 31


def nth_float(i, bits):
    """Random bits as a double: as they are, or a number of everyday size."""
    if i % 4 == 0:
        value = struct.unpack('<d', struct.pack('<Q', bits))[0]
        return value if value == value else 0.5
    if i % 4 == 1:
        return (bits >> 11) / 2.0 ** 53
    if i % 4 == 2:
        return (bits % 2000001 - 1000000) / 1000.0
    return float(bits >> 12) * 2.0 ** (int(bits % 64) - 32)


def fnv(text, seed):
    for byte in text.encode():
        seed = ((seed ^ byte) * 0x100000001B3) & MASK
    return seed


def repr_chunks():
    state, lines = 2024, []
    for start in range(0, FLOATS, CHUNK):
        total = 0xCBF29CE484222325
        for i in range(start, start + CHUNK):
            state, bits = split_mix(state)
            total = fnv(repr(nth_float(i, bits)) + '\n', total)
        lines.append(f'REPR_CHUNK({total:#x}u)')
    return [' '.join(lines[i:i + 4]) for i in range(0, len(lines), 4)]


def outcome(value, spec):
    try:
        return format(value, spec)
    except (ValueError, OverflowError) as error:
        return f'!{type(error).__name__}: {error}'


def random_spec(rng, kinds):
    fill = rng.choice(['', '', '*', '0', 'é', ' '])
    align = rng.choice('<>=^') if fill else rng.choice(['', '', '<', '>', '=', '^'])
    width = rng.choice(['', '', '1', '5', '12', '20'])
    return (fill + align + rng.choice(['', '', '+', '-', ' ']) + rng.choice(['', '', '', 'z']) + rng.choice(['', '', '#'])
            + rng.choice(['', '', '0']) + width + rng.choice(['', '', '', ',', '_'])
            + rng.choice(['', '', '.0', '.1', '.3', '.10']) + rng.choice(kinds))


def bits_of(value):
    return struct.unpack('<Q', struct.pack('<d', value))[0]


def format_cases():
    rng, lines, seen = random.Random(7), [], set()
    ints = [0, 1, -1, 7, 42, -255, 1000, 65536, -1234567, 10 ** 9, 2 ** 63 - 1, -2 ** 63, 2 ** 64, -10 ** 25, 1114111]
    floats = [0.0, -0.0, 1.0, -1.5, 0.1, 2.5, 3.14159, -1234567.891, 1e16, 1e22, 1.5e-7, 5e-324, 1.7976931348623157e308,
              float('inf'), float('-inf'), float('nan'), 123456789.0, 0.00001234, 999999.5, -0.04]
    texts = ['', 'a', 'hello', 'é€', 'x' * 15]
    while len(lines) < 420:
        value, spec = rng.choice(ints), random_spec(rng, ['', 'd', 'd', 'b', 'o', 'x', 'X', 'n', 'c', 'e', 'f', 'g', '%', 's'])
        if (value, spec) not in seen:
            seen.add((value, spec))
            lines.append(f'FORMAT_INT("{value}", {quoted(spec)}, {quoted(outcome(value, spec))})')
    while len(lines) < 840:
        value, spec = rng.choice(floats), random_spec(rng, ['', '', 'e', 'E', 'f', 'F', 'g', 'G', 'n', '%', 'd'])
        if (bits_of(value), spec) not in seen:
            seen.add((bits_of(value), spec))
            lines.append(f'FORMAT_FLOAT({bits_of(value):#x}u, {quoted(spec)}, {quoted(outcome(value, spec))})')
    while len(lines) < 950:
        value, spec = rng.choice(texts), random_spec(rng, ['', '', 's', 's', 'd'])
        if (value, spec) not in seen:
            seen.add((value, spec))
            lines.append(f'FORMAT_STR({quoted(value)}, {quoted(spec)}, {quoted(outcome(value, spec))})')
    return lines


def bigint_cases():
    rng, lines = random.Random(11), []
    values = [0, 1, -1, 2, -3, 10, 2 ** 31, 2 ** 62, 2 ** 63 - 1, -2 ** 63, 2 ** 63, 2 ** 64 - 1, -2 ** 64, 10 ** 18, 10 ** 19,
              -10 ** 30, 3 ** 80, -7 ** 60, 2 ** 200 + 1, 10 ** 100]
    operators = {'ADD': '+', 'SUB': '-', 'MUL': '*', 'FLOOR_DIV': '//', 'MOD': '%', 'AND': '&', 'OR': '|', 'XOR': '^'}
    for name, sign in operators.items():
        for _ in range(55):
            a, b = rng.choice(values), rng.choice(values)
            if b or name not in ('FLOOR_DIV', 'MOD'):
                lines.append(f'BINARY({name}, "{a}", "{b}", "{eval(f"({a}) {sign} ({b})")}")')
    for _ in range(60):
        a, b = rng.choice(values), rng.randrange(0, 130)
        lines.append(f'BINARY(SHL, "{a}", "{b}", "{a << b}")')
        lines.append(f'BINARY(SHR, "{a}", "{b}", "{a >> b}")')
    for _ in range(40):
        a, b = rng.choice(values[:14]), rng.randrange(0, 12)
        lines.append(f'BINARY(POW, "{a}", "{b}", "{a ** b}")')
    for _ in range(50):
        a, b = rng.choice(values), rng.choice(values)
        lines.append(f'COMPARE("{a}", "{b}", {(a > b) - (a < b)})')
        if b:
            lines.append(f'DIVIDE("{a}", "{b}", {bits_of(a / b):#x}u)')
    for _ in range(25):
        a, e, m = rng.choice(values), rng.randrange(0, 200), rng.choice([v for v in values if v])
        lines.append(f'POW_MOD("{a}", "{e}", "{m}", "{pow(a, e, m)}")')
    for a in values:
        lines.append(f'UNARY("{a}", "{-a}", "{~a}", {hash(a)}, {a.bit_length()}, {a.bit_count()}, {bits_of(float(a)):#x}u)')
        for base in ('x', 'o', 'b'):
            lines.append(f'''TEXT("{a}", {dict(x=16, o=8, b=2)[base]}, "{format(a, base)}")''')
        size = a.bit_length() // 8 + 1
        lines.append(f'BYTES("{a}", {size}, "{a.to_bytes(size, "little", signed=True).hex()}")')
    return lines


def write(name, head, lines):
    text = '\n'.join(['// SPDX-License-Identifier: Apache-2.0', f'// {head} Made by make_number_cases.py.', *lines, ''])
    (HERE / name).write_text(text)


write('format_cases.def', 'Values, format specs and texts ("!" before an error).', [*repr_chunks(), *format_cases()])
write('bigint_cases.def', 'Arithmetic of large integers.', bigint_cases())
