// SPDX-License-Identifier: Apache-2.0
// pl.Slice: a window of a dimension whose start, and size, may be known at run time alone; pl.ds
// makes one. In: what a program writes in an index. Out: its three parts.
#include "dynamic_slice.h"

#include "python/modules/module.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "array.h"
#include "array_data.h"
#include "array_names.h"

typedef struct DynamicSlice {
  Object base;
  Value start, size, stride;
} DynamicSlice;

static Value slice_object_new(Eval *ev, Value start, Value size, Value stride) {
  DynamicSlice *s = ARENA_NEW(ev->arena, DynamicSlice);
  *s = (DynamicSlice){{ev->trace->arrays->types.slice}, start, size, stride};
  return v_object(s);
}

bool value_as_dynamic_slice(Eval *ev, Value v, Value *start, Value *size, Value *stride) {
  if (v.kind != V_OBJECT || v.o->type != ev->trace->arrays->types.slice) return false;
  const DynamicSlice *s = (const DynamicSlice *)v.o;
  *start = s->start;
  *size = s->size;
  *stride = s->stride;
  return true;
}

const char *index_dtype_hint(DType dtype) {
  return dtype_is_float(dtype) ? "a // b is an integer, a / b a float; and .astype(jnp.int32) "
                                 "makes integers of floats"
                               : "";
}

static Value slice_getattr(Eval *ev, Value self, Name name) {
  const ArrayNames *n = array_names(ev);
  const DynamicSlice *s = (const DynamicSlice *)self.o;
  if (name == n->start) return s->start;
  if (name == n->size) return s->size;
  if (name == n->stride) return s->stride;
  if (name == n->is_dynamic_start) return v_bool(s->start.kind != V_INT);
  if (name == n->is_dynamic_size) return v_bool(s->size.kind != V_INT);
  return v_unbound();
}

static Str slice_repr(Eval *ev, Value self) {
  const DynamicSlice *s = (const DynamicSlice *)self.o;
  return str_format(ev->arena, "Slice(start=%.*s, size=%.*s, stride=%.*s)",
                    STR_FMT(value_repr(ev, s->start)), STR_FMT(value_repr(ev, s->size)),
                    STR_FMT(value_repr(ev, s->stride)));
}

static Value slice_compare(Eval *ev, CompareOp op, Value left, Value right) {
  Value a[3], b[3];
  if (op > CMP_NE || !value_as_dynamic_slice(ev, left, &a[0], &a[1], &a[2]) ||
      !value_as_dynamic_slice(ev, right, &b[0], &b[1], &b[2]))
    return v_not_implemented();
  bool equal = true;
  for (int i = 0; i < 3 && equal; i++) equal = value_is(a[i], b[i]) || value_equal(ev, a[i], b[i]);
  return v_bool(equal == (op == CMP_EQ));
}

static Value slice_new(Eval *ev, Value *a) {
  if (value_truth(ev, value_compare(ev, CMP_LT, a[3], v_int(0))))
    eval_raise(ev, ev->types.ValueError, "`stride` must be >= 0.");
  return slice_object_new(ev, a[1], a[2], a[3]);
}

// pl.ds(start, size, stride); pl.ds(size) starts at 0; pl.ds(None) is the whole dimension.
static Value native_ds(Eval *ev, Value *a) {
  Value start = a[0], size = a[1], stride = a[2];
  if (v_is_none(start)) return make_slice(ev, v_none(), v_none(), v_none());
  if (v_is_none(stride)) stride = v_int(1);
  if (size.kind == V_ELLIPSIS) { // not given
    int64_t n;
    if (!known_int(ev, start, &n))
      eval_raise(ev, ev->types.TypeError,
                 "Size must be an integer when it is the only argument; a slice that starts where "
                 "only the running kernel knows is pl.ds(start, size)");
    return slice_object_new(ev, v_int(0), v_int(n), stride);
  }
  int64_t n;
  if (!value_is_array(ev, start) && known_int(ev, start, &n)) start = v_int(n);
  if (!value_is_array(ev, size) && known_int(ev, size, &n)) size = v_int(n);
  if (known_int(ev, stride, &n) && n < 0)
    eval_raise(ev, ev->types.ValueError, "`stride` must be >= 0.");
  return slice_object_new(ev, start, size, stride);
}

static const NativeDef slice_methods[] = {
    {"__new__(cls, start, size, stride=1)", slice_new},
    {NULL, NULL},
};

void dynamic_slice_init(Eval *ev) {
  static const TypeSlots slice = {
      .getattr = slice_getattr, .repr = slice_repr, .compare = slice_compare};
  ev->trace->arrays->types.slice =
      type_new_native(ev, "jax._src.indexing", "Slice", NULL, &slice, slice_methods);
}

static void indexing_init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "Slice", v_object(ev->trace->arrays->types.slice));
}

static const NativeDef indexing_natives[] = {
    {"dslice(start, size=..., stride=None)", native_ds},
    {"ds(start, size=..., stride=None)", native_ds},
    {NULL, NULL},
};

const ModuleDef module_jax_indexing = {
    .name = "jax._src.indexing", .functions = indexing_natives, .init = indexing_init};
