// SPDX-License-Identifier: Apache-2.0
// The loops of one operand of one element type, and their table: included by loops_unary.c for each
// type, with
//   T        the C type of the elements
//   NAME(x)  x with the type's name at its end
//   OPERATIONS(VECTOR, SCALAR)  VECTOR(enumerator of Ufunc, value of x), and SCALAR for those that
//            call a function of libm, for which vectors are no gain
//   LIMITED(VECTOR, SCALAR)  if any: each (enumerator, test of x, value of those x that pass, in
//            vectors; value of any x)

#define LOOP(name, value)                                                                          \
  static void name(char *const *data, const int64_t *strides, int64_t count) {                     \
    typedef ND_ELEMENT(T) Element;                                                                 \
    if (strides[0] == (int64_t)sizeof(T) && strides[1] == (int64_t)sizeof(T)) {                    \
      const Element *p = (const Element *)data[1];                                                 \
      Element *o = (Element *)data[0];                                                             \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        T x = p[i];                                                                                \
        o[i] = (T)(value);                                                                         \
      }                                                                                            \
    } else {                                                                                       \
      const int64_t a = strides[0], b = strides[1];                                                \
      char *to = data[0], *from = data[1];                                                         \
      for (int64_t i = 0; i < count; i++, to += a, from += b) {                                    \
        T x = *(const Element *)from;                                                              \
        *(Element *)to = (T)(value);                                                               \
      }                                                                                            \
    }                                                                                              \
  }
#define VECTOR(id, value) ND_CLONES LOOP(NAME(id), value)
#define SCALAR(id, value) LOOP(NAME(id), value)
OPERATIONS(VECTOR, SCALAR)

#define ROW(id, value) [UFUNC_##id] = NAME(id),
#ifdef LIMITED
// `near` of elements that pass the test, in vectors where all of a row do; `any` of the others.
#define STEPS 512
#define WITHIN(id, test, near)                                                                     \
  VECTOR(id##_near, near)                                                                          \
  ND_CLONES static bool NAME(id##_fits)(const char *p, int64_t stride, int64_t count) {            \
    const ND_ELEMENT(T) *q = (const ND_ELEMENT(T) *)p;                                             \
    int far = 0;                                                                                   \
    if (stride == (int64_t)sizeof(T)) {                                                            \
      for (int64_t i = 0; i < count; i++) {                                                        \
        T x = q[i];                                                                                \
        far |= !(test);                                                                            \
      }                                                                                            \
      return !far;                                                                                 \
    }                                                                                              \
    for (int64_t i = 0; i < count; i++) {                                                          \
      T x = *(const ND_ELEMENT(T) *)(p + i * stride);                                              \
      far |= !(test);                                                                              \
    }                                                                                              \
    return !far;                                                                                   \
  }                                                                                                \
  static void NAME(id)(char *const *data, const int64_t *strides, int64_t count) {                 \
    for (int64_t i = 0, n; i < count; i += n) {                                                    \
      n = count - i < STEPS ? count - i : STEPS;                                                   \
      char *const at[] = {data[0] + i * strides[0], data[1] + i * strides[1]};                     \
      (NAME(id##_fits)(at[1], strides[1], n) ? NAME(id##_near) : NAME(id##_any))(at, strides, n);  \
    }                                                                                              \
  }
#define ELSE_VECTOR(id, test, near, any)                                                           \
  VECTOR(id##_any, (test) ? (near) : (any)) WITHIN(id, test, near)
#define ELSE_SCALAR(id, test, near, any)                                                           \
  SCALAR(id##_any, (test) ? (near) : (any)) WITHIN(id, test, near)
LIMITED(ELSE_VECTOR, ELSE_SCALAR)
#define LIMITED_ROW(id, test, near, any) ROW(id, near)
static NdLoop *const NAME(loops)[UFUNC_COUNT] = {OPERATIONS(ROW, ROW)
                                                     LIMITED(LIMITED_ROW, LIMITED_ROW)};
#undef ELSE_VECTOR
#undef ELSE_SCALAR
#undef LIMITED_ROW
#undef WITHIN
#undef STEPS
#else
static NdLoop *const NAME(loops)[UFUNC_COUNT] = {OPERATIONS(ROW, ROW)};
#endif

#undef ROW
#undef VECTOR
#undef SCALAR
#undef LOOP
#undef T
#undef NAME
