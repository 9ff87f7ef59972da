// SPDX-License-Identifier: Apache-2.0
// NumPy 2's promotion of element types: in, two types and whether each is a Python scalar's; out,
// the type that both become.
#include "nd_promote.h"

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

static bool is_narrow_float(DType d) { // NumPy does not know these; any other float wins
  return dtype_kind(d) == 'f' && d != DT_F16 && d != DT_F32 && d != DT_F64;
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
  if (is_narrow_float(f)) return f;
  unsigned bits = dtype_bits(i);
  DType needed = bits <= 8 ? DT_F16 : bits <= 16 ? DT_F32 : DT_F64;
  return dtype_bits(f) >= dtype_bits(needed) ? f : needed;
}

// The complex type whose parts hold what the other is.
static DType promote_complex(DType c, DType other) {
  if (c == DT_C128 || other == DT_C128) return DT_C128;
  if (dtype_is_complex(other)) return DT_C64;
  DType parts = dtype_is_float(other) ? other : nd_promote(DT_F32, false, other, false);
  return parts == DT_F64 ? DT_C128 : DT_C64;
}

// Whether a float type of ml_dtypes has no loops with the other: it has some with itself and with
// bytes, and with what holds its numbers.
static bool is_apart(DType a, DType b) {
  if (!dtype_is_float(a) || !dtype_is_extension(a)) return false;
  if (dtype_is_float(b)) return dtype_is_extension(b) || b == DT_F16;
  return dtype_bits(b) > 8 || (a == DT_BF16 && dtype_bits(b) < 8);
}

DType nd_own_type(DType d) {
  if (!dtype_is_extension(d)) return d;
  return dtype_is_float(d) ? DT_F32 : DT_I8;
}

DType nd_promote(DType a, bool a_python, DType b, bool b_python) {
  if (a == b) return a;
  if (a_python != b_python) { // a Python scalar only decides the kind
    DType python = a_python ? a : b, other = a_python ? b : a;
    if (kind_rank(python) <= kind_rank(other)) return other;
    if (kind_rank(python) == 3) // as wide as the other
      return dtype_is_float(other) && other != DT_F64 ? DT_C64 : DT_C128;
    return kind_rank(python) == 2 ? DT_F64 : DT_I64;
  }
  int ra = kind_rank(a), rb = kind_rank(b);
  if (ra == 0) return b;
  if (rb == 0) return a;
  if (ra == 3 || rb == 3) return ra == 3 ? promote_complex(a, b) : promote_complex(b, a);
  if (is_apart(a, b) || is_apart(b, a))
    return nd_promote(nd_own_type(a), false, nd_own_type(b), false);
  if (ra == 1 && rb == 1) return promote_integers(a, b);
  if (ra == 2 && rb == 2) {
    if (is_narrow_float(a) != is_narrow_float(b)) return is_narrow_float(a) ? b : a;
    if (dtype_bits(a) == dtype_bits(b)) return DT_F32;
    return dtype_bits(a) > dtype_bits(b) ? a : b;
  }
  return ra == 2 ? promote_float_integer(a, b) : promote_float_integer(b, a);
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
  if (nd_promote(from, false, to, false) == to) return true;
  if (casting == CAST_SAFE) return false;
  if (dtype_kind(from) == 'i' && dtype_kind(to) == 'u') return false;
  return kind_rank(from) <= kind_rank(to) && dtype_kind(to) != 'b';
}
