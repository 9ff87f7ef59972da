// SPDX-License-Identifier: Apache-2.0
// Arrays of complex numbers: what library/jax/_complex.pk is asked.
#include "complex_array.h"

#include "python/modules/module.h"
#include "python/objects/value_call.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"

static Value call_complex(Eval *ev, const char *function, size_t count, const Value *args) {
  return value_call_n(ev, module_lookup(ev, "jax._complex", function), count, args);
}

// An array of one, which x + 1j would make of it, is none of what a kernel takes.
static void refuse_in_kernel(Eval *ev, Value v) {
  if (trace_in_kernel(ev) && value_is_complex(ev, v) && !value_is_compound(ev, v))
    eval_raise(ev, ev->types.NotImplementedError,
               "complex numbers are not supported in kernels: the chip has none; the real and the "
               "imaginary parts are arrays of their own");
}

Value complex_as_array(Eval *ev, Value v) {
  refuse_in_kernel(ev, v);
  if (!value_is_complex(ev, v) || value_is_compound(ev, v)) return v;
  return call_complex(ev, "as_array", 1, &v);
}

Value complex_astype(Eval *ev, Value v, DType dtype) {
  Value args[] = {v, make_dtype(ev, dtype)};
  return call_complex(ev, "as_array", COUNT_OF(args), args);
}

Value complex_binary(Eval *ev, BinaryOp op, Value a, Value b) {
  refuse_in_kernel(ev, a);
  refuse_in_kernel(ev, b);
  Value args[] = {make_str_c(ev, binary_op_text(op)), a, b};
  return call_complex(ev, "binary", COUNT_OF(args), args);
}

bool complex_compares(CompareOp op) { return op <= CMP_GE; }

Value complex_compare(Eval *ev, CompareOp op, Value a, Value b) {
  static const char *const words[] = {
      [CMP_EQ] = "==", [CMP_NE] = "!=", [CMP_LT] = "<",
      [CMP_LE] = "<=", [CMP_GT] = ">",  [CMP_GE] = ">=",
  };
  Value args[] = {make_str_c(ev, words[op]), a, b};
  return call_complex(ev, "compare", COUNT_OF(args), args);
}

void complex_set_type(Eval *ev, Value type) {
  ev->trace->arrays->types.complex_array = (Type *)type.o;
}

bool complex_aval_to_parts(Aval *aval) {
  if (!dtype_is_complex(aval->dtype)) return false;
  aval->dtype = dtype_of_parts(aval->dtype);
  aval->dims[aval->rank++] = 2;
  return true;
}

void complex_aval_of_parts(Aval *aval) {
  aval->dtype = aval->dtype == DT_F64 ? DT_C128 : DT_C64;
  aval->rank--;
}

Value complex_array_new(Eval *ev, Array *parts) {
  Value data = v_object(parts);
  return call_complex(ev, "of_parts", 1, &data);
}
