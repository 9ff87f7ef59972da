// SPDX-License-Identifier: Apache-2.0
// What the numpy floor keeps for one evaluator: its types, interned names and print options, and
// what the floor above has given it (hooks).
#pragma once
#include "numpy/arrays/nd.h"

// Interned names that look-ups of attributes compare with.
#define ND_NAMES(X)                                                                                \
  X(shape)                                                                                         \
  X(dtype)                                                                                         \
  X(ndim)                                                                                          \
  X(size)                                                                                          \
  X(T)                                                                                             \
  X(mT)                                                                                            \
  X(itemsize)                                                                                      \
  X(fields) X(names) X(subdtype) X(metadata) X(hasobject) X(isnative) X(isbuiltin) X(nbytes)       \
      X(real) X(imag) X(flat) X(base) X(name) X(num) X(kind) X(type) X(str) X(alignment)           \
          X(byteorder) X(strides) X(flags) X(data) X(__array_interface__)
typedef struct NdNames {
  Name char_; // "char"
#define X(name) Name name;
  ND_NAMES(X)
#undef X
} NdNames;

// Arrays that are not the host's own (jax.Array), and elements that were never written (`check`).
// All may be NULL.
typedef struct NdHooks {
  // The data of an array of another kind; raises if it is not known yet, naming its use. NULL: v is
  // none.
  NdArray *(*data_of)(Eval *ev, Value v, const char *use);
  void (*looked_at)(Eval *ev, const NdArray *nd);
  bool (*is_partly_unwritten)(const Eval *ev, const NdArray *nd);
  void (*moved)(Eval *ev, const NdArray *to, const NdArray *from);
} NdHooks;

// Abstract types of scalars: CATEGORY(name, the one above it).
#define ND_CATEGORY_LIST(CATEGORY)                                                                 \
  CATEGORY(number, generic)                                                                        \
  CATEGORY(integer, number)                                                                        \
  CATEGORY(signedinteger, integer)                                                                 \
  CATEGORY(unsignedinteger, integer)                                                               \
  CATEGORY(inexact, number)                                                                        \
  CATEGORY(floating, inexact)                                                                      \
  CATEGORY(complexfloating, inexact)
typedef enum NdCategory {
#define CATEGORY(name, above) ND_##name,
  ND_CATEGORY_LIST(CATEGORY)
#undef CATEGORY
      ND_CATEGORIES
} NdCategory;
extern const char *const nd_category_names[ND_CATEGORIES];

typedef struct NumpyState {
  Type *nd_array, *nd_generic, *nd_iterator, *np_stream; // ndarray, generic; a bit generator's
  Type *np_ufunc;
  Type *nd_scalars[DT_COUNT];         // np.float32 …
  Type *nd_categories[ND_CATEGORIES]; // np.number …
  Type *dtype;
  Type *dtype_alias;      // of other DTypeObjects, which stand for their dtype (jnp.float32)
  Value dtypes[DT_COUNT]; // the dtype objects
  NdNames names;
  NdHooks hooks;
  struct PrintOptions *print;                  // np_print.c; NULL: as they are at first
  unsigned reported_errors;                    // of floating point (nd_errors.h), a bit each
  void *ziggurats;                             // tables of np_random.c, when they have been made
  void *fft_plans;                             // np_fft_plan.c: those used last, the last one first
  const char *cast_tables[DT_COUNT][DT_COUNT]; // nd_cast's, when they have been made …
  uint32_t cast_counts[DT_COUNT][DT_COUNT];    // … for this many elements
} NumpyState;

static inline const NumpyState *numpy_types(const Eval *ev) { return ev->numpy; }

void nd_type_init(Eval *ev); // nd_type.c
