// SPDX-License-Identifier: Apache-2.0
// The types of arrays of the program's evaluator, and which of them a value is of.
#include "array.h"
#include "array_ops.h"
#include "key_array.h"
#include "jax/trace/level.h"
#include "numpy/arrays/nd.h"
#include "python/objects/attribute.h"
#include "python/objects/protocol.h"
#include "python/objects/type.h"
#include "python/values/evaluator_state.h"
#include "python/objects/type_lookup.h"
#include "ref.h"

void array_state_init(Eval *ev) {
  ev->trace->arrays = ARENA_NEW(ev->arena, ArrayState);
  ArrayTypes *types = &ev->trace->arrays->types;
#define EXCEPTION(name, base, module) types->name = type_new_exception(ev, module, #name, base);
#include "errors.def"
#undef EXCEPTION
}

const ArrayTypes *trace_types(const Eval *ev) { return &ev->trace->arrays->types; }

bool value_is_array(Eval *ev, Value v) { return is_a(v, trace_types(ev)->array); }

bool value_is_key(Eval *ev, Value v) { return is_a(v, trace_types(ev)->key_array); }

bool value_is_ref(Eval *ev, Value v) { return is_a(v, trace_types(ev)->ref); }

const char *ref_class_name(Eval *ev, Value v) {
  return value_is_ref(ev, v) && !((const Ref *)v.o)->is_host
             ? "jax._src.interpreters.partial_eval.DynamicJaxprTracer"
             : value_type_name(ev, v);
}

bool ref_has_leaked(const Ref *ref) { return ref->level->left && !ref->is_host; }

static bool is_complex_array(Eval *ev, Value v) { return is_a(v, trace_types(ev)->complex_array); }

bool value_is_complex(Eval *ev, Value v) {
  if (v.kind != V_OBJECT) return false;
  if (is_complex_array(ev, v) || v.o->type == ev->types.complex) return true;
  return value_is_nd(ev, v) && dtype_is_complex(((const NdArray *)v.o)->dtype);
}

bool value_is_compound(Eval *ev, Value v) { return value_is_key(ev, v) || is_complex_array(ev, v); }

Array *compound_data(Eval *ev, Value v) {
  if (value_is_key(ev, v)) return ((const KeyArray *)v.o)->data;
  Name parts = name_intern_c(ev->session->interner, "parts");
  return (Array *)value_getattr(ev, v, parts).o;
}

bool value_is_traced(Eval *ev, Value v) {
  if (value_is_compound(ev, v)) return value_is_traced(ev, v_object(compound_data(ev, v)));
  if (!value_is_array(ev, v)) return false;
  const Array *a = (const Array *)v.o;
  return a->level->kind != LEVEL_RUN && !a->known;
}
