// SPDX-License-Identifier: Apache-2.0
// The type numpy.ufunc: functions of elements as objects. Calls of arrays alone, and with an array
// as `out`, run here; what else they take, and their reductions, are functions of the library
// (library/numpy/_ufunc.pk) that get the object first.
#include "numpy/arrays/nd.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/objects/fresh.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/type.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "ufunc.h"
#include "nd_errors.h"
#include "numpy/numpy_state.h"
#include <string.h>

#define NO_CODE UFUNC_COUNT // written in the language

typedef struct UfuncObject {
  Object base;
  Ufunc code; // or NO_CODE
  size_t nin, nout;
  Value name, op, call; // `op`: the name of `code`, `call`: what is called; or None
  Value identity;
} UfuncObject;

// f(self, *args, **keywords) of the library.
static Value call_library(Eval *ev, const char *f, Value self, const Args *args) {
  return call_with_self(ev, module_lookup(ev, "numpy._ufunc", f), self, args);
}

static Value call_into(Eval *ev, Value self, const Args *args) {
  const UfuncObject *f = (const UfuncObject *)self.o;
  Value out = args->kw_values[0];
  Value right = f->nin == 2 ? args->items[1] : v_unbound();
  Value result = nd_computed_into(ev, f->code, (NdArray *)out.o, args->items[0], right);
  if (value_is(result, out)) return out;
  Value items[] = {make_tuple(ev, args->count, args->items), result, out};
  return call_library(ev, "_stored", self, &(Args){.count = 3, .items = items});
}

// What has no number to compute with: None, a text, an array of objects (library/numpy/_objects).
static bool is_object(const Eval *ev, Value v) {
  Str text;
  if (v_is_none(v) || value_as_str(v, &text)) return true;
  if (v.kind != V_OBJECT) return false;
  const Type *type = v.o->type;
  return type == ev->types.bytes ||
         (type->is_heap && str_equal(name_str(type->name), STR("ndarray")));
}

static Value ufunc_of_objects(Eval *ev, const UfuncObject *f, const Args *args) {
  Value items[] = {f->name, args->items[0], f->nin == 2 ? args->items[1] : v_none()};
  return value_call_n(ev, module_lookup(ev, "numpy._objects", "ufunc_of_objects"), 1 + f->nin,
                      items);
}

// A result of the library that is a view of what nobody else has is the program's own.
static Value own_result(Eval *ev, Value result, const Args *args) {
  bool is_view = value_is_nd(ev, result) && ((const NdArray *)result.o)->is_view;
  for (size_t i = 0; is_view && i < args->count; i++)
    is_view = !value_is_nd(ev, args->items[i]) ||
              ((const NdArray *)args->items[i].o)->buffer != ((const NdArray *)result.o)->buffer;
  if (is_view) nd_own((NdArray *)result.o);
  return result;
}

static Value ufunc_call(Eval *ev, Value self, const Args *args) {
  const UfuncObject *f = (const UfuncObject *)self.o;
  bool is_plain = args->count == f->nin, is_coded = f->code != NO_CODE;
  if (is_plain && args->kw_count == 0) {
    if (!is_coded) return own_result(ev, value_call(ev, f->call, args), args);
    for (size_t i = 0; i < f->nin; i++)
      if (is_object(ev, args->items[i])) return ufunc_of_objects(ev, f, args);
    return made(ev, f->nin == 1 ? nd_unary(ev, f->code, args->items[0])
                                : nd_binary(ev, f->code, args->items[0], args->items[1]));
  }
  if (is_plain && is_coded && args->kw_count == 1 && strcmp(args->kw_names[0]->text, "out") == 0 &&
      is_a(args->kw_values[0], ev->numpy->nd_array))
    return call_into(ev, self, args);
  Args all = *args;
  Value items = make_tuple(ev, args->count, args->items);
  all.count = 1;
  all.items = &items;
  return call_library(ev, "_call_with", self, &all);
}

static Value ufunc_getattr(Eval *ev, Value self, Name name) {
  const UfuncObject *f = (const UfuncObject *)self.o;
  static const char *const methods[] = {"reduce", "accumulate", "reduceat", "outer", "at"};
  const char *text = name->text;
  for (size_t i = 0; i < COUNT_OF(methods); i++)
    if (strcmp(text, methods[i]) == 0)
      return attribute_bind(ev, module_lookup(ev, "numpy._ufunc", text), self, self.o->type);
  if (strcmp(text, "__name__") == 0 || strcmp(text, "__qualname__") == 0) return f->name;
  if (strcmp(text, "nin") == 0) return v_int((int64_t)f->nin);
  if (strcmp(text, "nout") == 0) return v_int((int64_t)f->nout);
  if (strcmp(text, "nargs") == 0) return v_int((int64_t)(f->nin + f->nout));
  if (strcmp(text, "identity") == 0) return f->identity;
  if (strcmp(text, "signature") == 0) return v_none();
  if (strcmp(text, "_op") == 0) return f->op;
  return v_unbound();
}

static Str ufunc_repr(Eval *ev, Value self) {
  Str name = take_str(ev, ((const UfuncObject *)self.o)->name, "name");
  return str_format(ev->arena, "<ufunc '%.*s'>", STR_FMT(name));
}

// `op`: the name of a loop's operation, or None, and then `call` is called.
static Value native_make(Eval *ev, Value *a) {
  UfuncObject *f = ARENA_NEW(ev->arena, UfuncObject);
  *f = (UfuncObject){.base.type = ev->numpy->np_ufunc,
                     .code = NO_CODE,
                     .name = a[0],
                     .call = a[1],
                     .nin = (size_t)take_int(ev, a[2], "nin"),
                     .nout = (size_t)take_int(ev, a[3], "nout"),
                     .op = a[4],
                     .identity = a[5]};
  Str op;
  if (value_as_str(a[4], &op) && !ufunc_from_name(op, &f->code)) BUG("no op '%.*s'", STR_FMT(op));
  return v_object(f);
}

// Which errors of floating point are reported at all, in the order of NdError.
static Value native_report_errors(Eval *ev, Value *a) {
  ev->numpy->reported_errors = 0;
  for (int i = 0; i < ND_ERRORS; i++)
    if (value_truth(ev, a[i])) ev->numpy->reported_errors |= 1u << i;
  return v_none();
}

static const NativeDef natives[] = {
    {"report_errors(divide, over, under, invalid)", native_report_errors},
    {"make(name, call, nin, nout, op, identity)", native_make},
    {NULL, NULL},
};

static void init(Eval *ev, ModuleObject *module) {
  static const TypeSlots slots = {
      .call = ufunc_call, .call_keeps_nothing = true, .getattr = ufunc_getattr, .repr = ufunc_repr};
  ev->numpy->np_ufunc = type_new_native(ev, "numpy", "ufunc", NULL, &slots, NULL);
  module_set(ev, module, "ufunc", v_object(ev->numpy->np_ufunc));
}

const ModuleDef module_np_ufunc = {.name = "_np_ufunc", .functions = natives, .init = init};
