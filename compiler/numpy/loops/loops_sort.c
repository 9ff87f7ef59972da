// SPDX-License-Identifier: Apache-2.0
// Sorting of rows: elements become unsigned keys of the same order (NaN last, both zeros equal
// where only places are asked for), which are split at pivots by vectors of AVX-512, or else sorted
// digit by digit, in few steps whatever their values; short rows by comparing all with all, rows of
// medium length side by side. Stable. Complex numbers go by which parts are NaN, the real one
// first, then by the real parts, then by the imaginary ones.
#include "base/host.h"
#include "complex_types.h"
#include "loops.h"
#include "loops_sort.h"
#include <string.h>

enum { FEW = 8, SHORT_ROW = 128, LONG_ROW = 8192, WIDE_DIGIT = 11, NARROW_DIGIT = 8 };

static bool has_avx512(void) { return host_level() >= 4; }

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX512 __attribute__((target("avx512f,bmi2,popcnt")))
typedef __mmask16 mask_of_32;
typedef __mmask8 mask_of_64;
enum { SPLIT_ROW = 64, SPLIT_VECTORS = 16, SMALL_SAMPLE = 16, LARGE_SAMPLE = 64 };

// The lanes before `count`, and the numbers of all.
AVX512 static inline __mmask16 mask_of_32_first(int64_t count) {
  return count >= 16 ? (__mmask16)-1 : count > 0 ? (__mmask16)((1u << count) - 1) : (__mmask16)0;
}

AVX512 static inline __mmask8 mask_of_64_first(int64_t count) {
  return count >= 8 ? (__mmask8)-1 : count > 0 ? (__mmask8)((1u << count) - 1) : (__mmask8)0;
}

AVX512 static inline __m512i lanes_of_32(void) {
  return _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

AVX512 static inline __m512i lanes_of_64(void) { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }

// Twice as many splits as good pivots take.
static int most_splits(int64_t count) { return 2 * (64 - __builtin_clzll((uint64_t)count | 1)); }
#endif

#define U       uint32_t
#define BITS    32
#define NAME(x) x##_32
#include "sort_of_width.h"
#define U       uint64_t
#define BITS    64
#define NAME(x) x##_64
#include "sort_of_width.h"

// ---- keys ---------------------------------------------------------------------------------------

// Made of an element x at `step` bytes from the next, and back; where both have one width, also in
// the same memory.
#define KEYS(name, T, U, key)                                                                      \
  static inline __attribute__((always_inline)) void name##_keys_at(                                \
      void *out, const char *in, int64_t step, int64_t count, bool for_places) {                   \
    (void)for_places;                                                                              \
    for (int64_t i = 0; i < count; i++) {                                                          \
      T x;                                                                                         \
      memcpy(&x, in + i * step, sizeof x);                                                         \
      U k = key;                                                                                   \
      memcpy((char *)out + i * (int64_t)sizeof k, &k, sizeof k);                                   \
    }                                                                                              \
  }                                                                                                \
  ND_CLONES static void name##_keys(void *out, const char *in, int64_t step, int64_t count,        \
                                    bool for_places) {                                             \
    if (step == sizeof(T))                                                                         \
      name##_keys_at(out, in, sizeof(T), count, for_places);                                       \
    else                                                                                           \
      name##_keys_at(out, in, step, count, for_places);                                            \
  }
#define ELEMENTS(name, T, U, element)                                                              \
  ND_CLONES static void name##_elements(char *out, const void *in, int64_t count) {                \
    for (int64_t i = 0; i < count; i++) {                                                          \
      U k;                                                                                         \
      memcpy(&k, (const char *)in + i * (int64_t)sizeof k, sizeof k);                              \
      T x = (T)(element);                                                                          \
      memcpy(out + i * (int64_t)sizeof x, &x, sizeof x);                                           \
    }                                                                                              \
  }
#define INTEGER(name, T, U, flip) KEYS(name, T, U, (U)((U)x ^ flip)) ELEMENTS(name, T, U, k ^ flip)
INTEGER(i8, int8_t, uint32_t, 0x80000000u)
INTEGER(i16, int16_t, uint32_t, 0x80000000u)
INTEGER(i32, int32_t, uint32_t, 0x80000000u)
INTEGER(i64, int64_t, uint64_t, (1ull << 63))
INTEGER(u8, uint8_t, uint32_t, 0u)
INTEGER(u16, uint16_t, uint32_t, 0u)
INTEGER(u32, uint32_t, uint32_t, 0u)
INTEGER(u64, uint64_t, uint64_t, 0ull)

// Bits with a sign, in which NaN is above all.
static inline uint32_t key_of_f32(uint32_t x, bool for_places) {
  if ((x & 0x7fffffffu) > 0x7f800000u) return for_places ? UINT32_MAX : x | 0x80000000u;
  if (for_places && x == 0x80000000u) x = 0;
  return x >> 31 ? ~x : x | 0x80000000u;
}

static inline uint64_t key_of_f64(uint64_t x, bool for_places) {
  if ((x & ~(1ull << 63)) > 0x7ff0000000000000ull) return for_places ? UINT64_MAX : x | 1ull << 63;
  if (for_places && x == 1ull << 63) x = 0;
  return x >> 63 ? ~x : x | 1ull << 63;
}
KEYS(f32, uint32_t, uint32_t, key_of_f32(x, for_places))
ELEMENTS(f32, uint32_t, uint32_t, k >> 31 ? k ^ 0x80000000u : ~k)
KEYS(f64, uint64_t, uint64_t, key_of_f64(x, for_places))
ELEMENTS(f64, uint64_t, uint64_t, k >> 63 ? k ^ 1ull << 63 : ~k)

typedef struct Order {
  size_t width; // of a key
  void (*keys)(void *out, const char *in, int64_t step, int64_t count, bool for_places);
  void (*elements)(char *out, const void *in, int64_t count);
} Order;

static const Order orders[DT_COUNT] = {
    [DT_BOOL] = {4, u8_keys, u8_elements},  [DT_I8] = {4, i8_keys, i8_elements},
    [DT_I16] = {4, i16_keys, i16_elements}, [DT_I32] = {4, i32_keys, i32_elements},
    [DT_I64] = {8, i64_keys, i64_elements}, [DT_U8] = {4, u8_keys, u8_elements},
    [DT_U16] = {4, u16_keys, u16_elements}, [DT_U32] = {4, u32_keys, u32_elements},
    [DT_U64] = {8, u64_keys, u64_elements}, [DT_F32] = {4, f32_keys, f32_elements},
    [DT_F64] = {8, f64_keys, f64_elements},
};

// ---- rows ---------------------------------------------------------------------------------------

size_t nd_sort_room(DType dtype, int64_t count, bool for_places) {
  size_t width = orders[dtype].width, of_each = 5 * sizeof(uint64_t);
  if (!for_places && !dtype_is_complex(dtype)) // keys, unless the row holds them, and what is spare
    of_each = (dtype_size(dtype) == width ? 0 : width) + (has_avx512() ? 0 : width);
  return (size_t)count * of_each + sizeof(uint64_t);
}

// The row's places, which are sorted already by what is of less weight, by the keys of `order`.
static void refine(const Order *order, const char *row, int64_t step, int64_t count,
                   int64_t *places, char *room) {
  size_t bytes = (size_t)count * sizeof(uint64_t);
  void *keys = room, *spare = room + bytes;
  int64_t *other = (int64_t *)(room + 2 * bytes);
  void *plain = room + 3 * bytes;
  order->keys(plain, row, step, count, true);
  if (order->width == 4) {
    for (int64_t i = 0; i < count; i++) ((uint32_t *)keys)[i] = ((uint32_t *)plain)[places[i]];
    sort_32(keys, spare, places, other, count);
  } else {
    for (int64_t i = 0; i < count; i++) ((uint64_t *)keys)[i] = ((uint64_t *)plain)[places[i]];
    sort_64(keys, spare, places, other, count);
  }
}

// Of parts of complex numbers: 2 if the real one is NaN, and 1 if the imaginary one is.
#define NAN_KEYS(name, T)                                                                          \
  static void name##_nan_keys(void *out, const char *in, int64_t step, int64_t count,              \
                              bool for_places) {                                                   \
    (void)for_places;                                                                              \
    for (int64_t i = 0; i < count; i++) {                                                          \
      T parts[2];                                                                                  \
      memcpy(parts, in + i * step, sizeof parts);                                                  \
      ((uint32_t *)out)[i] = (parts[0] != parts[0]) * 2u + (parts[1] != parts[1]);                 \
    }                                                                                              \
  }
NAN_KEYS(f32, float)
NAN_KEYS(f64, double)

void nd_sort_places(DType dtype, const char *row, int64_t count, int64_t *places, char *room) {
  for (int64_t i = 0; i < count; i++) places[i] = i;
  DType parts = dtype_of_parts(dtype);
  int64_t step = (int64_t)dtype_size(dtype);
  if (parts != dtype) refine(&orders[parts], row + dtype_size(parts), step, count, places, room);
  refine(&orders[parts], row, step, count, places, room);
  static const Order by_nan_f32 = {4, f32_nan_keys, NULL}, by_nan_f64 = {4, f64_nan_keys, NULL};
  if (parts != dtype)
    refine(parts == DT_F32 ? &by_nan_f32 : &by_nan_f64, row, step, count, places, room);
}

void nd_select_row(DType dtype, char *row, int64_t count, const int64_t *at, int64_t wanted,
                   int64_t *places, char *room) {
  const Order *order = &orders[dtype];
  size_t bytes = (size_t)count * (places ? sizeof *places : order->width), size = dtype_size(dtype);
  bool is_in_place = !places && size == order->width;
  void *keys = is_in_place ? row : room, *spare = room + (is_in_place ? 0 : bytes);
  int64_t *other = places ? (int64_t *)(room + 2 * bytes) : NULL;
  order->keys(keys, row, (int64_t)size, count, places != NULL);
  for (int64_t i = 0; places && i < count; i++) places[i] = i;
  if (order->width == 4)
    select_32(keys, spare, places, other, count, at, wanted);
  else
    select_64(keys, spare, places, other, count, at, wanted);
  if (!places) order->elements(row, keys, count);
}

void nd_sort_row(DType dtype, char *row, int64_t count, char *room) {
  const Order *order = &orders[dtype];
  if (dtype_is_complex(dtype)) {
    size_t size = dtype_size(dtype);
    int64_t *places = (int64_t *)room;
    char *rest = room + (size_t)count * sizeof *places;
    nd_sort_places(dtype, row, count, places, rest);
    memcpy(rest, row, (size_t)count * size);
    for (int64_t i = 0; i < count; i++)
      memcpy(row + i * (int64_t)size, rest + places[i] * (int64_t)size, size);
    return;
  }
  size_t size = dtype_size(dtype);
  bool is_in_place = size == order->width;
  void *keys = is_in_place ? row : room,
       *spare = room + (is_in_place ? 0 : (size_t)count * order->width);
  order->keys(keys, row, (int64_t)size, count, false);
  if (order->width == 4)
    sort_32(keys, spare, NULL, NULL, count);
  else
    sort_64(keys, spare, NULL, NULL, count);
  order->elements(row, keys, count);
}

// ---- rows side by side --------------------------------------------------------------------------
enum {
  LONGEST_LANE = 2048, // beyond that digits move less than a network compares
  LONGEST_CLOSE = 32   // beyond that a row is sorted sooner by itself
};

int64_t nd_sort_lanes(DType dtype, int64_t count, bool lies_close) {
  if (lies_close && count > LONGEST_CLOSE && has_avx512()) return 0;
  if (count < 2 || count > LONGEST_LANE || dtype_is_complex(dtype)) return 0;
  return orders[dtype].width == 4 ? LANES_32 : LANES_64;
}

size_t nd_lanes_room(int64_t count) { return ((size_t)count + 1) * (64 + sizeof(uint64_t)); }

// Keys of one lane to where they stand among those of all, or back.
#define SPREAD(name, T, to, from)                                                                  \
  static void name(T *all, T *one, int64_t count) {                                                \
    for (int64_t i = 0; i < count; i++) to = from;                                                 \
  }
SPREAD(spread_32, uint32_t, all[i * LANES_32], one[i])
SPREAD(spread_64, uint64_t, all[i * LANES_64], one[i])
SPREAD(collect_32, uint32_t, one[i], all[i * LANES_32])
SPREAD(collect_64, uint64_t, one[i], all[i * LANES_64])

void nd_sort_side_by_side(DType dtype, char *data, int64_t step, int64_t count, int64_t next,
                          int64_t lanes, char *room) {
  const Order *order = &orders[dtype];
  bool narrow = order->width == 4;
  int64_t size = (int64_t)dtype_size(dtype);
  char *all = room + (64 - (uintptr_t)room % 64) % 64, *one = all + count * 64;
  for (int64_t i = 0; next == size && i < count; i++)
    order->keys(all + i * 64, data + i * step, size, lanes, false);
  for (int64_t lane = 0; next != size && lane < lanes; lane++) {
    order->keys(one, data + lane * next, step, count, false);
    if (narrow)
      spread_32((uint32_t *)all + lane, (uint32_t *)one, count);
    else
      spread_64((uint64_t *)all + lane, (uint64_t *)one, count);
  }
  if (narrow)
    sort_lanes_32((uint32_t *)all, count);
  else
    sort_lanes_64((uint64_t *)all, count);
  for (int64_t i = 0; next == size && i < count; i++)
    order->elements(data + i * step, all + i * 64, lanes);
  for (int64_t lane = 0; next != size && lane < lanes; lane++) { // steps of `size`
    if (narrow)
      collect_32((uint32_t *)all + lane, (uint32_t *)one, count);
    else
      collect_64((uint64_t *)all + lane, (uint64_t *)one, count);
    order->elements(data + lane * next, one, count);
  }
}
