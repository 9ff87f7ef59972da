// SPDX-License-Identifier: Apache-2.0
// Arguments that say shapes, as JAX reads them: what it says of those that say none.
#include "array_shape.h"
#include "array.h"
#include "numpy/arrays/nd_shape.h"
#include "numpy/dtypes/dtype_object.h"
#include "python/numbers/integer.h"
#include "python/objects/protocol.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"

size_t take_array_shape(Eval *ev, Value v, int64_t *dims, const char *what) {
  size_t rank;
  Value wrong = v_unbound();
  bool is_traced_size = value_is_array(ev, v) && ((const Array *)v.o)->aval.rank == 0 &&
                        value_is_traced(ev, v); // which has no length
  if (!is_traced_size && !value_is_text(ev, v) && shape_read(ev, v, &rank, dims, what, &wrong))
    return rank;
  Value part = v_is_unbound(wrong) ? v : wrong;
  Value whole = v_is_unbound(wrong) ? make_tuple(ev, 1, &v) : v;
  bool is_traced = value_is_array(ev, part) && value_is_traced(ev, part);
  const Array *array = value_is_array(ev, part) ? (const Array *)part.o : NULL;
  bool is_key = array && array->aval.rank == 1 && array->aval.dtype == DT_U32;
  raise_hinted(
      ev, ev->types.TypeError, is_key ? "the key comes first: jax.random.normal(key, shape)" : "",
      "Shapes must be 1D sequences of concrete values of integer type, got %.*s.%s",
      STR_FMT(value_str(ev, whole)),
      is_traced ? " The value is known only when the program runs: shapes are fixed when it "
                  "is traced (mark the argument static, or compute the size from .shape)"
                : "");
}

size_t take_full_shape(Eval *ev, Value v, int64_t *dims, const char *what) {
  size_t rank = take_array_shape(ev, v, dims, what);
  for (size_t i = 0; i < rank; i++)
    if (dims[i] < 0)
      eval_raise(ev, ev->types.TypeError, "%s must have every element be nonnegative, got %.*s.",
                 what, STR_FMT(shape_text(ev->arena, rank, dims)));
  return rank;
}

void array_require_sizes(Eval *ev, size_t rank, const int64_t *dims) {
  for (size_t i = 0; i < rank; i++)
    if (dims[i] < 0)
      eval_raise(ev, ev->types.TypeError, "reshape new_sizes must all be positive, got %.*s.",
                 STR_FMT(shape_text(ev->arena, rank, dims)));
}

// In any number of digits, without the size that is to be worked out.
static Str size_text(Eval *ev, size_t rank, const int64_t *dims, bool has_unknown) {
  Value size = v_int(1);
  for (size_t i = 0; i < rank; i++)
    if (!has_unknown || dims[i] != -1) size = int_multiply(ev, size, v_int(dims[i]));
  return int_text(ev, size);
}

void array_fit_shape(Eval *ev, size_t old_rank, const int64_t *old, size_t rank, int64_t *dims) {
  int64_t count = 1;
  for (size_t i = 0; i < old_rank; i++) count *= old[i];
  ShapeFit fit = shape_fit(count, rank, dims);
  Str from = shape_text(ev->arena, old_rank, old), to = shape_text(ev->arena, rank, dims);
  switch (fit) {
  case SHAPE_UNKNOWNS:
    eval_raise(ev, ev->types.TypeError,
               "can only specify one unknown axis size with a `-1` value, got %.*s", STR_FMT(to));
  case SHAPE_BY_ZERO: eval_raise(ev, ev->types.ZeroDivisionError, "integer modulo by zero");
  case SHAPE_UNEVEN:
    eval_raise(
        ev, ev->types.TypeError,
        "cannot reshape array of shape %.*s (size %lld) into shape %.*s because the product of "
        "specified axis sizes (%.*s) does not evenly divide %lld",
        STR_FMT(from), (long long)count, STR_FMT(to), STR_FMT(size_text(ev, rank, dims, true)),
        (long long)count);
  case SHAPE_DIFFERS:
    eval_raise(ev, ev->types.TypeError,
               "cannot reshape array of shape %.*s (size %lld) into shape %.*s (size %.*s)",
               STR_FMT(from), (long long)count, STR_FMT(to),
               STR_FMT(size_text(ev, rank, dims, false)));
  case SHAPE_FITS: array_require_sizes(ev, rank, dims);
  }
}
