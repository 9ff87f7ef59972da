// SPDX-License-Identifier: Apache-2.0
// Typed loops over elements, by operation and type: what NumPy's functions run (nd_walk.h). They
// are compiled for several kinds of CPU, with the same results on each.
#pragma once
#include "nd_walk.h"
#include "numpy/ufuncs/ufunc.h"

// Of the types that C has (nd_compute_dtype); NULL if the operation is none of that type. The
// result of comparisons is bool, of the others the type.
NdLoop *nd_binary_loop(Ufunc code, DType dtype);
NdLoop *nd_unary_loop(Ufunc code, DType dtype);
// IS_FINITE, IS_INF, IS_NAN: bool of floats and complex numbers; SIGNBIT of floats.
NdLoop *nd_test_loop(Ufunc code, DType dtype);
// Whether float32 or float64 elements that lie close are numbers of at most this magnitude.
bool nd_all_within(DType dtype, const char *row, int64_t count, double most);
NdLoop *nd_magnitude_loop(DType dtype);     // the type of the parts, of complex numbers
NdLoop *nd_cast_loop(DType from, DType to); // NULL: element by element
// A sum or product of float32s, each step rounded to the type; NULL: it has no loop of its own.
NdLoop *nd_fold_loop(Ufunc code, DType dtype);
// Elements of a size of a table, by codes of one byte.
void nd_look_up(size_t element, void *out, const char *table, const uint8_t *codes, int64_t count);
// float32 to a type of one byte, by the sixteen bits in front, the last of which is odd if anything
// is behind them.
void nd_cast_by_front(uint8_t *out, const float *data, int64_t count, const uint8_t *table);
// The result, x, and the lower and the upper bound; NULL if the type has no loop of its own.
NdLoop *nd_clip_loop(DType dtype);
// The result, x, y, and three numbers: what is close within a relative and an absolute tolerance,
// NaN to NaN if the third is not 0. Of float32 and float64.
NdLoop *nd_close_loop(DType dtype);
NdLoop *nd_copy_loop(size_t size);                 // elements of 1, 2, 4, 8 or 16 bytes
NdLoop nd_copy_1, nd_copy_2, nd_copy_4, nd_copy_8; // the same, for tables
NdLoop *nd_select_loop(size_t size);               // the result, a bool condition, two arrays

// Elements of a size at places of a dimension of `size` elements, `stride` bytes apart; negative
// places count from the end. False: some lie beyond (out is written all the same).
bool nd_gather(size_t element, void *out, const char *from, int64_t stride, const int64_t *places,
               int64_t count, int64_t size);
bool nd_are_places(const int64_t *places, int64_t count, int64_t size);
// To places that are known to lie within; from elements `step` bytes apart.
void nd_scatter(size_t element, char *to, int64_t stride, const int64_t *places, int64_t count,
                int64_t size, const char *from, int64_t step);
void nd_repeat_each(size_t element, void *out, const void *from, int64_t count, int64_t times);
// Bytes that are not 0: how many, and their places, of which there are `found`.
int64_t nd_count_true(const uint8_t *set, int64_t count);
void nd_true_places(const uint8_t *set, int64_t count, int64_t *out, int64_t found);
void nd_range_i64(int64_t *out, int64_t count, int64_t start, int64_t step);
void nd_range_f64(double *out, int64_t count, double start, double step);

// The place of the greatest or least of `count` elements; the first of equals, a NaN wins.
typedef int64_t NdPick(const char *data, int64_t stride, int64_t count);

// Reductions of one type. The loops take the result, which holds what was reduced before, and the
// elements; scans take where running results go, which may be the elements, and those.
typedef struct Reductions {
  NdLoop *sum, *product, *max, *min;
  NdLoop *all, *any; // of bits; NULL for floats
  NdLoop *scan_sum, *scan_product, *scan_max, *scan_min;
  NdPick *argmax, *argmin;
} Reductions;
const Reductions *nd_reductions(DType dtype); // NULL as above

// The product of matrices that lie row by row: x is m x k, y is k x n. Of the type, or of 64-bit
// integers for those that are no float and no complex number.
// `is_symmetric`: y is the transpose of x.
typedef void NdProduct(void *out, const void *x, const void *y, int64_t m, int64_t n, int64_t k,
                       bool is_symmetric);
NdProduct *nd_product(DType dtype);

// ---- for the files of the loops -----------------------------------------------------------------

#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&                \
    !defined(__SANITIZE_THREAD__)
#define ND_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ND_CLONES
#endif
// What is compiled once, and without vectors, which elements that do not lie close are no gain for.
#if defined(__GNUC__) && !defined(__clang__)
#define ND_ONCE __attribute__((noinline, optimize("O2", "no-tree-vectorize")))
#else
#define ND_ONCE
#endif
// A loop for elements that lie close, of others: they are brought into rows that do. The result's
// elements and the operands' have these sizes.
void nd_in_rows(NdLoop *loop, size_t arrays, int64_t result_size, int64_t size, char *const *data,
                const int64_t *strides, int64_t count);
// Fewer are sooner done one by one than brought into rows, tiles of 64 (nd_walk.c) among them.
enum { ND_FEW = 100 };
// Blocks of elements that lie close, as many as ND_BLOCK bytes hold of the narrower of operands and
// results: one loop, of a length that is known, serves rows, single elements and what is over. The
// blocks of the operands are x_step and y_step bytes apart, those of a single element 0; the
// results' lie close.
enum { ND_BLOCK = 64 };
typedef void NdBlocks(char *out, const char *x, const char *y, int64_t x_step, int64_t y_step,
                      int64_t blocks);
// `each`, if any, is for elements of any strides, where there are few, or several of three arrays
// do not lie close; `whole` is the loop that this is, for rows that are brought close.
typedef struct NdBlockLoop {
  NdBlocks *blocks;
  NdLoop *each, *whole;
  uint8_t arrays, result_size, size, in_block;
} NdBlockLoop;
void nd_in_blocks(const NdBlockLoop *loop, char *const *data, const int64_t *strides,
                  int64_t count);
#define ND_IN_BLOCK(R, T) (ND_BLOCK / (sizeof(R) < sizeof(T) ? sizeof(R) : sizeof(T)))
// Elements wherever they lie in memory.
#define ND_ELEMENT(type) __attribute__((aligned(1), may_alias)) type
// The loop `name` over R results, the value of each T x, by blocks; `each` as above.
#define ND_LOOP_OF_ONE(name, R, T, each, value) ND_LOOP_OF_ONE_(name, R, T, each, value)
#define ND_LOOP_OF_ONE_(name, R, T, each, value)                                                   \
  ND_CLONES static void name##_blocks(char *out, const char *left, const char *right, int64_t a,   \
                                      int64_t b, int64_t blocks) {                                 \
    enum { COUNT = ND_IN_BLOCK(R, T) };                                                            \
    (void)right, (void)b;                                                                          \
    for (int64_t i = 0; i < blocks; i++, left += a) {                                              \
      const ND_ELEMENT(T) *p = (const ND_ELEMENT(T) *)left;                                        \
      ND_ELEMENT(R) *o = (ND_ELEMENT(R) *)out + i * COUNT;                                         \
      _Pragma("omp simd") for (int k = 0; k < COUNT; k++) {                                        \
        T x = p[k];                                                                                \
        o[k] = (R)(value);                                                                         \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void name(char *const *data, const int64_t *strides, int64_t count) {                     \
    static const NdBlockLoop loop = {name##_blocks,    each, name, 2, sizeof(R), sizeof(T),        \
                                     ND_IN_BLOCK(R, T)};                                           \
    nd_in_blocks(&loop, data, strides, count);                                                     \
  }
// The same over the T x and y.
#define ND_LOOP_OF_TWO(name, R, T, each, value) ND_LOOP_OF_TWO_(name, R, T, each, value)
#define ND_LOOP_OF_TWO_(name, R, T, each, value)                                                   \
  ND_CLONES static void name##_blocks(char *out, const char *left, const char *right, int64_t a,   \
                                      int64_t b, int64_t blocks) {                                 \
    enum { COUNT = ND_IN_BLOCK(R, T) };                                                            \
    for (int64_t i = 0; i < blocks; i++, left += a, right += b) {                                  \
      const ND_ELEMENT(T) *p = (const ND_ELEMENT(T) *)left, *q = (const ND_ELEMENT(T) *)right;     \
      ND_ELEMENT(R) *o = (ND_ELEMENT(R) *)out + i * COUNT;                                         \
      _Pragma("omp simd") for (int k = 0; k < COUNT; k++) {                                        \
        T x = p[k], y = q[k];                                                                      \
        o[k] = (R)(value);                                                                         \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void name(char *const *data, const int64_t *strides, int64_t count) {                     \
    static const NdBlockLoop loop = {name##_blocks,    each, name, 3, sizeof(R), sizeof(T),        \
                                     ND_IN_BLOCK(R, T)};                                           \
    nd_in_blocks(&loop, data, strides, count);                                                     \
  }
