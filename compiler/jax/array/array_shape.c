// SPDX-License-Identifier: Apache-2.0
// Arguments that say shapes, as JAX reads them: what it says of those that say none.
#include "array_shape.h"
#include "array.h"
#include "numpy/arrays/nd_shape.h"
#include "numpy/dtypes/dtype_object.h"
#include "python/objects/protocol.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"

size_t take_array_shape(Eval *ev, Value v, int64_t *dims, const char *what) {
  size_t rank;
  Value wrong = v_unbound();
  if (!value_is_text(ev, v) && shape_read(ev, v, &rank, dims, what, &wrong)) return rank;
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
