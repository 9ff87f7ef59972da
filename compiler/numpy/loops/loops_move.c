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

// ---- blocks -------------------------------------------------------------------------------------

// Elements of one array in vectors: at most ND_BLOCK elements.
typedef uint64_t Vector __attribute__((vector_size(ND_BLOCK), may_alias));
typedef struct Block {
  Vector vectors[WIDEST];
} Block;

// One element, over and over, from `begin` on to `end`, or some bytes around both.
static inline __attribute__((always_inline)) void repeat(Block *to, const char *from, int64_t size,
                                                         int64_t begin, int64_t end) {
  Vector all;
  if (size == 16) {
    uint64_t x[2];
    memcpy(x, from, sizeof x);
    all = (Vector){x[0], x[1], x[0], x[1], x[0], x[1], x[0], x[1]};
  } else {
    uint64_t x = size == 1   ? *(const uint8_t *)from * 0x0101010101010101u
                 : size == 2 ? *(const ND_ELEMENT(uint16_t) *)from * 0x0001000100010001u
                 : size == 4 ? *(const ND_ELEMENT(uint32_t) *)from * 0x0000000100000001u
                             : *(const ND_ELEMENT(uint64_t) *)from;
    all = (Vector){0} + x;
  }
  for (int64_t i = begin / ND_BLOCK; i * ND_BLOCK < end; i++) to->vectors[i] = all;
}

// Fewer elements than a block has: it goes on with the first one, so that nothing is computed that
// was not asked for.
static inline __attribute__((always_inline)) void
run_short(const NdBlockLoop *loop, char *const *data, const int64_t *strides, int64_t count) {
  Block rows[3];
  const int64_t size = loop->size;
  for (int k = 1; k < loop->arrays; k++) {
    const int64_t bytes = strides[k] ? count * size : 0;
    repeat(&rows[k], data[k], size, bytes, loop->in_block * size);
    memcpy(&rows[k], data[k], (size_t)bytes);
  }
  loop->blocks((char *)&rows[0], (char *)&rows[1], (char *)&rows[2], 0, 0, 1);
  memcpy(data[0], &rows[0], (size_t)(count * loop->result_size));
}

// Fewer are sooner done one by one than as a block.
enum { FEW = 16 };

ND_CLONES static void in_blocks(const NdBlockLoop *loop, char *const *data, const int64_t *strides,
                                int64_t count) {
  const int64_t size = loop->size, own = loop->result_size, in_block = loop->in_block,
                over = count & (in_block - 1), a = strides[1],
                b = loop->arrays == 3 ? strides[2] : size;
  if (strides[0] != own || (a != size && a != 0) || (b != size && b != 0)) {
    int apart = (strides[0] != own) + (a != size) + (b != size);
    bool is_worth_rows = count >= ND_FEW && (loop->arrays == 2 || (apart == 1 && size <= 8));
    if (is_worth_rows || !loop->each)
      nd_in_rows(loop->whole, loop->arrays, own, size, data, strides, count);
    else
      loop->each(data, strides, count);
    return;
  }
  if (count < in_block) {
    if (count < FEW && loop->each)
      loop->each(data, strides, count);
    else
      run_short(loop, data, strides, count);
    return;
  }
  Block last, left, right;
  const char *x = a ? data[1] : (char *)&left, *y = loop->arrays == 2 ? x
                                                    : b               ? data[2]
                                                                      : (char *)&right;
  if (!a) repeat(&left, data[1], size, 0, in_block * size);
  if (!b) repeat(&right, data[2], size, 0, in_block * size);
  if (over) // before what it reads is written over
    loop->blocks((char *)&last, x + (count - in_block) * a, y + (count - in_block) * b, 0, 0, 1);
  loop->blocks(data[0], x, y, in_block * a, in_block * b,
               count >> __builtin_ctz((unsigned)in_block));
  if (over)
    memcpy(data[0] + (count - over) * own, (char *)&last + (in_block - over) * own,
           (size_t)(over * own));
}

void nd_in_blocks(const NdBlockLoop *loop, char *const *data, const int64_t *strides,
                  int64_t count) {
  in_blocks(loop, data, strides, count);
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
