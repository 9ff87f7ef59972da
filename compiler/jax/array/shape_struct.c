// SPDX-License-Identifier: Apache-2.0
// jax.ShapeDtypeStruct, and the ShapedArray that .aval and jax.typeof give; and what has a shape
// and a dtype without being an array.
#include "jax/array/array_shape.h"
#include "shape_struct.h"
#include "scalar_type.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "array_names.h"
#include "key_array.h"
#include "operands.h"
#include "promote.h"
#include "ref.h"
#include <string.h>

typedef struct ShapeStruct {
  Object base;
  Aval aval;          // the dtype as it was asked for, 64 bits included
  bool shaped_array;  // prints as ShapedArray
  bool is_ref;        // of a Ref: has the type of what is in it
  Value memory_space; // unbound: the device's, where an array lies unless the program says so
  Value sharding;     // as the program says where such an array is to lie, or None
} ShapeStruct;

static ShapeStruct *new_struct(Eval *ev, Type *type, const Aval *aval) {
  ShapeStruct *s = ARENA_NEW(ev->arena, ShapeStruct);
  *s = (ShapeStruct){
      .base = {type}, .aval = *aval, .memory_space = v_unbound(), .sharding = v_none()};
  return s;
}

Value shape_dtype_struct_new(Eval *ev, const Aval *aval) {
  return v_object(new_struct(ev, ev->trace->arrays->types.shape_dtype_struct, aval));
}

Value shaped_array_new(Eval *ev, const Aval *aval) {
  ShapeStruct *s = new_struct(ev, ev->trace->arrays->types.shape_dtype_struct, aval);
  s->shaped_array = true;
  return v_object(s);
}

Value shaped_array_in(Eval *ev, const Aval *aval, Value memory_space) {
  Value made = shaped_array_new(ev, aval);
  ((ShapeStruct *)made.o)->memory_space = memory_space;
  return made;
}

Value ref_aval_new(Eval *ev, Value ref) {
  Aval aval;
  value_loose_aval(ev, ref, &aval);
  Value made = shaped_array_in(ev, &aval, value_getattr(ev, ref, array_names(ev)->memory_space));
  ((ShapeStruct *)made.o)->is_ref = true;
  return made;
}

static bool is_struct(Eval *ev, Value v) {
  return v.kind == V_OBJECT && v.o->type == ev->trace->arrays->types.shape_dtype_struct;
}

bool value_loose_aval(Eval *ev, Value v, Aval *out) {
  if (v.kind != V_OBJECT) return false;
  if (is_struct(ev, v)) {
    *out = ((const ShapeStruct *)v.o)->aval;
    out->dtype = canonical_dtype(ev, out->dtype);
    return true;
  }
  if (value_is_ref(ev, v)) {
    const Ref *ref = (const Ref *)v.o;
    bool has_aval = ref->is_host || ref->beyond;
    *out = has_aval ? ref->aval : aval_of(&(IrValue){.type = &ref->type}, false);
    return true;
  }
  if (value_is_key(ev, v) || value_is_type(ev, v) || v.o->type == ev->numpy->dtype) return false;
  if (value_as_tuple(v) || value_as_list(v) || v.o->type == ev->types.string) return false;
  Value shape = value_getattr_opt(ev, v, array_names(ev)->shape);
  Value dtype = v_is_unbound(shape) ? shape : value_getattr_opt(ev, v, array_names(ev)->dtype);
  DType d;
  if (v_is_unbound(dtype) || !value_as_dtype(ev, dtype, &d)) return false;
  *out = (Aval){.dtype = canonical_dtype(ev, d)};
  out->rank = (uint8_t)take_full_shape(ev, shape, out->dims, "shape");
  return true;
}

static Value take_sharding(Eval *ev, Value given) {
  if (v_is_none(given)) return given;
  return value_call_n(ev, module_lookup(ev, "jax._mesh", "sharding_of_struct"), 1, &given);
}

// ---- the type -----------------------------------------------------------------------------------
static Value struct_new(Eval *ev, Value *a) { // cls, shape, dtype, sharding, weak_type,
                                              // manual_axis_type, is_ref, memory_space
  if (v_is_none(a[2]))
    eval_raise(ev, ev->types.ValueError, "ShapeDtypeStruct: dtype must be specified.");
  refuse_keyword(ev, "ShapeDtypeStruct", "manual_axis_type", a[5]);
  refuse_keyword(ev, "ShapeDtypeStruct", "is_ref", a[6]);
  if (a[2].kind == V_OBJECT && a[2].o->type == ev->trace->arrays->types.key_dtype)
    return value_call_n(ev, module_lookup(ev, "jax.core", "KeyStruct"), 2, a + 1);
  int64_t n;
  if (value_as_int(ev, a[1], &n))
    eval_raise(ev, ev->types.TypeError, "'int' object is not iterable");
  Aval aval = {.dtype = take_dtype(ev, a[2], "ShapeDtypeStruct"),
               .weak = take_bool(ev, a[4], "weak_type")};
  aval.rank = (uint8_t)take_full_shape(ev, a[1], aval.dims, "the shape of a ShapeDtypeStruct");
  Value made =
      v_is_none(a[7]) ? shape_dtype_struct_new(ev, &aval) : shaped_array_in(ev, &aval, a[7]);
  ((ShapeStruct *)made.o)->sharding = take_sharding(ev, a[3]);
  return made;
}

static Value struct_like(Eval *ev, Value *a) { // cls, x
  Aval aval;
  if (is_struct(ev, a[1])) return a[1];
  if (!value_aval(ev, a[1], true, &aval))
    eval_raise(ev, ev->types.TypeError, "ShapeDtypeStruct.like: %s has no shape and dtype",
               value_type_name(ev, a[1]));
  return shape_dtype_struct_new(ev, &aval);
}

static Value struct_update(Eval *ev, Value *a) { // self, shape, dtype, sharding, weak_type
  const ShapeStruct *before = (const ShapeStruct *)a[0].o;
  ShapeStruct *s = new_struct(ev, a[0].o->type, &before->aval);
  s->shaped_array = before->shaped_array;
  if (a[1].kind != V_ELLIPSIS)
    s->aval.rank =
        (uint8_t)take_full_shape(ev, a[1], s->aval.dims, "the shape of a ShapeDtypeStruct");
  if (a[2].kind != V_ELLIPSIS) s->aval.dtype = take_dtype(ev, a[2], "ShapeDtypeStruct");
  s->sharding = a[3].kind == V_ELLIPSIS ? before->sharding : take_sharding(ev, a[3]);
  if (a[4].kind != V_ELLIPSIS) s->aval.weak = take_bool(ev, a[4], "weak_type");
  return v_object(s);
}

static Value struct_getattr(Eval *ev, Value self, Name name) {
  const ArrayNames *n = array_names(ev);
  const Aval *aval = &((const ShapeStruct *)self.o)->aval;
  if (name == n->shape) return make_tuple_i64(ev, aval->rank, aval->dims);
  if (name == n->dtype) return make_dtype(ev, aval->dtype);
  if (name == n->ndim) return v_int(aval->rank);
  if (name == n->size) return v_int(aval_count(aval));
  if (name == n->weak_type) return v_bool(aval->weak);
  if (name == n->aval) return self;
  const ShapeStruct *s = (const ShapeStruct *)self.o;
  if (name == n->sharding) return s->sharding;
  if (name == n->inner_aval && s->is_ref) return shaped_array_new(ev, aval);
  if (name == n->memory_space && s->shaped_array)
    return s->memory_space.kind != V_UNBOUND
               ? s->memory_space
               : value_getattr_c(ev, module_lookup(ev, "jax.core", "MemorySpace"), "Device");
  return v_unbound();
}

static Str struct_repr(Eval *ev, Value self) {
  const ShapeStruct *s = (const ShapeStruct *)self.o;
  Aval aval = s->aval;
  const char *weak = aval.weak ? ", weak_type=True" : "";
  aval.weak = false;
  if (s->shaped_array) return aval_repr(ev->arena, &s->aval);
  Str sharding = STR("");
  if (!v_is_none(s->sharding))
    sharding = str_format(ev->arena, ", sharding=%.*s", STR_FMT(value_repr(ev, s->sharding)));
  return str_format(ev->arena, "ShapeDtypeStruct(shape=%.*s, dtype=%s%.*s%s)",
                    STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)), dtype_name(aval.dtype),
                    STR_FMT(sharding), weak);
}

static Str struct_str(Eval *ev, Value self) {
  const ShapeStruct *s = (const ShapeStruct *)self.o;
  return s->shaped_array ? aval_text(ev->arena, &s->aval) : struct_repr(ev, self);
}

static Value struct_compare(Eval *ev, CompareOp op, Value left, Value right) {
  if (op > CMP_NE || !is_struct(ev, left) || !is_struct(ev, right)) return v_not_implemented();
  const Aval *a = &((const ShapeStruct *)left.o)->aval, *b = &((const ShapeStruct *)right.o)->aval;
  bool equal = a->dtype == b->dtype && a->weak == b->weak && a->rank == b->rank &&
               memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0 &&
               value_equal(ev, ((const ShapeStruct *)left.o)->sharding,
                           ((const ShapeStruct *)right.o)->sharding);
  return v_bool(equal == (op == CMP_EQ));
}

static uint64_t struct_hash(Eval *ev UNUSED, Value self) {
  const Aval *aval = &((const ShapeStruct *)self.o)->aval;
  uint64_t h = 0x9e3779b97f4a7c15u * (1 + (uint64_t)aval->dtype);
  for (int i = 0; i < aval->rank; i++) h = (h ^ (uint64_t)aval->dims[i]) * 0x100000001b3u;
  return h;
}

static int64_t struct_len(Eval *ev, Value self) {
  const Aval *aval = &((const ShapeStruct *)self.o)->aval;
  if (aval->rank == 0) eval_raise(ev, ev->types.TypeError, "len() of unsized object");
  return aval->dims[0];
}

static const NativeDef struct_methods[] = {
    {"__new__(cls, shape, dtype, *, sharding=None, weak_type=False, manual_axis_type=None, "
     "is_ref=False, memory_space=None)",
     struct_new},
    {"like(cls, x)", struct_like},
    {"update(self, *, shape=..., dtype=..., sharding=..., weak_type=...)", struct_update},
    {NULL, NULL},
};

void shape_struct_init(Eval *ev) {
  static const TypeSlots slots = {.getattr = struct_getattr,
                                  .attributes = "shape dtype ndim size weak_type sharding",
                                  .repr = struct_repr,
                                  .str = struct_str,
                                  .compare = struct_compare,
                                  .hash = struct_hash,
                                  .len = struct_len};
  ev->trace->arrays->types.shape_dtype_struct =
      type_new_native(ev, "jax", "ShapeDtypeStruct", NULL, &slots, struct_methods);
}
