// SPDX-License-Identifier: Apache-2.0
// Loops that move elements of a size, whatever their type.
#include "complex_types.h"
#include "loops.h"
#include <string.h>

#define COPY(name, T)                                                                              \
  ND_CLONES static void name(char *const *data, const int64_t *strides, int64_t count) {           \
    typedef ND_ELEMENT(T) Element;                                                                 \
    const int64_t size = (int64_t)sizeof(T);                                                       \
    if (strides[0] == size && strides[1] == size) {                                                \
      memmove(data[0], data[1], (size_t)count * sizeof(T));                                        \
    } else if (strides[0] == size && strides[1] == 0) {                                            \
      T x = *(const Element *)data[1];                                                             \
      for (int64_t i = 0; i < count; i++) ((Element *)data[0])[i] = x;                             \
    } else if (strides[0] == size && strides[1] == -size) {                                        \
      const Element *p = (const Element *)data[1] - (count - 1);                                   \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++)((Element *)data[0])[i] =            \
          p[count - 1 - i];                                                                        \
    } else if (strides[0] == size && strides[1] == 2 * size) {                                     \
      const Element *p = (const Element *)data[1];                                                 \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++)((Element *)data[0])[i] = p[2 * i];  \
    } else if (strides[0] == 2 * size && strides[1] == size) {                                     \
      const Element *p = (const Element *)data[1];                                                 \
      for (int64_t i = 0; i < count; i++) ((Element *)data[0])[2 * i] = p[i];                      \
    } else {                                                                                       \
      const int64_t a = strides[0], b = strides[1];                                                \
      char *to = data[0], *from = data[1];                                                         \
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
    } else {                                                                                       \
      for (int64_t i = 0; i < count; i++)                                                          \
        *(Element *)(data[0] + i * strides[0]) =                                                   \
            *(const Element *)(data[1][i * strides[1]] ? data[2] + i * strides[2]                  \
                                                       : data[3] + i * strides[3]);                \
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
