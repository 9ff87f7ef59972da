// SPDX-License-Identifier: Apache-2.0
// Facts about element types, and exact conversions. A float narrower than 32 bits is written from
// the bits of a double in one rounding; wide integers are first rounded to odd, so that the
// rounding that follows is exact.
#include "dtype.h"

#include <string.h>

typedef struct DTypeInfo {
  const char *name, *short_name;
  char kind, special;
  unsigned char bits, exponent, mantissa;
  short bias;
} DTypeInfo;

static const DTypeInfo infos[DT_COUNT] = {
#define DTYPE(id, name, short_name, bits, kind, exponent, mantissa, bias, special)                 \
  [DT_##id] = {name, short_name, kind, special, bits, exponent, mantissa, bias},
#include "dtype.def"
#undef DTYPE
};

static const DTypeInfo *info_of(DType dtype) {
  if ((unsigned)dtype >= DT_COUNT) BUG("no dtype %d", (int)dtype);
  return &infos[dtype];
}

const char *dtype_name(DType dtype) { return info_of(dtype)->name; }

const char *dtype_short_name(DType dtype) { return info_of(dtype)->short_name; }

char dtype_kind(DType dtype) { return info_of(dtype)->kind; }

unsigned dtype_bits(DType dtype) { return info_of(dtype)->bits; }

size_t dtype_size(DType dtype) { return ((size_t)info_of(dtype)->bits + 7) / 8; }

bool dtype_is_float(DType dtype) { return info_of(dtype)->kind == 'f'; }

bool dtype_is_complex(DType dtype) { return info_of(dtype)->kind == 'c'; }

DType dtype_of_parts(DType dtype) {
  return dtype == DT_C64 ? DT_F32 : dtype == DT_C128 ? DT_F64 : dtype;
}

DType dtype_computed_in(DType dtype) {
  return dtype_is_float(dtype) && dtype != DT_F64 ? DT_F32 : dtype;
}

DType dtype_summed_in(DType dtype) {
  if (dtype_is_float(dtype)) return dtype_computed_in(dtype);
  return dtype_bits(dtype) == 64 ? DT_I64 : DT_I32;
}

bool dtype_is_integer(DType dtype) {
  return info_of(dtype)->kind == 'i' || info_of(dtype)->kind == 'u';
}

bool dtype_is_signed(DType dtype) { return info_of(dtype)->kind == 'i'; }

bool dtype_is_extension(DType dtype) {
  const DTypeInfo *info = info_of(dtype);
  return info->bits < 8 || (info->kind == 'f' && (info->bits == 8 || dtype == DT_BF16));
}

FloatFormat dtype_float_format(DType dtype) {
  const DTypeInfo *info = info_of(dtype);
  return (FloatFormat){info->exponent, info->mantissa, info->bias, info->special};
}

bool dtype_from_name(Str name, DType *out) {
  static const struct {
    const char *name;
    DType dtype;
  } others[] = {{"bool_", DT_BOOL}, {"int_", DT_I32}, {"uint", DT_U32}, {"float_", DT_F32}};
  for (int i = 0; i < DT_COUNT; i++) {
    if (str_is(name, infos[i].name) || str_is(name, infos[i].short_name)) {
      *out = (DType)i;
      return true;
    }
  }
  for (size_t i = 0; i < COUNT_OF(others); i++) {
    if (str_is(name, others[i].name)) {
      *out = others[i].dtype;
      return true;
    }
  }
  return false;
}

// ---- narrow floats -----------------------------------------------------------------------------
#define F64_MANTISSA 52
#define F64_BIAS     1023

// What the codes of a float format of at most 16 bits mean.
typedef struct Format {
  int mantissa, bias;
  unsigned sign;     // the sign bit
  unsigned max;      // the code of the greatest finite value
  unsigned infinity; // what is beyond becomes this (a NaN where the format has no infinity)
  unsigned nan;
  bool has_infinity, is_fnuz; // fnuz: one zero, and one NaN, at the code of -0
} Format;

static Format format_of(DType dtype) {
  const DTypeInfo *info = info_of(dtype);
  unsigned all = (1u << (info->bits - 1)) - 1; // every bit but the sign
  Format f = {.mantissa = info->mantissa, .bias = info->bias, .sign = 1u << (info->bits - 1)};
  switch (info->special) {
  case 'n':
    f.nan = f.infinity = all;
    f.max = all - 1;
    break;
  case 'z':
    f.nan = f.infinity = f.sign;
    f.max = all;
    f.is_fnuz = true;
    break;
  case 's':
    f.nan = f.sign;
    f.infinity = f.max = all;
    break;
  default:
    f.infinity = all - ((1u << f.mantissa) - 1);
    f.max = f.infinity - 1;
    f.nan = f.infinity | 1u << (f.mantissa - 1);
    f.has_infinity = true;
  }
  return f;
}

static double double_from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// 2 to the `exponent`, which is that of a normal double.
static double power_of_two(int exponent) {
  return double_from_bits((uint64_t)(exponent + F64_BIAS) << F64_MANTISSA);
}

// bits / 2^shift, to nearest even.
static uint64_t shift_rounded(uint64_t bits, int shift) {
  if (shift > 63) return 0; // bits has at most 53: less than a half
  uint64_t quotient = bits >> shift, half = (uint64_t)1 << (shift - 1);
  uint64_t rest = bits & ((half << 1) - 1);
  return quotient + (rest > half || (rest == half && (quotient & 1)));
}

static unsigned encode(Format f, double value) {
  uint64_t bits = bits_of_double(value);
  unsigned sign = bits >> 63 ? f.sign : 0;
  int exponent = (int)(bits >> F64_MANTISSA & 0x7ff);
  uint64_t mantissa = bits & (((uint64_t)1 << F64_MANTISSA) - 1);
  unsigned code;
  if (exponent == 0x7ff) {
    code = mantissa ? f.nan : f.infinity;
  } else if (exponent == 0) {
    code = 0; // a subnormal double is below half of every format's least value
  } else {
    int biased = exponent - F64_BIAS + f.bias, drop = F64_MANTISSA - f.mantissa;
    if (biased >= 1) {
      // A carry out of the mantissa moves into the exponent, as it should.
      uint64_t wide = (uint64_t)(unsigned)biased << F64_MANTISSA | mantissa;
      uint64_t rounded = shift_rounded(wide, drop);
      code = rounded > f.max ? f.infinity : (unsigned)rounded;
    } else {
      uint64_t whole = mantissa | (uint64_t)1 << F64_MANTISSA;
      code = (unsigned)shift_rounded(whole, drop + 1 - biased);
    }
  }
  if (f.is_fnuz && (code == 0 || code == f.nan)) return code;
  return sign | code;
}

static double decode(Format f, unsigned code) {
  unsigned magnitude = code & (f.sign - 1);
  double sign = code & f.sign ? -1.0 : 1.0;
  if (f.is_fnuz ? code == f.nan : magnitude > f.max && !(f.has_infinity && magnitude == f.infinity))
    return double_from_bits((uint64_t)(code & f.sign ? 0xfff8 : 0x7ff8) << 48);
  if (magnitude > f.max) return sign * (double)__builtin_inf();
  int exponent = (int)(magnitude >> f.mantissa);
  unsigned mantissa = magnitude & ((1u << f.mantissa) - 1);
  if (exponent == 0) return sign * mantissa * power_of_two(1 - f.bias - f.mantissa);
  return sign * (mantissa | 1u << f.mantissa) * power_of_two(exponent - f.bias - f.mantissa);
}

// Powers of two without a sign: the code is the biased exponent. What is half way goes up; what is
// no positive number is NaN.
enum { SCALE_NAN = 0xff, SCALE_BIAS = 127 };

static unsigned encode_scale(double value) {
  if (!(value > 0) || value > 0x1p128) return SCALE_NAN;
  uint64_t bits = bits_of_double(value) + ((uint64_t)1 << (F64_MANTISSA - 1));
  int exponent = (int)(bits >> F64_MANTISSA) - F64_BIAS + SCALE_BIAS;
  return exponent < 0 ? 0 : exponent > SCALE_NAN ? SCALE_NAN : (unsigned)exponent;
}

static double decode_scale(unsigned code) {
  return code == SCALE_NAN ? double_from_bits((uint64_t)0x7ff8 << 48)
                           : power_of_two((int)code - SCALE_BIAS);
}

// ---- elements in memory ------------------------------------------------------------------------
static uint64_t read_bits(size_t size, const void *p) {
  uint8_t b8;
  uint16_t b16;
  uint32_t b32;
  uint64_t b64;
  switch (size) {
  case 1: memcpy(&b8, p, 1); return b8;
  case 2: memcpy(&b16, p, 2); return b16;
  case 4: memcpy(&b32, p, 4); return b32;
  default: memcpy(&b64, p, 8); return b64;
  }
}

static void write_bits(size_t size, void *p, uint64_t bits) {
  uint8_t b8 = (uint8_t)bits;
  uint16_t b16 = (uint16_t)bits;
  uint32_t b32 = (uint32_t)bits;
  switch (size) {
  case 1: memcpy(p, &b8, 1); break;
  case 2: memcpy(p, &b16, 2); break;
  case 4: memcpy(p, &b32, 4); break;
  default: memcpy(p, &bits, 8);
  }
}

static uint64_t low_bits(unsigned bits) {
  return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static int64_t load_integer(DType dtype, const void *p) {
  const DTypeInfo *info = info_of(dtype);
  uint64_t bits = read_bits(dtype_size(dtype), p) & low_bits(info->bits);
  if (info->kind == 'b') return bits != 0;
  if (info->kind == 'i' && bits >> (info->bits - 1)) bits |= ~low_bits(info->bits);
  return (int64_t)bits;
}

static void store_integer(DType dtype, void *p, uint64_t bits) {
  if (dtype == DT_BOOL) bits = bits != 0;
  write_bits(dtype_size(dtype), p, bits & low_bits(info_of(dtype)->bits));
}

double dtype_load_f64(DType dtype, const void *p) {
  dtype = dtype_of_parts(dtype);
  if (dtype == DT_F64) {
    double value;
    memcpy(&value, p, sizeof value);
    return value;
  }
  if (dtype == DT_F32) {
    float value;
    memcpy(&value, p, sizeof value);
    return (double)value;
  }
  if (dtype == DT_F8E8M0FNU) return decode_scale((unsigned)read_bits(1, p));
  if (dtype_is_float(dtype))
    return decode(format_of(dtype), (unsigned)read_bits(dtype_size(dtype), p));
  int64_t value = load_integer(dtype, p);
  return dtype == DT_U64 ? (double)(uint64_t)value : (double)value;
}

int64_t dtype_load_i64(DType dtype, const void *p) {
  dtype = dtype_of_parts(dtype);
  if (!dtype_is_float(dtype)) return load_integer(dtype, p);
  double value = dtype_load_f64(dtype, p);
  if (value != value) return 0;
  if (value >= 0x1p63) return INT64_MAX;
  if (value < -0x1p63) return INT64_MIN;
  return (int64_t)value;
}

static void store_double_as_integer(DType dtype, void *p, double value) {
  if (dtype == DT_BOOL) {
    store_integer(dtype, p, value != 0);
    return;
  }
  uint64_t max = dtype_int_max(dtype), bits;
  if (value != value)
    bits = 0;
  else if (value >= (double)max + (max < (uint64_t)1 << F64_MANTISSA ? 1.0 : 0.0))
    bits = max; // the double of a 63 or 64 bit maximum is one above it already
  else if (value <= (double)dtype_int_min(dtype))
    bits = (uint64_t)dtype_int_min(dtype);
  else
    bits = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
  store_integer(dtype, p, bits);
}

void dtype_store_f64(DType dtype, void *p, double value) {
  if (dtype_is_complex(dtype)) {
    memset(p, 0, dtype_size(dtype));
    dtype = dtype_of_parts(dtype);
  }
  if (dtype == DT_F64) {
    memcpy(p, &value, sizeof value);
  } else if (dtype == DT_F32) {
    float narrow = (float)value;
    memcpy(p, &narrow, sizeof narrow);
  } else if (dtype == DT_F8E8M0FNU) {
    write_bits(1, p, encode_scale(value));
  } else if (dtype_is_float(dtype)) {
    write_bits(dtype_size(dtype), p, encode(format_of(dtype), value));
  } else {
    store_double_as_integer(dtype, p, value);
  }
}

// A double that rounds to any narrower format as `value` itself would: what does not fit is kept as
// an odd last bit.
static double round_to_odd(int64_t value) {
  uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  if (magnitude >> (F64_MANTISSA + 1)) {
    unsigned drop = (unsigned)(64 - __builtin_clzll(magnitude)) - (F64_MANTISSA + 1);
    uint64_t rest = magnitude & low_bits(drop);
    magnitude = (magnitude >> drop | (rest != 0)) << drop;
  }
  return value < 0 ? -(double)magnitude : (double)magnitude;
}

void dtype_store_i64(DType dtype, void *p, int64_t value) {
  if (dtype == DT_F64 || dtype == DT_C128)
    dtype_store_f64(dtype, p, (double)value);
  else if (dtype_is_float(dtype) || dtype_is_complex(dtype))
    dtype_store_f64(dtype, p, round_to_odd(value));
  else
    store_integer(dtype, p, (uint64_t)value);
}

// ---- limits ------------------------------------------------------------------------------------
double dtype_float_max(DType dtype) {
  if (dtype == DT_F64) return 0x1.fffffffffffffp1023;
  if (dtype == DT_F32) return 0x1.fffffep127;
  if (dtype == DT_F8E8M0FNU) return 0x1p127;
  Format f = format_of(dtype);
  return decode(f, f.max);
}

double dtype_float_min(DType dtype) {
  return dtype == DT_F8E8M0FNU ? 0x1p-127 : -dtype_float_max(dtype);
}

double dtype_float_tiny(DType dtype) {
  if (dtype == DT_F8E8M0FNU) return 0x1p-127;
  if (dtype == DT_F64) return 0x1p-1022;
  if (dtype == DT_F32) return 0x1p-126;
  return power_of_two(1 - format_of(dtype).bias);
}

double dtype_float_eps(DType dtype) { return power_of_two(-(int)info_of(dtype)->mantissa); }

int64_t dtype_int_min(DType dtype) {
  const DTypeInfo *info = info_of(dtype);
  return info->kind == 'i' ? -(int64_t)low_bits(info->bits - 1u) - 1 : 0;
}

uint64_t dtype_int_max(DType dtype) {
  const DTypeInfo *info = info_of(dtype);
  if (info->kind == 'b') return 1;
  return low_bits(info->kind == 'i' ? info->bits - 1u : info->bits);
}
