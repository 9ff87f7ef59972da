// SPDX-License-Identifier: Apache-2.0
// The scalar types of jax.numpy (jnp.float32 …), which are called to make arrays, stand for their
// dtype and are annotated with; jnp.issubdtype; dtypes as arguments of jnp, narrowed unless x64 is
// on.
#include "jax/array/array_shape.h"
#include "scalar_type.h"
#include "array_ops.h"
#include "python/modules/report.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/objects/generic.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/values/names.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type.h"
#include "python/objects/value_call.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include "array_names.h"
#include "complex_array.h"
#include "key_array.h"
#include "promote.h"
#include "shape_struct.h"
#include <string.h>

// As canonical_dtype; a type that was asked for and is not there is reported.
static DType narrowed(Eval *ev, DType dtype, const char *what) {
  DType narrow = canonical_dtype(ev, dtype);
  if (narrow != dtype)
    eval_warn(ev, WARN_HINT, "%s: dtype %s is not available (x64 is off); it becomes %s", what,
              dtype_name(dtype), dtype_name(narrow));
  return narrow;
}

DType take_requested_dtype(Eval *ev, Value v, const char *what) {
  if (value_is_array(ev, v))
    eval_raise(ev, ev->types.ValueError,
               "Passing an array as a dtype argument is no longer supported; instead of dtype=arr "
               "use dtype=arr.dtype.");
  DType dtype = take_dtype(ev, v, what);
  if (dtype_is_complex(dtype))
    eval_raise(ev, ev->types.NotImplementedError, "%s: complex numbers are not supported", what);
  bool is_kind =
      value_is(v, v_object(ev->types.floating)) || value_is(v, v_object(ev->types.integer));
  return is_kind ? canonical_dtype(ev, dtype) : narrowed(ev, dtype, what);
}

// ---- scalar types: jnp.float32 ------------------------------------------------------------------
static Value scalar_getattr(Eval *ev, Value self, Name name) {
  const ArrayNames *n = array_names(ev);
  DType dtype = dtype_of_object(self);
  if (name == n->dtype) return make_dtype(ev, dtype);
  if (name == n->__name__ || name == n->__qualname__) return make_str_c(ev, dtype_name(dtype));
  if (name == n->__module__) return make_str_c(ev, "jax.numpy");
  return v_unbound();
}

static Str scalar_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "<class 'jax.numpy.%s'>", dtype_name(dtype_of_object(self)));
}

// f32(8, 128), for f32[8, 128].
static NORETURN void refuse_call(Eval *ev, DType dtype, const Args *args) {
  Buf hint;
  buf_init(&hint, ev->arena);
  buf_printf(&hint, "the type of an array is written with brackets: %s[", dtype_short_name(dtype));
  bool is_shape = args->count > 1 && !args->kw_count;
  for (size_t i = 0; is_shape && i < args->count; i++) {
    int64_t dim = 0;
    is_shape = value_as_int(ev, args->items[i], &dim);
    buf_printf(&hint, i ? ",%lld" : "%lld", (long long)dim);
  }
  buf_char(&hint, ']');
  raise_hinted(ev, ev->types.TypeError, is_shape ? buf_view(&hint).data : "",
               "%s() takes one argument (%zu given)", dtype_name(dtype),
               args->count + args->kw_count);
}

static Value scalar_call(Eval *ev, Value self, const Args *args) {
  if (args->kw_count || args->count != 1) refuse_call(ev, dtype_of_object(self), args);
  if (dtype_is_complex(dtype_of_object(self)) || value_is_complex(ev, args->items[0]))
    return complex_astype(ev, args->items[0], dtype_of_object(self));
  Value number = args->items[0];
  Str text;
  if (value_as_str(number, &text)) // as Python reads it
    number = value_call_n(
        ev,
        v_object(dtype_is_float(dtype_of_object(self)) ? ev->types.floating : ev->types.integer), 1,
        &number);
  return ops_of_arrays(ev)->make(ev, number, canonical_dtype(ev, dtype_of_object(self)), 0);
}

// f32[512, 512], the type of an array: what annotations of entry points and --entry are written
// with. f32[()] is a scalar's.
static Value scalar_getitem(Eval *ev, Value self, Value index) {
  Aval aval = {.dtype = dtype_of_object(self)};
  aval.rank = (uint8_t)take_array_shape(ev, index, aval.dims, "shape in an array type");
  for (int d = 0; d < aval.rank; d++)
    if (aval.dims[d] < 0)
      eval_raise(ev, ev->types.ValueError, "dimension %d of an array type is negative: %lld", d,
                 (long long)aval.dims[d]);
  aval.dtype = narrowed(ev, aval.dtype, "an array type");
  return shape_dtype_struct_new(ev, &aval);
}

// jnp.float32 | None
static Value scalar_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  return op == BIN_OR ? make_union_also(ev, left, right, trace_types(ev)->scalar_meta)
                      : v_not_implemented();
}

Value scalar_type(Eval *ev, DType dtype) {
  DTypeObject *s = ARENA_NEW(ev->arena, DTypeObject);
  *s = (DTypeObject){{ev->trace->arrays->types.scalar_meta}, dtype};
  return v_object(s);
}

// ---- issubdtype ---------------------------------------------------------------------------------
static bool category_has(Str category, DType dtype, bool *known) {
  char kind = dtype_kind(dtype);
  bool integer = kind == 'i' || kind == 'u';
  *known = true;
  if (str_equal(category, STR("generic"))) return true;
  if (str_equal(category, STR("number"))) return kind != 'b';
  if (str_equal(category, STR("integer"))) return integer;
  if (str_equal(category, STR("signedinteger"))) return kind == 'i';
  if (str_equal(category, STR("unsignedinteger"))) return kind == 'u';
  if (str_equal(category, STR("inexact"))) return kind == 'f' || kind == 'c';
  if (str_equal(category, STR("floating"))) return kind == 'f';
  if (str_equal(category, STR("complexfloating"))) return kind == 'c';
  if (str_equal(category, STR("character")) || str_equal(category, STR("flexible")) ||
      str_equal(category, STR("extended")) || str_equal(category, STR("prng_key")))
    return false;
  *known = false;
  return false;
}

static Str class_name(Eval *ev, Value v) {
  if (value_is_type(ev, v)) return name_str(((Type *)v.o)->name);
  Value name = value_getattr_opt(ev, v, array_names(ev)->__name__);
  Str text = STR("");
  if (!v_is_unbound(name)) value_as_str(name, &text);
  return text;
}

// What a semaphore holds is of a class of the library (pl.semaphore_dtype).
static bool is_kind_of_semaphore(Eval *ev, Value dtype, Value category) {
  Value type = value_getattr_c(ev, dtype, "type");
  return value_is_type(ev, type) && value_is_type(ev, category) &&
         type_is_subtype((const Type *)type.o, (const Type *)category.o);
}

bool dtype_is_subdtype(Eval *ev, Value a, Value b) {
  DType x, y;
  bool known;
  if (!v_is_unbound(value_getattr_opt(ev, a, array_names(ev)->sem_kind)) && !value_is_type(ev, a))
    return is_kind_of_semaphore(ev, a, b);
  if (!value_as_dtype(ev, a, &x)) {
    if (value_is_type(ev, a) || value_is_key_dtype(ev, a)) { // categories among themselves
      Str sub = class_name(ev, a), super = class_name(ev, b);
      if (str_equal(sub, super) || str_equal(super, STR("generic"))) return true;
      if (str_equal(sub, STR("prng_key"))) return str_equal(super, STR("extended"));
      static const struct {
        const char *sub, *super;
      } above[] = {{"floating", "inexact"},        {"floating", "number"},
                   {"integer", "number"},          {"inexact", "number"},
                   {"signedinteger", "integer"},   {"signedinteger", "number"},
                   {"unsignedinteger", "integer"}, {"unsignedinteger", "number"}};
      for (size_t i = 0; i < COUNT_OF(above); i++)
        if (str_equal(sub, str_from_c(above[i].sub)) &&
            str_equal(super, str_from_c(above[i].super)))
          return true;
      return false;
    }
    x = take_dtype(ev, a, "issubdtype");
  }
  bool in_category = category_has(class_name(ev, b), x, &known);
  if (known) return in_category;
  return value_as_dtype(ev, b, &y) && x == y;
}

bool value_is_scalar_type(Eval *ev, Value v) {
  return v.kind == V_OBJECT && trace_types(ev)->scalar_meta &&
         v.o->type == trace_types(ev)->scalar_meta;
}

void scalar_type_init(Eval *ev) {
  static const TypeSlots scalar = {.getattr = scalar_getattr,
                                   .repr = scalar_repr,
                                   .call = scalar_call,
                                   .getitem = scalar_getitem,
                                   .binary = scalar_binary,
                                   .compare = dtype_compare,
                                   .hash = dtype_hash};
  ArrayTypes *types = &ev->trace->arrays->types;
  types->scalar_meta = type_new_native(ev, "jax.numpy", "_ScalarMeta", NULL, &scalar, NULL);
  // f32[8] is the type of an array; nothing is gone through by such indices.
  dict_set_name(ev, types->scalar_meta->dict, ev->names->iter, v_none());
  ev->numpy->dtype_alias = types->scalar_meta;
}
