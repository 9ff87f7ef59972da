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
