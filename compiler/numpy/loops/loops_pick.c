// SPDX-License-Identifier: Apache-2.0
// Loops over places: elements gathered from them and stored to them, where a mask is true, and rows
// of numbers at equal distances.
#include "complex_types.h"
#include "loops.h"
#include <string.h>

// ---- elements at places -------------------------------------------------------------------------

enum { LOOKED_AT = 1024 }; // places that are in the caches when they are used

// Whether each lies within as it is: none is negative, none beyond.
static inline __attribute__((always_inline)) bool are_plain(const int64_t *places, int64_t count,
                                                            int64_t size) {
  int64_t outside = 0;
  for (int64_t i = 0; i < count; i++) outside |= places[i] | (size - 1 - places[i]);
  return outside >= 0;
}

// From the front.
static inline __attribute__((always_inline)) void wrap(int64_t *at, const int64_t *places,
                                                       int64_t count, int64_t size) {
  for (int64_t i = 0; i < count; i++) at[i] = places[i] + (places[i] < 0 ? size : 0);
}

#define GATHER(name, T)                                                                            \
  ND_CLONES static bool name(void *out, const char *from, int64_t stride, const int64_t *places,   \
                             int64_t count, int64_t size) {                                        \
    typedef ND_ELEMENT(T) Element;                                                                 \
    int64_t beyond = 0;                                                                            \
    for (int64_t first = 0, some; first < count; first += some) {                                  \
      some = count - first < LOOKED_AT ? count - first : LOOKED_AT;                                \
      Element *o = (Element *)out + first;                                                         \
      int64_t wrapped[LOOKED_AT];                                                                  \
      const int64_t *at = places + first;                                                          \
      bool is_plain = are_plain(at, some, size);                                                   \
      if (!is_plain) {                                                                             \
        wrap(wrapped, at, some, size);                                                             \
        at = wrapped;                                                                              \
        is_plain = are_plain(at, some, size);                                                      \
      }                                                                                            \
      const T *close = (const T *)(uintptr_t)from;                                                 \
      if (!is_plain) {                                                                             \
        beyond = 1;                                                                                \
        for (int64_t i = 0; i < some; i++) {                                                       \
          bool is_bad = (uint64_t)at[i] >= (uint64_t)size;                                         \
          o[i] = *(const Element *)(from + (is_bad ? 0 : at[i]) * stride);                         \
        }                                                                                          \
      } else if (stride == (int64_t)sizeof(T) && (uintptr_t)from % sizeof(T) == 0) {               \
        _Pragma("GCC ivdep") for (int64_t i = 0; i < some; i++) o[i] = close[at[i]];               \
      } else {                                                                                     \
        for (int64_t i = 0; i < some; i++) o[i] = *(const Element *)(from + at[i] * stride);       \
      }                                                                                            \
    }                                                                                              \
    return !beyond;                                                                                \
  }
#define SCATTER(name, T)                                                                           \
  static void name(char *to, int64_t stride, const int64_t *places, int64_t count, int64_t size,   \
                   const char *from, int64_t step) {                                               \
    typedef ND_ELEMENT(T) Element;                                                                 \
    for (int64_t i = 0; i < count; i++, from += step) {                                            \
      int64_t at = places[i] < 0 ? places[i] + size : places[i];                                   \
      *(Element *)(to + at * stride) = *(const Element *)from;                                     \
    }                                                                                              \
  }
#define MOVES(X)                                                                                   \
  X(1, uint8_t)                                                                                    \
  X(2, uint16_t)                                                                                   \
  X(4, uint32_t)                                                                                   \
  X(8, uint64_t)                                                                                   \
  X(16, complex_f64)
#define BOTH(bytes, T) GATHER(gather_##bytes, T) SCATTER(scatter_##bytes, T)
MOVES(BOTH)

bool nd_gather(size_t element, void *out, const char *from, int64_t stride, const int64_t *places,
               int64_t count, int64_t size) {
  switch (element) {
#define CASE(bytes, T)                                                                             \
  case bytes: return gather_##bytes(out, from, stride, places, count, size);
    MOVES(CASE)
#undef CASE
  default: return false;
  }
}

void nd_scatter(size_t element, char *to, int64_t stride, const int64_t *places, int64_t count,
                int64_t size, const char *from, int64_t step) {
  switch (element) {
#define CASE(bytes, T)                                                                             \
  case bytes: scatter_##bytes(to, stride, places, count, size, from, step); break;
    MOVES(CASE)
#undef CASE
  default: break;
  }
}

ND_CLONES static bool are_places(const int64_t *places, int64_t count, int64_t size) {
  uint64_t beyond = 0;
  for (int64_t i = 0; i < count; i++) {
    int64_t at = places[i] < 0 ? places[i] + size : places[i];
    beyond |= (uint64_t)at >= (uint64_t)size;
  }
  return !beyond;
}

bool nd_are_places(const int64_t *places, int64_t count, int64_t size) {
  return are_places(places, count, size);
}

// ---- masks --------------------------------------------------------------------------------------

enum { COLUMNS = 64, MOST_IN_A_BYTE = 255 };

// In bytes side by side, which are added up before they overflow.
ND_CLONES static int64_t count_true(const uint8_t *set, int64_t count) {
  int64_t found = 0, i = 0;
  while (i + COLUMNS <= count) {
    uint8_t column[COLUMNS] = {0};
    for (int turns = 0; turns < MOST_IN_A_BYTE && i + COLUMNS <= count; turns++, i += COLUMNS)
      for (int k = 0; k < COLUMNS; k++) column[k] = (uint8_t)(column[k] + (set[i + k] != 0));
    for (int k = 0; k < COLUMNS; k++) found += column[k];
  }
  for (; i < count; i++) found += set[i] != 0;
  return found;
}

int64_t nd_count_true(const uint8_t *set, int64_t count) { return count_true(set, count); }

// Eight truth values at a time, as the bits of a byte: a table has the places of those that are
// set, all eight of which are written and the first so many kept.
typedef struct Spread {
  uint8_t places[256][8];
} Spread;

static void make_spread(Spread *spread) {
  memset(spread, 0, sizeof *spread);
  for (int bits = 0; bits < 256; bits++)
    for (int bit = 0, at = 0; bit < 8; bit++)
      if (bits >> bit & 1) spread->places[bits][at++] = (uint8_t)bit;
}

ND_CLONES static int64_t spread_eights(const Spread *spread, const uint8_t *set, int64_t count,
                                       int64_t *out, int64_t found) {
  int64_t at = 0, i = 0;
  for (; i + 8 <= count && at + 8 <= found; i += 8) {
    uint64_t eight;
    memcpy(&eight, set + i, sizeof eight);
    eight |= eight >> 4; // any bit of a byte to its lowest
    eight |= eight >> 2;
    eight |= eight >> 1;
    unsigned bits = (unsigned)((eight & 0x0101010101010101u) * 0x0102040810204080u >> 56); // NOLINT
    const uint8_t *places = spread->places[bits];
    for (int k = 0; k < 8; k++) out[at + k] = i + places[k];
    at += __builtin_popcount(bits);
  }
  for (; at < found; i++) {
    out[at] = i;
    at += set[i] != 0;
  }
  return at;
}

void nd_true_places(const uint8_t *set, int64_t count, int64_t *out, int64_t found) {
  enum { WORTH_A_TABLE = 4096 };
  if (count < WORTH_A_TABLE) {
    for (int64_t i = 0, at = 0; at < found; i++) {
      out[at] = i;
      at += set[i] != 0;
    }
    return;
  }
  Spread spread;
  make_spread(&spread);
  spread_eights(&spread, set, count, out, found);
}

// ---- numbers at equal distances -----------------------------------------------------------------

ND_CLONES static void range_i64(int64_t *out, int64_t count, int64_t start, int64_t step) {
  for (int64_t i = 0; i < count; i++)
    out[i] = (int64_t)((uint64_t)start + (uint64_t)i * (uint64_t)step);
}

ND_CLONES static void range_f64(double *out, int64_t count, double start, double step) {
  for (int64_t i = 0; i < count; i++) out[i] = start + (double)i * step;
}

void nd_range_i64(int64_t *out, int64_t count, int64_t start, int64_t step) {
  range_i64(out, count, start, step);
}

void nd_range_f64(double *out, int64_t count, double start, double step) {
  range_f64(out, count, start, step);
  if (count) out[0] = start; // also beside a step that is not finite
}

// ---- repeats ------------------------------------------------------------------------------------

#define REPEAT(name, T)                                                                            \
  ND_CLONES static void name(void *out, const void *from, int64_t count, int64_t times) {          \
    typedef ND_ELEMENT(T) Element;                                                                 \
    Element *o = (Element *)out;                                                                   \
    const Element *p = (const Element *)from;                                                      \
    if (times == 2) {                                                                              \
      for (int64_t i = 0; i < count; i++) o[2 * i] = o[2 * i + 1] = p[i];                          \
      return;                                                                                      \
    }                                                                                              \
    for (int64_t i = 0; i < count; i++) {                                                          \
      T x = p[i];                                                                                  \
      for (int64_t k = 0; k < times; k++) *o++ = x;                                                \
    }                                                                                              \
  }
#define REPEATS(bytes, T) REPEAT(repeat_##bytes, T)
MOVES(REPEATS)

void nd_repeat_each(size_t element, void *out, const void *from, int64_t count, int64_t times) {
  switch (element) {
#define CASE(bytes, T)                                                                             \
  case bytes: repeat_##bytes(out, from, count, times); break;
    MOVES(CASE)
#undef CASE
  default: break;
  }
}
