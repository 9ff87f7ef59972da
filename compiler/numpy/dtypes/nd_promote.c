// SPDX-License-Identifier: Apache-2.0
// NumPy 2's promotion of element types: in, two types and whether each is a Python scalar's; out,
// the type that both become. Types of ml_dtypes follow from what may safely be cast to what.
#include "nd_promote.h"
#include <string.h>

static int kind_rank(DType dtype) {
  switch (dtype_kind(dtype)) {
  case 'b': return 0;
  case 'f': return 2;
  case 'c': return 3;
  default: return 1;
  }
}

static DType signed_of_bits(unsigned bits) {
  return bits <= 8 ? DT_I8 : bits <= 16 ? DT_I16 : bits <= 32 ? DT_I32 : DT_I64;
}

static DType promote_integers(DType a, DType b) {
  bool a_signed = dtype_is_signed(a), b_signed = dtype_is_signed(b);
  unsigned a_bits = dtype_bits(a), b_bits = dtype_bits(b);
  if (a_signed == b_signed) return a_bits >= b_bits ? a : b;
  unsigned sbits = a_signed ? a_bits : b_bits, ubits = a_signed ? b_bits : a_bits;
  if (sbits > ubits) return a_signed ? a : b;
  return ubits >= 64 ? DT_F64 : signed_of_bits(ubits * 2);
}

static DType promote_float_integer(DType f, DType i) {
  unsigned bits = dtype_bits(i);
  DType needed = bits <= 8 ? DT_F16 : bits <= 16 ? DT_F32 : DT_F64;
  return dtype_bits(f) >= dtype_bits(needed) ? f : needed;
}

// The complex type whose parts hold what the other is.
static DType promote_complex(DType c, DType other) {
  if (c == DT_C128 || other == DT_C128) return DT_C128;
  if (dtype_is_complex(other)) return DT_C64;
  DType parts = dtype_is_float(other) ? other : promote_float_integer(DT_F32, other);
  return parts == DT_F64 ? DT_C128 : DT_C64;
}

// Of NumPy's own types.
static DType promote_own(DType a, DType b) {
  int ra = kind_rank(a), rb = kind_rank(b);
  if (ra == 0) return b;
  if (rb == 0) return a;
  if (ra == 3 || rb == 3) return ra == 3 ? promote_complex(a, b) : promote_complex(b, a);
  if (ra == 1 && rb == 1) return promote_integers(a, b);
  if (ra == 2 && rb == 2) return dtype_bits(a) >= dtype_bits(b) ? a : b;
  return ra == 2 ? promote_float_integer(a, b) : promote_float_integer(b, a);
}

// ---- beside types of ml_dtypes ------------------------------------------------------------------

// Most types of ml_dtypes have the kind of structures and one byte: NumPy takes any of these for
// any other. float8_e5m2 has the kind of floats.
static bool is_structure(DType d) { return dtype_is_extension(d) && d != DT_F8E5M2; }

static bool is_byte_structure(DType d) {
  return is_structure(d) && dtype_size(d) == 1 && d != DT_F8E8M0FNU;
}

static bool is_within(DType a, DType b) { // integers
  bool a_signed = dtype_is_signed(a), b_signed = dtype_is_signed(b);
  return a_signed == b_signed ? dtype_bits(a) <= dtype_bits(b)
                              : b_signed && dtype_bits(a) < dtype_bits(b);
}

static bool can_cast_safely(DType from, DType to) {
  if (from == to || from == DT_BOOL) return true;
  bool is_integer = dtype_is_integer(from) && dtype_is_integer(to);
  if (!dtype_is_extension(from))
    return dtype_is_extension(to)
               ? dtype_is_float(to) && dtype_is_integer(from) && dtype_bits(from) == 8
               : promote_own(from, to) == to;
  if (dtype_is_extension(to))
    return is_integer ? dtype_is_signed(from) == dtype_is_signed(to) && is_within(from, to)
                      : is_byte_structure(from) && is_byte_structure(to);
  if (dtype_is_float(from)) return to == DT_F32 || to == DT_F64 || dtype_is_complex(to);
  return is_integer ? is_within(from, to) : dtype_is_float(to) || dtype_is_complex(to);
}

// The first of NumPy's own types, in the order of its loops, that holds the numbers of both.
static DType first_own(DType a, DType b) {
  static const DType all[] = {DT_BOOL, DT_I8,  DT_U8,  DT_I16, DT_U16, DT_I32, DT_U32,
                              DT_I64,  DT_U64, DT_F16, DT_F32, DT_F64, DT_C64};
  for (size_t i = 0; i < COUNT_OF(all); i++)
    if (can_cast_safely(a, all[i]) && can_cast_safely(b, all[i])) return all[i];
  return DT_C128;
}

DType nd_promote_own(DType a, DType b) {
  return dtype_is_extension(a) || dtype_is_extension(b) ? first_own(a, b) : promote_own(a, b);
}

static DType promote_python(DType python, DType other) { // a Python scalar only decides the kind
  if (kind_rank(python) <= kind_rank(other)) return other;
  if (kind_rank(python) == 3) // as wide as the other
    return dtype_is_float(other) && other != DT_F64 ? DT_C64 : DT_C128;
  return kind_rank(python) == 2 ? DT_F64 : DT_I64;
}

// What a Python scalar is beside a type of ml_dtypes, `wide` or not.
static DType type_of_python(DType python, bool wide) {
  switch (kind_rank(python)) {
  case 0: return DT_BOOL;
  case 1: return wide ? DT_I64 : DT_I8;
  case 2: return wide ? DT_F64 : DT_F16;
  default: return wide ? DT_C128 : DT_C64;
  }
}

DType nd_promote(DType a, bool a_python, DType b, bool b_python) {
  if (a == b) return a;
  if (!dtype_is_extension(a) && !dtype_is_extension(b)) {
    if (a_python == b_python) return promote_own(a, b);
    return a_python ? promote_python(a, b) : promote_python(b, a);
  }
  if (a_python) a = type_of_python(a, false);
  if (b_python) b = type_of_python(b, false);
  if (dtype_is_extension(a) && can_cast_safely(b, a)) return a;
  if (dtype_is_extension(b) && can_cast_safely(a, b)) return b;
  return first_own(a, b);
}

// Which of two types that may each be cast to the other is the first that ml_dtypes makes.
static bool is_before(DType a, DType b) {
  if (dtype_is_float(a) != dtype_is_float(b)) return dtype_is_float(a);
  if (dtype_bits(a) != dtype_bits(b)) return dtype_bits(a) > dtype_bits(b);
  return strcmp(dtype_name(a), dtype_name(b)) < 0;
}

static bool common_of_python(DType python, DType other, DType *out) {
  bool is_integer = kind_rank(python) == 1;
  return (is_integer && nd_common(DT_U8, false, other, false, out)) ||
         nd_common(type_of_python(python, false), false, other, false, out) ||
         nd_common(type_of_python(python, true), false, other, false, out);
}

bool nd_common(DType a, bool a_python, DType b, bool b_python, DType *out) {
  bool is_own = !dtype_is_extension(a) && !dtype_is_extension(b);
  if (!is_own && a_python) return common_of_python(a, b, out);
  if (!is_own && b_python) return common_of_python(b, a, out);
  if (is_own || a == b) {
    *out = nd_promote(a, a_python, b, b_python);
    return true;
  }
  bool up = can_cast_safely(a, b), down = can_cast_safely(b, a);
  if (!up && !down && (is_structure(a) || is_structure(b))) return false;
  *out = up && down ? is_before(a, b) ? a : b : up ? b : down ? a : first_own(a, b);
  return true;
}

DType nd_inexact(DType d) {
  if (dtype_is_float(d) || dtype_is_complex(d)) return d;
  if (d == DT_BOOL || dtype_bits(d) <= 8) return DT_F16;
  return dtype_bits(d) <= 16 ? DT_F32 : DT_F64;
}

bool nd_casting_from_name(Str name, NdCasting *out) {
  static const char *const names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    if (!str_equal(name, str_from_c(names[i]))) continue;
    *out = (NdCasting)i;
    return true;
  }
  return false;
}

bool nd_can_cast(DType from, DType to, NdCasting casting) {
  if (from == to || casting == CAST_UNSAFE) return true;
  if (casting <= CAST_EQUIV) return false;
  if (can_cast_safely(from, to)) return true;
  if (casting == CAST_SAFE) return false;
  if (is_structure(to))
    return is_structure(from) ? from == DT_BF16 || to == DT_BF16
                              : from != DT_F8E5M2 || to != DT_F8E8M0FNU;
  if (is_structure(from)) return false;
  if (dtype_kind(from) == 'i' && dtype_kind(to) == 'u') return false;
  return kind_rank(from) <= kind_rank(to) && dtype_kind(to) != 'b';
}
