// SPDX-License-Identifier: Apache-2.0
// Loops that move elements of a size, whatever their type.
#include "complex_types.h"
#include "loops.h"
#include <string.h>

// Pointers of their own: a store to an element might change what `data` holds.
#define COPY(name, T)                                                                              \
  ND_CLONES static void name(char *const *data, const int64_t *strides, int64_t count) {           \
    typedef ND_ELEMENT(T) Element;                                                                 \
    const int64_t size = (int64_t)sizeof(T), a = strides[0], b = strides[1];                       \
    char *to = data[0], *from = data[1];                                                           \
    Element *o = (Element *)to;                                                                    \
    const Element *p = (const Element *)from;                                                      \
    if (a == size && b == size) {                                                                  \
      memmove(to, from, (size_t)count * sizeof(T));                                                \
    } else if (a == size && b == 0) {                                                              \
      T x = *p;                                                                                    \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) o[i] = x;                           \
    } else if (a == size && b == -size) {                                                          \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) o[i] = p[-i];                       \
    } else if (a == size && b == 2 * size) {                                                       \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) o[i] = p[2 * i];                    \
    } else if (a == 2 * size && b == size) {                                                       \
      for (int64_t i = 0; i < count; i++) o[2 * i] = p[i];                                         \
    } else {                                                                                       \
      for (int64_t i = 0; i < count; i++, to += a, from += b)                                      \
        *(Element *)to = *(const Element *)from;                                                   \
    }                                                                                              \
  }
COPY(copy_1, uint8_t)
COPY(copy_2, uint16_t)
COPY(copy_4, uint32_t)
COPY(copy_8, uint64_t)
COPY(copy_16, complex_f64)

void nd_copy_1(char *const *data, const int64_t *strides, int64_t count) {
  copy_1(data, strides, count);
}

void nd_copy_2(char *const *data, const int64_t *strides, int64_t count) {
  copy_2(data, strides, count);
}

void nd_copy_4(char *const *data, const int64_t *strides, int64_t count) {
  copy_4(data, strides, count);
}

void nd_copy_8(char *const *data, const int64_t *strides, int64_t count) {
  copy_8(data, strides, count);
}

// Rows of elements that lie close, the operands' and the results'.
enum { ROW = 512, WIDEST = 16 };

void nd_in_rows(NdLoop *loop, size_t arrays, int64_t result_size, int64_t size, char *const *data,
                const int64_t *strides, int64_t count) {
  _Alignas(64) char rows[ND_WALK_MAX][ROW * WIDEST];
  char *at[ND_WALK_MAX];
  int64_t close[ND_WALK_MAX] = {result_size, size, size, size};
  if (count == 1) {
    loop(data, close, count);
    return;
  }
  NdLoop *load = nd_copy_loop((size_t)size), *store = nd_copy_loop((size_t)result_size);
  for (int64_t i = 0, n; i < count; i += n) {
    n = count - i < ROW ? count - i : ROW;
    for (size_t k = 0; k < arrays; k++) {
      char *from = data[k] + i * strides[k];
      at[k] = strides[k] == close[k] ? from : rows[k];
      bool is_there = k == 0 || at[k] == from || (i > 0 && strides[k] == 0);
      if (!is_there) load((char *const[]){rows[k], from}, (int64_t[]){size, strides[k]}, n);
    }
    loop(at, close, n);
    if (at[0] == rows[0])
      store((char *const[]){data[0] + i * strides[0], rows[0]},
            (int64_t[]){strides[0], result_size}, n);
  }
}

#define SELECT(name, T)                                                                            \
  ND_CLONES static void name(char *const *data, const int64_t *strides, int64_t count) {           \
    typedef ND_ELEMENT(T) Element;                                                                 \
    const int64_t size = (int64_t)sizeof(T);                                                       \
    const uint8_t *c = (const uint8_t *)data[1];                                                   \
    const Element *p = (const Element *)data[2], *q = (const Element *)data[3];                    \
    Element *o = (Element *)data[0];                                                               \
    bool close = strides[0] == size && strides[1] == 1;                                            \
    if (close && strides[2] == size && strides[3] == size) {                                       \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        T x = p[i], y = q[i];                                                                      \
        o[i] = c[i] ? x : y;                                                                       \
      }                                                                                            \
    } else if (close && strides[2] == size && strides[3] == 0) {                                   \
      T y = *q;                                                                                    \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        T x = p[i];                                                                                \
        o[i] = c[i] ? x : y;                                                                       \
      }                                                                                            \
    } else if (close && strides[2] == 0 && strides[3] == size) {                                   \
      T x = *p;                                                                                    \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        T y = q[i];                                                                                \
        o[i] = c[i] ? x : y;                                                                       \
      }                                                                                            \
    } else {                                                                                       \
      const int64_t steps[] = {strides[0], strides[1], strides[2], strides[3]};                    \
      char *to = data[0], *set = data[1], *x = data[2], *y = data[3];                              \
      for (int64_t i = 0; i < count; i++)                                                          \
        *(Element *)(to + i * steps[0]) =                                                          \
            *(const Element *)(set[i * steps[1]] ? x + i * steps[2] : y + i * steps[3]);           \
    }                                                                                              \
  }
SELECT(select_1, uint8_t)
SELECT(select_2, uint16_t)
SELECT(select_4, uint32_t)
SELECT(select_8, uint64_t)
SELECT(select_16, complex_f64)

NdLoop *nd_copy_loop(size_t size) {
  return size == 1   ? copy_1
         : size == 2 ? copy_2
         : size == 4 ? copy_4
         : size == 8 ? copy_8
                     : copy_16;
}

NdLoop *nd_select_loop(size_t size) {
  return size == 1   ? select_1
         : size == 2 ? select_2
         : size == 4 ? select_4
         : size == 8 ? select_8
                     : select_16;
}
