# SPDX-License-Identifier: Apache-2.0
"""The memory of arguments. In: NumPy arrays, anything with DLPack, buffers, and numbers for parameters of rank 0.

Out: an address, without a copy, or an exception that says what the parameter needs and what was given.
"""
import ctypes
import functools
from ctypes import POINTER, c_char, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

import numpy as np

from pallasc import _native


@functools.cache
def dtype_name(number):
    return _native.said(_native.runtime().prt_dtype_name(number))


@functools.cache
def dtype_of(name):
    """NumPy's type of that name, or ml_dtypes'; None if there is no ml_dtypes."""
    try:
        return np.dtype(name)
    except TypeError:
        pass
    try:
        import ml_dtypes
        return np.dtype(getattr(ml_dtypes, name))
    except (ImportError, AttributeError, TypeError):
        return None


# ---- DLPack ---------------------------------------------------------------------------------------------------------------

class _Tensor(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("device", c_int32), ("device_id", c_int32), ("rank", c_int32), ("code", c_uint8), ("bits", c_uint8),
                ("lanes", c_uint16), ("dims", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("byte_offset", c_uint64)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("context", c_void_p), ("deleter", c_void_p), ("flags", c_uint64), ("tensor", _Tensor)]


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes = [ctypes.py_object, c_char_p]

_HOST = (1, 3, 11)  # CPU, and memory of the CPU that CUDA or ROCm knows
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}  # DLDataTypeCode by NumPy's kinds
_OTHER_CODES = {"bfloat16": 4, "float8_e3m4": 7, "float8_e4m3": 8, "float8_e4m3b11fnuz": 9, "float8_e4m3fn": 10, "float8_e4m3fnuz": 11,
                "float8_e5m2": 12, "float8_e5m2fnuz": 13, "float8_e8m0fnu": 14}
_NAMES = {(code, 16 if name == "bfloat16" else 8): name for name, code in _OTHER_CODES.items()}


def _element_name(code, bits, lanes):
    if (code, bits) in _NAMES and lanes == 1:
        return _NAMES[code, bits]
    words = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}
    name = "bool" if (code, bits) == (6, 8) else f"{words.get(code, f'type {code} of ')}{bits}"
    return name if lanes == 1 else f"{name}x{lanes}"


def _capsule(value):
    """A capsule, of the new form if the object knows it, whose end gives the tensor back."""
    ready = getattr(value, "block_until_ready", None)  # of JAX's arrays, which may still be computed
    if ready is not None:
        ready()
    try:
        return value.__dlpack__(max_version=(1, 1))
    except TypeError:
        return value.__dlpack__()


def _tensor(capsule):
    """The tensor, and whether it may be written."""
    if _is_valid(capsule, b"dltensor_versioned"):
        versioned = _Versioned.from_address(_pointer(capsule, b"dltensor_versioned"))
        if versioned.major != 1:
            raise BufferError(f"version {versioned.major} of DLPack is not known")
        return versioned.tensor, not versioned.flags & 1
    return _Tensor.from_address(_pointer(capsule, b"dltensor")), True


def _is_contiguous(dims, strides):
    if 0 in dims:
        return True
    expected = 1
    for size, stride in zip(reversed(dims), reversed(strides)):
        if size != 1 and stride != expected:
            return False
        expected *= size
    return True


# ---- NumPy ----------------------------------------------------------------------------------------------------------------

class _Interface(ctypes.Structure):
    """PyArrayInterface, as NumPy documents it."""
    _fields_ = [("two", c_int), ("rank", c_int), ("kind", c_char), ("itemsize", c_int), ("flags", c_int), ("dims", c_void_p),
                ("strides", c_void_p), ("data", c_void_p), ("description", c_void_p)]


_DATA = _Interface.data.offset


def _address(array):
    """In a tenth of the time of array.ctypes.data."""
    capsule = array.__array_struct__
    return c_void_p.from_address(_pointer(capsule, None) + _DATA).value or 0


# ---- parameters ------------------------------------------------------------------------------------------------------------

class Parameter:
    """A parameter of an entry point: its name, shape and element type, and the address of what is given for it."""

    def __init__(self, function, param):
        self.function = function
        self.name, self.label, self.role = _native.said(param.name), _native.said(param.label), param.role
        self.shape = tuple(param.dims[:param.rank])
        self.dtype_name = dtype_name(param.dtype)
        self.dtype = dtype_of(self.dtype_name)
        self.count = 1
        for size in self.shape:
            self.count *= size
        self.itemsize = self.dtype.itemsize if self.dtype is not None else 1

    def __repr__(self):
        return f"{self.name}: {self._text(self.dtype_name, self.shape)}"

    @staticmethod
    def _text(dtype, shape):
        return f"{dtype}[{', '.join('?' if size < 0 else str(size) for size in shape)}]"

    def _refuse(self, what, kind=ValueError):
        return kind(f"{self.function}(): argument '{self.name}' {what}")

    def _wrong_type(self, dtype, shape, kind=TypeError):
        advice = "; a number of Python is taken, too" if not self.shape and not shape and self.dtype is not None else ""
        return self._refuse(f"must be {self._text(self.dtype_name, self.shape)}, not {self._text(dtype, shape)}{advice}", kind)

    def _check(self, dtype, shape, contiguous, writable, address, writes):
        """What is the same for every kind of array; `dtype` is None if it is the right one."""
        if dtype is not None:
            raise self._wrong_type(dtype, shape)
        if shape != self.shape:
            raise self._wrong_type(self.dtype_name, shape, ValueError)
        if not contiguous:
            advice = "give an array that is, and copy from it" if writes else "a copy is: numpy.ascontiguousarray(x), x.contiguous() of a tensor"
            raise self._refuse(f"is not contiguous in row-major order; {advice}")
        if writes and not writable:
            raise self._refuse("is read-only, and would be written")
        if not address and self.count:
            raise self._refuse("has no memory any more")
        if address and address % self.itemsize:
            raise self._refuse(f"starts at {address:#x}, which is no multiple of {self.itemsize}, the size of {self.dtype_name}")
        return address

    def take(self, value, writes, held):
        """The address of the value's memory. What keeps the memory is added to `held`."""
        if isinstance(value, np.ndarray):
            return self._of_numpy(value, writes, held)
        if isinstance(value, (bool, int, float)):
            return self._of_number(value, writes, held)
        if isinstance(value, np.generic):
            return self._of_numpy(np.asarray(value), writes, held)
        if hasattr(value, "__dlpack__"):
            return self._of_dlpack(value, writes, held)
        try:
            view = np.asarray(memoryview(value))
        except ValueError as error:  # released, or of no format that NumPy knows
            raise self._refuse(f"has no memory: {error}") from None
        except TypeError:
            what = f"an array, {self._text(self.dtype_name, self.shape)}" if self.shape else f"a number, or an array, {self.dtype_name}[]"
            raise self._refuse(f"must be {what}, not {type(value).__name__}", TypeError) from None
        return self._of_numpy(view, writes, held)

    def _of_numpy(self, value, writes, held):
        if type(value) is not np.ndarray and isinstance(value, np.ma.MaskedArray):
            raise self._refuse("has a mask, which a kernel does not see; without it: x.filled(0), x.data", TypeError)
        held.append(value)
        given = value.dtype
        if given == self.dtype or self.dtype is None and given.name == self.dtype_name:
            given = None
        elif not given.isnative:
            given = f"byte-swapped {given.name}"
        flags = value.flags
        return self._check(given, value.shape, flags.c_contiguous, flags.writeable, _address(value), writes)

    def _of_number(self, value, writes, held):
        if self.shape:
            raise self._refuse(f"must be an array, {self._text(self.dtype_name, self.shape)}, not {type(value).__name__}", TypeError)
        if writes:
            raise self._refuse("is a number, and would be written")
        kind = self.dtype.kind if self.dtype is not None else "V"
        if kind == "b" and not isinstance(value, bool) or kind in "iu" and not isinstance(value, int):
            raise self._refuse(f"must be {self.dtype_name}, not {type(value).__name__}", TypeError)
        if self.dtype is None:
            raise self._refuse(f"is a number: pass an array of {self.dtype_name}, or install ml_dtypes", TypeError)
        try:
            array = np.array(value, self.dtype)
            if kind in "iu" and int(array) != value:
                raise OverflowError
        except OverflowError:
            raise self._refuse(f"is {value}, which does not fit {self.dtype_name}") from None
        held.append(array)
        return _address(array)

    def _of_dlpack(self, value, writes, held):
        try:
            device = value.__dlpack_device__()[0]
            if device not in _HOST:
                raise self._refuse("is not in the memory of the CPU")
            is_negative = getattr(value, "is_neg", None)  # of PyTorch's tensors: their memory holds the negatives, and DLPack does not say so
            if is_negative is not None and is_negative():
                raise self._refuse("is a view of negatives; a copy is: x.resolve_neg()")
            capsule = _capsule(value)
            tensor, writable = _tensor(capsule)
        except Exception as error:
            if str(error).startswith(f"{self.function}(): "):
                raise
            if type(value).__name__.endswith("Tracer"):
                raise self._refuse("is a value that JAX traces, as under jit, and has no memory yet: jax.pure_callback calls this from there, "
                                   "pallasc.jax compiles pallas_call") from error
            raise self._refuse(f"cannot be read through DLPack: {error}") from error
        held.append(capsule)
        dims = tuple(tensor.dims[:tensor.rank]) if tensor.rank else ()
        strides = tuple(tensor.strides[:tensor.rank]) if tensor.rank and tensor.strides else None
        name = _element_name(tensor.code, tensor.bits, tensor.lanes)
        address = (tensor.data or 0) + tensor.byte_offset if tensor.data else 0
        writable = writable and not type(value).__module__.startswith("jax")  # whose arrays are not to be written, and do not say so
        return self._check(None if name == self.dtype_name else name, dims, strides is None or _is_contiguous(dims, strides), writable,
                           address, writes)

    def new(self):
        if self.dtype is None:
            raise TypeError(f"{self.function}(): result '{self.name}' is {self.dtype_name}, which NumPy does not have: install ml_dtypes, or give out=")
        return np.empty(self.shape, self.dtype)
