// SPDX-License-Identifier: Apache-2.0
// Taking values apart. Instances of classes derived from int, str, … count as what they derive
// from.
#include "python/values/evaluator_state.h"
#include "attribute.h"
#include "convert.h"
#include "protocol.h"
#include "python/values/raise.h"
#include "type_lookup.h"
#include "python/values/values.h"
#include "python/numbers/integer.h"

// ---- integers and floats ------------------------------------------------------------------------
typedef struct IndexCall {
  Value value;
  int64_t result;
} IndexCall;

static void ask_index(Eval *ev, void *data) {
  IndexCall *call = data;
  Type *type = type_of(ev, call->value);
  if (type->slots.index) {
    call->result = type->slots.index(ev, call->value);
    return;
  }
  Value method;
  bool bound;
  if (!method_lookup(ev, call->value, ev->names->index, &method, &bound))
    eval_raise(ev, ev->types.TypeError, "'%s' object cannot be interpreted as an integer",
               type_shown(type));
  Value result = value_unwrap(call_special(ev, call->value, method, bound, 0, NULL));
  if (result.kind != V_INT && result.kind != V_BOOL) {
    if (is_a(result, ev->types.integer))
      eval_raise(ev, ev->types.OverflowError, "Python int too large to convert to C ssize_t");
    eval_raise(ev, ev->types.TypeError, "__index__ returned non-int (type %s)",
               value_type_name(ev, result));
  }
  call->result = result.i;
}

static bool has_index(Eval *ev, Value v) {
  if (v.kind != V_OBJECT) return false;
  Type *type = v.o->type;
  if (type->slots.index) return true;
  Value method;
  bool bound;
  return type->is_heap && method_lookup(ev, v, ev->names->index, &method, &bound);
}

bool value_as_int(Eval *ev, Value v, int64_t *out) {
  v = value_unwrap(v);
  if (v.kind == V_INT || v.kind == V_BOOL) {
    *out = v.i;
    return true;
  }
  if (is_a(v, ev->types.integer) || !has_index(ev, v)) return false;
  IndexCall call = {.value = v};
  Value exception;
  if (!eval_try(ev, ask_index, &call, &exception)) return false;
  *out = call.result;
  return true;
}

int64_t take_int(Eval *ev, Value v, const char *what) {
  v = value_unwrap(v);
  if (v.kind == V_INT || v.kind == V_BOOL) return v.i;
  if (is_a(v, ev->types.integer))
    eval_raise(ev, ev->types.OverflowError, "%s is too large: %.*s", what,
               STR_FMT(value_repr(ev, v)));
  if (!has_index(ev, v))
    eval_raise(ev, ev->types.TypeError, "'%s' object cannot be interpreted as an integer (%s)",
               value_type_name(ev, v), what);
  IndexCall call = {.value = v};
  ask_index(ev, &call);
  return call.result;
}

bool value_as_float(Value v, double *out) {
  v = value_unwrap(v);
  if (v.kind == V_FLOAT)
    *out = v.f;
  else if (v.kind == V_INT || v.kind == V_BOOL)
    *out = (double)v.i;
  else
    return v.kind == V_OBJECT && int_as_double(v, out, NULL);
  return true;
}

double take_float(Eval *ev, Value v, const char *what) {
  double result;
  if (value_as_float(v, &result)) return result;
  Value method;
  bool bound;
  if (method_lookup(ev, v, ev->names->floating, &method, &bound)) {
    Value made = value_unwrap(call_special(ev, v, method, bound, 0, NULL));
    if (made.kind == V_FLOAT) return made.f;
    eval_raise(ev, ev->types.TypeError, "%s.__float__ returned non-float (type %s)",
               value_type_name(ev, v), value_type_name(ev, made));
  }
  int64_t i;
  if (value_as_int(ev, v, &i)) return (double)i;
  if (is_a(v, ev->types.integer))
    eval_raise(ev, ev->types.OverflowError, "int too large to convert to float");
  eval_raise(ev, ev->types.TypeError, "%s must be a number, not '%s'", what,
             value_type_name(ev, v));
}

bool take_bool(Eval *ev, Value v, const char *what) {
  if (v.kind == V_BOOL) return v.i != 0;
  if (v.kind == V_INT || v.kind == V_NONE || v.kind == V_FLOAT) return value_truth(ev, v);
  Value method;
  bool bound;
  if (v.kind == V_OBJECT &&
      (v.o->type->slots.truth || method_lookup(ev, v, ev->names->boolean, &method, &bound)))
    return value_truth(ev, v);
  eval_raise(ev, ev->types.TypeError, "%s must be True or False, not '%s'", what,
             value_type_name(ev, v));
}

Str take_str(Eval *ev, Value v, const char *what) {
  Str text;
  if (value_as_str(v, &text)) return text;
  eval_raise(ev, ev->types.TypeError, "%s must be a str, not '%s'", what, value_type_name(ev, v));
}

bool number_of_object(Eval *ev, Value v, Value *out) {
  return v.kind == V_OBJECT && !v.o->type->is_heap && v.o->type->slots.number &&
         v.o->type->slots.number(ev, v, out);
}
