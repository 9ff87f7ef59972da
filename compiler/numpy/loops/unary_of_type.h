// SPDX-License-Identifier: Apache-2.0
// The loops of one operand of one element type, and their table: included by loops_unary.c for each
// type, with
//   T        the C type of the elements
//   NAME(x)  x with the type's name at its end
//   OPERATIONS(SIMPLE, VECTOR, SCALAR)  each (enumerator of Ufunc, value of x): SIMPLE ones are an
//            instruction or two, SCALAR ones call a function of libm, for which vectors are no gain
//   LIMITED(VECTOR, SCALAR)  if any: each (enumerator, test of x, value of those x that pass, in
//            vectors; value of any x)
//   OTHERS   if any: rows of the table whose loops are made elsewhere

// Of any strides, compiled once.
#define SCALAR(name, value)                                                                        \
  ND_ONCE static void NAME(name)(char *const *data, const int64_t *strides, int64_t count) {       \
    const int64_t a = strides[0], b = strides[1];                                                  \
    char *to = data[0], *from = data[1];                                                           \
    for (int64_t i = 0; i < count; i++, to += a, from += b) {                                      \
      T x = *(const ND_ELEMENT(T) *)from;                                                          \
      *(ND_ELEMENT(T) *)to = (T)(value);                                                           \
    }                                                                                              \
  }
#define VECTOR(name, value) ND_LOOP_OF_ONE(NAME(name), T, T, NULL, value)
#define SIMPLE(name, value)                                                                        \
  SCALAR(name##_each, value) ND_LOOP_OF_ONE(NAME(name), T, T, NAME(name##_each), value)
OPERATIONS(SIMPLE, VECTOR, SCALAR)

#define ROW(id, value) [UFUNC_##id] = NAME(id),
#ifndef OTHERS
#define OTHERS
#endif
#ifdef LIMITED
// `near` of elements that pass the test, in vectors where all of a row do; `any` of the others.
#define STEPS 512
#define WITHIN(id, test, near)                                                                     \
  VECTOR(id##_near, near)                                                                          \
  ND_CLONES static bool NAME(id##_fits)(const char *p, int64_t count) {                            \
    const ND_ELEMENT(T) *q = (const ND_ELEMENT(T) *)p;                                             \
    int far = 0;                                                                                   \
    for (int64_t i = 0; i < count; i++) {                                                          \
      T x = q[i];                                                                                  \
      far |= !(test);                                                                              \
    }                                                                                              \
    return !far;                                                                                   \
  }                                                                                                \
  static void NAME(id)(char *const *data, const int64_t *strides, int64_t count) {                 \
    const int64_t size = (int64_t)sizeof(T);                                                       \
    if (strides[0] != size || strides[1] != size) {                                                \
      nd_in_rows(NAME(id), 2, size, size, data, strides, count);                                   \
      return;                                                                                      \
    }                                                                                              \
    for (int64_t i = 0, n; i < count; i += n) {                                                    \
      n = count - i < STEPS ? count - i : STEPS;                                                   \
      char *const at[] = {data[0] + i * size, data[1] + i * size};                                 \
      (NAME(id##_fits)(at[1], n) ? NAME(id##_near) : NAME(id##_any))(at, strides, n);              \
    }                                                                                              \
  }
#define ELSE_VECTOR(id, test, near, any)                                                           \
  VECTOR(id##_any, (test) ? (near) : (any)) WITHIN(id, test, near)
#define ELSE_SCALAR(id, test, near, any)                                                           \
  SCALAR(id##_any, (test) ? (near) : (any)) WITHIN(id, test, near)
LIMITED(ELSE_VECTOR, ELSE_SCALAR)
#define LIMITED_ROW(id, test, near, any) ROW(id, near)
static NdLoop *const NAME(loops)[UFUNC_COUNT] = {OPERATIONS(ROW, ROW, ROW)
                                                     LIMITED(LIMITED_ROW, LIMITED_ROW) OTHERS};
#undef ELSE_VECTOR
#undef ELSE_SCALAR
#undef LIMITED_ROW
#undef WITHIN
#undef STEPS
#else
static NdLoop *const NAME(loops)[UFUNC_COUNT] = {OPERATIONS(ROW, ROW, ROW) OTHERS};
#endif

#undef ROW
#undef VECTOR
#undef SCALAR
#undef SIMPLE
#undef OTHERS
#undef T
#undef NAME
