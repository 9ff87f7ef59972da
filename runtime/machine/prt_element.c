// SPDX-License-Identifier: Apache-2.0
// Elements of arrays: names, sizes, and single values to and from memory.
#include <math.h>
#include <string.h>
#include "prt_element.h"

typedef struct Info {
  const char *short_name, *name;
  uint8_t bytes;
  char kind;
} Info;
static const Info infos[] = {
#define PRT_DTYPE(id, number, short_name, name, bytes, kind, c_type, descr)                        \
  [number] = {short_name, name, bytes, kind},
#include "prt_dtype.def"
#undef PRT_DTYPE
};
enum { LAST_TYPE = sizeof infos / sizeof *infos - 1 };

// Number 0 is no type.
static const Info *info(prt_dtype dtype) {
  size_t number = (size_t)dtype;
  return &infos[number <= LAST_TYPE ? number : 0];
}

size_t prt_dtype_size(prt_dtype dtype) { return info(dtype)->bytes; }
const char *prt_dtype_name(prt_dtype dtype) { return info(dtype)->name; }
char prt__dtype_kind(prt_dtype dtype) { return info(dtype)->kind; }

bool prt_dtype_from_name(const char *name, prt_dtype *out) {
  for (size_t i = 1; i <= LAST_TYPE; i++)
    if (infos[i].name && (!strcmp(name, infos[i].name) || !strcmp(name, infos[i].short_name))) {
      *out = (prt_dtype)i;
      return true;
    }
  return false;
}

// ---- small float formats ------------------------------------------------------------------------
// sign, exponent with a bias, mantissa. How the patterns at the top are used differs.
typedef enum Specials {
  IEEE,  // the greatest exponent: infinities and NaN
  FN,    // only all ones is NaN, no infinities
  FNUZ,  // only minus zero's pattern is NaN, no infinities
  PLAIN, // only numbers: what is beyond becomes the greatest
  SCALE, // powers of two without a sign; all ones is NaN
} Specials;
typedef struct Format {
  int exponent_bits, mantissa_bits, bias;
  Specials specials;
} Format;

static const Format *format_of(prt_dtype dtype) {
  static const struct {
    prt_dtype dtype;
    Format format;
  } formats[] = {
      {PRT_F8E4M3FN, {4, 3, 7, FN}},         {PRT_F8E5M2, {5, 2, 15, IEEE}},
      {PRT_F8E4M3B11FNUZ, {4, 3, 11, FNUZ}}, {PRT_F8E3M4, {3, 4, 3, IEEE}},
      {PRT_F8E4M3, {4, 3, 7, IEEE}},         {PRT_F8E4M3FNUZ, {4, 3, 8, FNUZ}},
      {PRT_F8E5M2FNUZ, {5, 2, 16, FNUZ}},    {PRT_F8E8M0FNU, {8, 0, 127, SCALE}},
      {PRT_F4E2M1FN, {2, 1, 1, PLAIN}},      {PRT_BF16, {8, 7, 127, IEEE}},
      {PRT_F16, {5, 10, 15, IEEE}},
  };
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i].dtype == dtype) return &formats[i].format;
  return NULL;
}

static bool is_special(const Format *f, uint32_t bits, double *value) {
  uint32_t mantissa_mask = (1u << f->mantissa_bits) - 1, top = (1u << f->exponent_bits) - 1;
  uint32_t mantissa = bits & mantissa_mask, exponent = bits >> f->mantissa_bits & top;
  bool negative = bits >> (f->exponent_bits + f->mantissa_bits) & 1;
  switch (f->specials) {
  case IEEE:
    if (exponent != top) return false;
    *value = mantissa ? (double)NAN : negative ? -INFINITY : INFINITY;
    return true;
  case FN: *value = (double)NAN; return exponent == top && mantissa == mantissa_mask;
  case FNUZ: *value = (double)NAN; return negative && !exponent && !mantissa;
  case SCALE: *value = bits == 0xff ? (double)NAN : ldexp(1, (int)bits - f->bias); return true;
  case PLAIN: break;
  }
  return false;
}

static double decode(const Format *f, uint32_t bits) {
  double value;
  if (is_special(f, bits, &value)) return value;
  uint32_t mantissa = bits & ((1u << f->mantissa_bits) - 1);
  int exponent = (int)(bits >> f->mantissa_bits & ((1u << f->exponent_bits) - 1));
  bool negative = bits >> (f->exponent_bits + f->mantissa_bits) & 1;
  if (exponent)
    mantissa |= 1u << f->mantissa_bits;
  else
    exponent = 1;
  value = ldexp(mantissa, exponent - f->bias - f->mantissa_bits);
  return negative ? -value : value;
}

prt_bf16 prt_bf16_from_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (isnan(x)) return (prt_bf16)(bits >> 16 | 0x40);
  return (prt_bf16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float prt_f16_to_float(prt_f16 x) { return (float)decode(format_of(PRT_F16), x); }

// To the nearest, even if there are two. Below the sign the patterns count the values upwards:
// where the mantissa overflows the next exponent follows, and infinity the greatest value.
prt_f16 prt_f16_from_float(float x) {
  enum { LEAST = -24, INFINITE = 0x7c00 }; // the exponent of the last bit of small values
  uint16_t sign = signbit(x) ? 0x8000 : 0;
  double magnitude = fabs((double)x);
  if (isnan(x)) return (prt_f16)(sign | 0x7e00);
  if (magnitude >= 65520) return (prt_f16)(sign | INFINITE);
  int exponent = 0;
  frexp(magnitude, &exponent); // magnitude = m * 2^exponent, m in [0.5, 1)
  int last = magnitude == 0 || exponent - 11 < LEAST ? LEAST : exponent - 11;
  return (prt_f16)(sign | (uint16_t)(((last - LEAST) << 10) + (int)rint(ldexp(magnitude, -last))));
}

int prt__packed_bits(prt_dtype dtype) {
  switch (dtype) {
  case PRT_I2:
  case PRT_U2: return 2;
  case PRT_I4:
  case PRT_U4: return 4;
  default: return 0;
  }
}

// ---- memory -------------------------------------------------------------------------------------
int64_t prt__load_int(prt_dtype dtype, const void *p) {
  uint8_t byte;
  memcpy(&byte, p, 1);
#define LOAD(type)                                                                                 \
  {                                                                                                \
    type value;                                                                                    \
    memcpy(&value, p, sizeof value);                                                               \
    return (int64_t)value;                                                                         \
  }
  switch (dtype) {
  case PRT_BOOL: return byte != 0;
  case PRT_I2: return (int64_t)((byte & 3) ^ 2) - 2;
  case PRT_U2: return byte & 3;
  case PRT_I4: return (int64_t)((byte & 15) ^ 8) - 8;
  case PRT_U4: return byte & 15;
  case PRT_I8: LOAD(int8_t)
  case PRT_I16: LOAD(int16_t)
  case PRT_I32: LOAD(int32_t)
  case PRT_I64: LOAD(int64_t)
  case PRT_U8: return byte;
  case PRT_U16: LOAD(uint16_t)
  case PRT_U32: LOAD(uint32_t)
  case PRT_U64: LOAD(uint64_t)
  default: return (int64_t)prt__load_float(dtype, p);
  }
#undef LOAD
}

double prt__load_float(prt_dtype dtype, const void *p) {
  const Format *f = format_of(dtype);
  if (f) {
    uint8_t byte;
    uint16_t half;
    memcpy(&byte, p, 1);
    if (prt_dtype_size(dtype) == 1) return decode(f, byte);
    memcpy(&half, p, 2);
    return decode(f, half);
  }
  if (dtype == PRT_F32) {
    float value;
    memcpy(&value, p, sizeof value);
    return (double)value;
  }
  if (dtype == PRT_F64) {
    double value;
    memcpy(&value, p, sizeof value);
    return value;
  }
  int64_t value = prt__load_int(dtype, p);
  return dtype == PRT_U64 ? (double)(uint64_t)value : (double)value;
}

// The bytes of one element of unspecified memory.
static void unspecified_element(prt_dtype dtype, uint8_t bytes[8]) {
  static const Format wide = {8, 23, 127, IEEE}; // f32 and f64 end the same way
  const Format *f = format_of(dtype) ? format_of(dtype) : &wide;
  size_t size = prt_dtype_size(dtype);
  int bits = prt__packed_bits(dtype);
  memset(bytes, 0xff,
         8); // all ones: NaN in every float format but fnuz, the largest unsigned integer
  switch (prt__dtype_kind(dtype)) {
  case 'b': bytes[0] = 1; break;
  case 'i': bytes[size - 1] = bits ? (uint8_t)((1 << (bits - 1)) - 1) : 0x7f; break;
  case 'u':
    if (bits) bytes[0] = (uint8_t)((1 << bits) - 1);
    break;
  default:
    // Without a sign where there is one.
    bytes[size - 1] = f->specials == FNUZ ? 0x80 : f->specials == SCALE ? 0xff : 0x7f;
    if (f->specials == PLAIN) bytes[0] = 7;
  }
}

void prt__fill_unspecified(prt_dtype dtype, void *memory, int64_t count) {
  uint8_t bytes[8];
  size_t size = prt_dtype_size(dtype);
  unspecified_element(dtype, bytes);
  for (int64_t i = 0; i < count; i++) memcpy((char *)memory + (size_t)i * size, bytes, size);
}
