# SPDX-License-Identifier: Apache-2.0
"""Read .npy files and compare arrays, with the standard library alone.

A bfloat16 array has the descr '<V2', as ml_dtypes stores it; 'bfloat16' is read as well.
"""
import ast
import dataclasses
import math
import struct

# dtype name -> (struct code of the stored element, bits of the significand that are stored, or None for integers)
KINDS = {
    'float32': ('f', 23), 'float16': ('e', 10), 'bfloat16': ('H', 7), 'float64': ('d', 52),
    'int8': ('b', None), 'int16': ('h', None), 'int32': ('i', None), 'int64': ('q', None),
    'uint8': ('B', None), 'uint16': ('H', None), 'uint32': ('I', None), 'uint64': ('Q', None), 'bool': ('?', None),
}
DESCRS = {
    '<f4': 'float32', '<f2': 'float16', '<V2': 'bfloat16', '|V2': 'bfloat16', 'bfloat16': 'bfloat16', '<f8': 'float64',
    '|i1': 'int8', '<i2': 'int16', '<i4': 'int32', '<i8': 'int64',
    '|u1': 'uint8', '<u2': 'uint16', '<u4': 'uint32', '<u8': 'uint64', '|b1': 'bool',
}


class NpyError(Exception):
    pass


@dataclasses.dataclass
class Array:
    """Elements in C order: Python numbers; a bfloat16 is given as the float it stands for."""
    dtype: str
    shape: tuple
    values: list
    bits: list


def read_npy(path):
    with open(path, 'rb') as file:
        data = file.read()
    if data[:6] != b'\x93NUMPY':
        raise NpyError(f'{path}: not a .npy file')
    length_code, start = ('<H', 10) if data[6] == 1 else ('<I', 12)
    length, = struct.unpack_from(length_code, data, 8)
    header = ast.literal_eval(data[start:start + length].decode('latin1'))
    if header['descr'] not in DESCRS:
        raise NpyError(f'{path}: unknown descr {header["descr"]!r}')
    if header['fortran_order'] and len(header['shape']) > 1:
        raise NpyError(f'{path}: Fortran order')
    return decode(DESCRS[header['descr']], tuple(header['shape']), data[start + length:], path)


def decode(dtype, shape, data, path):
    code, significand = KINDS[dtype]
    count = math.prod(shape)
    if len(data) != count * struct.calcsize(code):
        raise NpyError(f'{path}: {len(data)} bytes of data for {count} elements of {dtype}')
    values = list(struct.unpack(f'<{count}{code}', data))
    if significand is None:
        return Array(dtype, shape, values, values)
    bits = list(struct.unpack(f'<{count}{ {2: "H", 4: "I", 8: "Q"}[struct.calcsize(code)] }', data))
    if dtype == 'bfloat16':
        values = list(struct.unpack(f'<{count}f', struct.pack(f'<{count}I', *(b << 16 for b in bits))))
    return Array(dtype, shape, values, bits)


def ordered(bits, width):
    """Bit patterns of floats as integers in the order of the floats: neighbours differ by one, -0 equals +0."""
    sign = 1 << (width - 1)
    return sign - bits if bits & sign else bits


def same(got, want, index, width, tolerance):
    a, b = got.values[index], want.values[index]
    if width is None:
        return a == b
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if a == b:
        return a != 0 or not tolerance.signed_zeros or got.bits[index] == want.bits[index]
    if math.isinf(a) or math.isinf(b):
        return False
    if tolerance.ulp and abs(ordered(got.bits[index], width) - ordered(want.bits[index], width)) <= tolerance.ulp:
        return True
    return abs(a - b) <= tolerance.atol + tolerance.rtol * abs(b)


def compare(got, want, tolerance):
    """None if the arrays agree, else one line that says where and how they do not."""
    if got.dtype != want.dtype:
        return f'dtype is {got.dtype}, not {want.dtype}'
    if got.shape != want.shape:
        return f'shape is {got.shape}, not {want.shape}'
    code, significand = KINDS[want.dtype]
    width = None if significand is None else 8 * struct.calcsize(code)
    wrong = [i for i in range(len(want.values)) if not same(got, want, i, width, tolerance)]
    if not wrong:
        return None
    first = wrong[0]
    place = []
    for size in reversed(want.shape):
        first, rest = divmod(first, size)
        place.insert(0, rest)
    text = f'{len(wrong)} of {len(want.values)} elements differ, first at {place}: '
    text += f'{got.values[wrong[0]]!r}, not {want.values[wrong[0]]!r}'
    if width is not None:
        steps = [abs(ordered(got.bits[i], width) - ordered(want.bits[i], width)) for i in wrong
                 if math.isfinite(got.values[i]) and math.isfinite(want.values[i])]
        if steps:
            text += f'; at most {max(steps)} ulp off'
    return text
