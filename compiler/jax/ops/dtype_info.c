// SPDX-License-Identifier: Apache-2.0
// jnp.finfo and jnp.iinfo, and the rest of jax.numpy's functions on dtypes.
#include "base/buf.h"
#include "numpy/arrays/nd.h"
#include "jax/array/scalar_type.h"
#include "python/modules/module.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/values/values.h"
#include "jax/array/array.h"
#include "jax/array/promote.h"
#include "natives.h"
#include <math.h>
#include <string.h>

typedef struct DTypeInfo {
  Object base;
  DType dtype;
} DTypeInfo;

static const DTypeInfo *self_info(Value v) { return (const DTypeInfo *)v.o; }

static Value info_number(Eval *ev, DType dtype, double x) {
  char element[16];
  dtype_store_f64(dtype, element, x);
  return v_object(nd_scalar(ev, dtype, element));
}

static int mantissa_bits(DType dtype) { return (int)lround(-log2(dtype_float_eps(dtype))); }

static int lowest_exponent(DType dtype) { return ilogb(dtype_float_tiny(dtype)); }

static int decimal_digits(DType dtype) {
  int digits = (int)floor(mantissa_bits(dtype) * 0.30102999566398119521);
  return digits < 1 && dtype_bits(dtype) >= 8 ? 1 : digits;
}

static Value finfo_getattr(Eval *ev, Value self, Name name) {
  DType d = self_info(self)->dtype;
  const char *n = name->text;
  int mantissa = mantissa_bits(d);
  bool symmetric = dtype_float_min(d) < 0;
  double eps = dtype_float_eps(d), tiny = dtype_float_tiny(d), greatest = dtype_float_max(d);
  if (strcmp(n, "dtype") == 0) return make_dtype(ev, d);
  if (strcmp(n, "bits") == 0) return v_int(dtype_bits(d));
  if (strcmp(n, "max") == 0) return info_number(ev, d, greatest);
  if (strcmp(n, "min") == 0) return info_number(ev, d, dtype_float_min(d));
  if (strcmp(n, "eps") == 0) return info_number(ev, d, eps);
  if (strcmp(n, "epsneg") == 0) return info_number(ev, d, d == DT_F4E2M1FN ? eps : eps / 2);
  if (strcmp(n, "tiny") == 0 || strcmp(n, "smallest_normal") == 0) return info_number(ev, d, tiny);
  if (strcmp(n, "smallest_subnormal") == 0) return info_number(ev, d, ldexp(tiny, -mantissa));
  if (strcmp(n, "resolution") == 0) return info_number(ev, d, pow(10, -decimal_digits(d)));
  if (strcmp(n, "precision") == 0) return v_int(decimal_digits(d));
  if (strcmp(n, "nmant") == 0) return v_int(mantissa);
  if (strcmp(n, "machep") == 0) return v_int(-mantissa);
  if (strcmp(n, "negep") == 0) return v_int(d == DT_F4E2M1FN ? -1 : -mantissa - 1);
  if (strcmp(n, "minexp") == 0) return v_int(lowest_exponent(d));
  if (strcmp(n, "maxexp") == 0) return v_int(ilogb(greatest) + 1);
  if (strcmp(n, "nexp") == 0 || strcmp(n, "iexp") == 0)
    return v_int((int64_t)dtype_bits(d) - symmetric - mantissa);
  return v_unbound();
}

static Value iinfo_getattr(Eval *ev, Value self, Name name) {
  DType d = self_info(self)->dtype;
  const char *n = name->text;
  if (strcmp(n, "dtype") == 0) return make_dtype(ev, d);
  if (strcmp(n, "bits") == 0) return v_int(dtype_bits(d));
  if (strcmp(n, "kind") == 0) return make_str_fmt(ev, "%c", dtype_kind(d));
  if (strcmp(n, "min") == 0) return v_int(dtype_int_min(d));
  if (strcmp(n, "max") != 0) return v_unbound();
  uint64_t greatest = dtype_int_max(d);
  if (greatest <= INT64_MAX) return v_int((int64_t)greatest);
  Value half = v_int((int64_t)(greatest / 2));
  return value_binary(ev, BIN_ADD, value_binary(ev, BIN_MUL, half, v_int(2)), v_int(1));
}

static Str attribute_text(Eval *ev, Value self, const char *name) {
  return value_str(ev, finfo_getattr(ev, self, name_intern_c(ev->session->interner, name)));
}

static Str finfo_repr(Eval *ev, Value self) {
  DType d = self_info(self)->dtype;
  Str least = attribute_text(ev, self, "min"), greatest = attribute_text(ev, self, "max");
  if (d == DT_F16) { // NumPy writes these two by a format of their own
    least = str_format(ev->arena, "%.5e", -dtype_float_max(d));
    greatest = str_format(ev->arena, "%.5e", dtype_float_max(d));
  }
  return str_format(ev->arena, "finfo(resolution=%.*s, min=%.*s, max=%.*s, dtype=%s)",
                    STR_FMT(attribute_text(ev, self, "resolution")), STR_FMT(least),
                    STR_FMT(greatest), dtype_name(d));
}

static const char rule[] = "---------------------------------------------------------------\n";

// "precision = 6   resolution = 1e-06" and so on, in a frame.
static Str finfo_str(Eval *ev, Value self) {
  static const struct {
    const char *label, *name;
  } items[] = {{"precision = ", "precision"},
               {"   resolution = ", "resolution"},
               {"\nmachep = ", "machep"},
               {"   eps =        ", "eps"},
               {"\nnegep =  ", "negep"},
               {"   epsneg =     ", "epsneg"},
               {"\nminexp = ", "minexp"},
               {"   tiny =       ", "tiny"},
               {"\nmaxexp = ", "maxexp"},
               {"   max =        ", "max"},
               {"\nnexp =   ", "nexp"},
               {"   min =        ", NULL},
               {"\nsmallest_normal = ", "smallest_normal"},
               {"   smallest_subnormal = ", "smallest_subnormal"}};
  DType d = self_info(self)->dtype;
  bool symmetric = dtype_float_min(d) < 0;
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_printf(&buf, "Machine parameters for %s\n%s", dtype_name(d), rule);
  for (size_t i = 0; i < COUNT_OF(items); i++) {
    buf_c(&buf, items[i].label);
    buf_str(&buf, items[i].name ? attribute_text(ev, self, items[i].name)
                  : symmetric   ? STR("-max")
                                : attribute_text(ev, self, "min"));
  }
  buf_printf(&buf, "\n%s", rule);
  return buf_view(&buf);
}

static Str iinfo_repr(Eval *ev, Value self) {
  DType d = self_info(self)->dtype;
  Value max = iinfo_getattr(ev, self, name_intern_c(ev->session->interner, "max"));
  return str_format(ev->arena, "iinfo(min=%lld, max=%.*s, dtype=%s)", (long long)dtype_int_min(d),
                    STR_FMT(value_repr(ev, max)), dtype_name(d));
}

static Str iinfo_str(Eval *ev, Value self) {
  DType d = self_info(self)->dtype;
  Value max = iinfo_getattr(ev, self, name_intern_c(ev->session->interner, "max"));
  return str_format(ev->arena, "Machine parameters for %s\n%smin = %lld\nmax = %.*s\n%s",
                    dtype_name(d), rule, (long long)dtype_int_min(d), STR_FMT(value_repr(ev, max)),
                    rule);
}

static Value info_new(Eval *ev, Value *a, bool floats) {
  DType dtype;
  Aval aval;
  if (!value_as_dtype(ev, a[1], &dtype)) {
    if (value_is_nd(ev, a[1])) {
      dtype = ((const NdArray *)a[1].o)->dtype;
    } else if (a[1].kind == V_INT && !floats) {
      dtype = DT_I64;
    } else if (value_aval(ev, a[1], true, &aval)) {
      dtype = aval.dtype;
    } else {
      dtype = take_dtype(ev, a[1], floats ? "finfo" : "iinfo");
    }
  }
  dtype = dtype_of_parts(dtype);
  if (floats && !dtype_is_float(dtype))
    eval_raise(ev, ev->types.ValueError, "data type '%s' not inexact", dtype_name(dtype));
  if (!floats && !dtype_is_integer(dtype))
    eval_raise(ev, ev->types.ValueError, "Invalid integer data type '%c'.", dtype_kind(dtype));
  DTypeInfo *info = ARENA_NEW(ev->arena, DTypeInfo);
  *info = (DTypeInfo){{(Type *)a[0].o}, dtype};
  return v_object(info);
}

static Value finfo_new(Eval *ev, Value *a) { return info_new(ev, a, true); }
static Value iinfo_new(Eval *ev, Value *a) { return info_new(ev, a, false); }

void dtype_info_init(Eval *ev, ModuleObject *module) {
  static const TypeSlots finfo = {.getattr = finfo_getattr, .repr = finfo_repr, .str = finfo_str},
                         iinfo = {.getattr = iinfo_getattr, .repr = iinfo_repr},
                         numpy_iinfo = {
                             .getattr = iinfo_getattr, .repr = iinfo_repr, .str = iinfo_str};
  static const NativeDef finfo_methods[] = {{"__new__(cls, dtype)", finfo_new}, {NULL, NULL}};
  static const NativeDef iinfo_methods[] = {{"__new__(cls, int_type)", iinfo_new}, {NULL, NULL}};
  module_set(ev, module, "finfo",
             v_object(type_new_native(ev, "jax.numpy", "finfo", NULL, &finfo, finfo_methods)));
  module_set(ev, module, "iinfo",
             v_object(type_new_native(ev, "ml_dtypes", "iinfo", NULL, &iinfo, iinfo_methods)));
  module_set(ev, module, "_numpy_iinfo",
             v_object(type_new_native(ev, "numpy", "iinfo", NULL, &numpy_iinfo, iinfo_methods)));
}

// ---- functions on dtypes ------------------------------------------------------------------------
Value jnp_issubdtype(Eval *ev, Value *a) { return v_bool(dtype_is_subdtype(ev, a[0], a[1])); }

// An argument of result_type: an array or scalar, or a dtype in any spelling (Python's types are
// weak).
static void result_aval(Eval *ev, Value v, size_t position, Aval *out) {
  DType dtype;
  if (v.kind == V_OBJECT && value_as_dtype(ev, v, &dtype)) {
    bool weak =
        value_is(v, v_object(ev->types.floating)) || value_is(v, v_object(ev->types.integer));
    *out = (Aval){.dtype = canonical_dtype(ev, dtype), .weak = weak};
    return;
  }
  if (!value_aval(ev, v, true, out)) take_aval(ev, "result_type", v, position, out);
}

Value jnp_result_type(Eval *ev, Value *a) { // *args, return_weak_type_flag
  Tuple *args = value_as_tuple(a[0]);
  if (args->count == 0)
    eval_raise(ev, ev->types.ValueError, "at least one array or dtype is required");
  Aval *avals = ARENA_ARRAY(ev->arena, Aval, args->count);
  for (size_t i = 0; i < args->count; i++) result_aval(ev, args->items[i], i, &avals[i]);
  bool weak;
  DType dtype = promote_all(ev, args->count, avals, &weak);
  if (!value_truth(ev, a[1])) return make_dtype(ev, dtype);
  Value pair[2] = {make_dtype(ev, dtype), v_bool(weak)};
  return make_tuple(ev, 2, pair);
}

Value jnp_promote_types(Eval *ev, Value *a) {
  Aval avals[2];
  result_aval(ev, a[0], 0, &avals[0]);
  result_aval(ev, a[1], 1, &avals[1]);
  bool weak;
  return make_dtype(ev, promote_or_raise(ev, avals[0].dtype, avals[0].weak, avals[1].dtype,
                                         avals[1].weak, &weak));
}

Value jnp_canonicalize_dtype(Eval *ev, Value *a) {
  return make_dtype(ev, canonical_dtype(ev, take_dtype(ev, a[0], "dtype")));
}

Value jnp_itemsize_bits(Eval *ev, Value *a) {
  return v_int((int64_t)dtype_bits(take_dtype(ev, a[0], "dtype")));
}
