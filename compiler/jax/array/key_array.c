// SPDX-License-Identifier: Apache-2.0
// Arrays of typed PRNG keys (jax.random.key): uint32 data behind a shape without the data's last
// dimension.
#include "jax/array/array_shape.h"
#include "numpy/arrays/nd.h"
#include "ir/core/ir.h"
#include "key_array.h"
#include "array_ops.h"
#include "scalar_type.h"
#include "numpy/text/nd_format.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/attribute.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "arith.h"
#include "array_names.h"
#include "primitive.h"
#include <string.h>

const KeyImpl *key_impl_find(Eval *ev, Name name) {
  TraceState *trace = ev->trace;
  for (size_t i = 0; i < trace->arrays->key_impls.count; i++)
    if (trace->arrays->key_impls.items[i].name == name) return &trace->arrays->key_impls.items[i];
  BUG("no PRNG implementation '%s'", name->text);
}

// A second registration of a name replaces the first, as in JAX.
void key_impl_add(Eval *ev, Value name, Value tag, Value key_shape) {
  TraceState *trace = ev->trace;
  KeyImpl impl = {.name = name_intern(ev->session->interner, take_str(ev, name, "name")),
                  .tag = take_str(ev, tag, "tag")};
  impl.rank = take_array_shape(ev, key_shape, impl.dims, "key_shape");
  for (size_t i = 0; i < trace->arrays->key_impls.count; i++) {
    if (trace->arrays->key_impls.items[i].name != impl.name) continue;
    trace->arrays->key_impls.items[i] = impl;
    return;
  }
  VEC_PUSH(ev->arena, &trace->arrays->key_impls, impl);
}

// The dimensions that belong to one key: (2,) of threefry2x32, (1, 2) of pallas_tpu.
static int bit_dims(Eval *ev, const KeyArray *key) {
  return (int)key_impl_find(ev, key->impl)->rank;
}

size_t key_dims(Eval *ev, Value key) { return (size_t)bit_dims(ev, (const KeyArray *)key.o); }

static int64_t key_words(Eval *ev, const KeyArray *key) {
  const KeyImpl *impl = key_impl_find(ev, key->impl);
  int64_t words = 1;
  for (size_t i = 0; i < impl->rank; i++) words *= impl->dims[i];
  return words;
}

static Str tag(Eval *ev, Name impl) { return key_impl_find(ev, impl)->tag; }

typedef struct KeyDType {
  Object base;
  Name impl;
} KeyDType;

Value key_array_new(Eval *ev, Array *data, Name impl) {
  KeyArray *key = ARENA_NEW(ev->arena, KeyArray);
  *key = (KeyArray){{ev->trace->arrays->types.key_array}, data, impl};
  if (data->aval.dtype != DT_U32)
    eval_raise(
        ev, ev->types.TypeError,
        "JAX encountered invalid PRNG key data: expected key_data.dtype = uint32; got dtype=%s",
        dtype_name(data->aval.dtype));
  const KeyImpl *kind = key_impl_find(ev, impl);
  size_t rank = (size_t)data->aval.rank;
  bool fits = rank >= kind->rank;
  for (size_t i = 0; fits && i < kind->rank; i++)
    fits = data->aval.dims[rank - kind->rank + i] == kind->dims[i];
  if (!fits)
    eval_raise(
        ev, ev->types.TypeError,
        "JAX encountered invalid PRNG key data: expected key_data.shape to end with %.*s; got "
        "shape=%.*s for impl=%s",
        STR_FMT(shape_text(ev->arena, kind->rank, kind->dims)),
        STR_FMT(shape_text(ev->arena, rank, data->aval.dims)), impl->text);
  return v_object(key);
}

bool value_is_key_dtype(Eval *ev, Value v) {
  return v.kind == V_OBJECT && v.o->type == ev->trace->arrays->types.key_dtype;
}

Name key_dtype_impl(Value dtype) { return ((const KeyDType *)dtype.o)->impl; }

static const KeyArray *self_key(Value v) { return (const KeyArray *)v.o; }

static int key_rank(Eval *ev, const KeyArray *key) {
  return key->data->aval.rank - bit_dims(ev, key);
}

static Value rewrap(Eval *ev, const KeyArray *key, Value data) {
  return key_array_new(ev, (Array *)data.o, key->impl);
}

static Value key_dtype_new(Eval *ev, Name impl) {
  KeyDType *dtype = ARENA_NEW(ev->arena, KeyDType);
  *dtype = (KeyDType){{ev->trace->arrays->types.key_dtype}, impl};
  return v_object(dtype);
}

Value key_struct_new(Eval *ev, const Aval *data, Name impl) {
  size_t rank = data->rank - key_impl_find(ev, impl)->rank;
  Value of[] = {make_tuple_i64(ev, rank, data->dims), key_dtype_new(ev, impl)};
  return value_call_n(ev, module_lookup(ev, "jax.core", "KeyStruct"), COUNT_OF(of), of);
}

bool value_as_key_struct(Eval *ev, Value v, Aval *data, Name *impl) {
  const ArrayNames *n = array_names(ev);
  if (v.kind != V_OBJECT || !value_isinstance(ev, v, module_lookup(ev, "jax.core", "KeyAval")))
    return false;
  *impl = key_dtype_impl(value_getattr(ev, v, n->dtype));
  *data = (Aval){.dtype = DT_U32};
  size_t rank = take_array_shape(ev, value_getattr(ev, v, n->shape), data->dims, "shape");
  const KeyImpl *kind = key_impl_find(ev, *impl);
  if (rank + kind->rank > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "the key array has too many dimensions");
  memcpy(data->dims + rank, kind->dims, kind->rank * sizeof *kind->dims);
  data->rank = (uint8_t)(rank + kind->rank);
  return true;
}

static Value key_getattr(Eval *ev, Value self, Name name) {
  const ArrayNames *n = array_names(ev);
  const KeyArray *key = self_key(self);
  const Aval *aval = &key->data->aval;
  int rank = key_rank(ev, key);
  if (name == n->shape) return make_tuple_i64(ev, (size_t)rank, aval->dims);
  if (name == n->ndim) return v_int(rank);
  if (name == n->size) return v_int(aval_count(aval) / key_words(ev, key));
  if (name == n->dtype) return key_dtype_new(ev, key->impl);
  if (name == n->weak_type) return v_bool(false);
  if (name == n->aval) {
    Value of[] = {key_getattr(ev, self, n->shape), key_getattr(ev, self, n->dtype)};
    return value_call_n(ev, module_lookup(ev, "jax.core", "KeyAval"), COUNT_OF(of), of);
  }
  if (name == n->T) return value_call_n(ev, module_lookup(ev, "jax.numpy", "transpose"), 1, &self);
  if (name == n->at)
    return value_call_n(ev, module_lookup(ev, "jax.random._key_arrays", "Places"), 1, &self);
  return v_unbound();
}

// The index on the keys as one on their data: an ellipsis stands for dimensions of keys only.
static Value data_index(Eval *ev, const KeyArray *key, Value index) {
  Tuple *tuple = value_as_tuple(index);
  size_t count = tuple ? tuple->count : 1;
  const Value *items = tuple ? tuple->items : &index;
  bool ellipsis = false;
  for (size_t i = 0; i < count; i++) ellipsis = ellipsis || items[i].kind == V_ELLIPSIS;
  if (!ellipsis) return index;
  size_t extra = (size_t)bit_dims(ev, key);
  Tuple *all = tuple_new(ev, count + extra);
  for (size_t i = 0; i < count; i++) all->items[i] = items[i];
  for (size_t i = 0; i < extra; i++)
    all->items[count + i] = make_slice(ev, v_none(), v_none(), v_none());
  return v_object(all);
}

static Value key_getitem(Eval *ev, Value self, Value index) {
  const KeyArray *key = self_key(self);
  Tuple *tuple = value_as_tuple(index);
  size_t taken = 0;
  for (size_t i = 0; i < (tuple ? tuple->count : 1); i++) {
    Value item = tuple ? tuple->items[i] : index;
    taken += !v_is_none(item) && item.kind != V_ELLIPSIS;
  }
  if ((int)taken > key_rank(ev, key))
    eval_raise(ev, ev->types.IndexError,
               "Too many indices: array is %d-dimensional, but %zu were indexed", key_rank(ev, key),
               taken);
  return rewrap(ev, key, array_getitem(ev, v_object(key->data), data_index(ev, key, index)));
}

static int64_t key_len(Eval *ev, Value self) {
  const KeyArray *key = self_key(self);
  if (key_rank(ev, key) == 0) eval_raise(ev, ev->types.TypeError, "len() of unsized object");
  return key->data->aval.dims[0];
}

static bool key_truth(Eval *ev, Value self UNUSED) {
  eval_raise(ev, ev->types.TypeError, "key array cannot be converted to boolean.");
}

static Value key_iter(Eval *ev, Value self) {
  if (key_rank(ev, self_key(self)) == 0)
    eval_raise(ev, ev->types.TypeError, "iteration over a 0-d key array");
  int64_t n = key_len(ev, self);
  Tuple *items = tuple_new(ev, (size_t)n);
  for (int64_t i = 0; i < n; i++) items->items[i] = key_getitem(ev, self, v_int(i));
  return value_iter(ev, v_object(items));
}

static Str key_repr(Eval *ev, Value self) {
  const KeyArray *key = self_key(self);
  Str shape = shape_text(ev->arena, (size_t)key_rank(ev, key), key->data->aval.dims);
  if (value_is_traced(ev, self))
    return str_format(ev->arena, "JitTracer(key<%.*s>%.*s)", STR_FMT(tag(ev, key->impl)),
                      STR_FMT(shape));
  NdArray *data = array_concrete(ev, v_object(key->data), "printing");
  return str_format(ev->arena, "Array(%.*s, dtype=key<%.*s>) overlaying:\n%.*s", STR_FMT(shape),
                    STR_FMT(tag(ev, key->impl)), STR_FMT(nd_str(ev, data)));
}

static Value key_compare(Eval *ev, CompareOp op, Value left, Value right) {
  if (op > CMP_NE || !value_is_key(ev, left) || !value_is_key(ev, right))
    return v_not_implemented();
  Value same =
      array_compare(ev, CMP_EQ, v_object(self_key(left)->data), v_object(self_key(right)->data));
  Value axis = v_int(-1);
  Value all = value_call_method(ev, same, "all", 1, &axis);
  return op == CMP_EQ ? all : array_unary(ev, UN_INVERT, all);
}

static const char *operand_dtype(Eval *ev, Value v) {
  Aval aval;
  if (value_is_key(ev, v))
    return str_format(ev->arena, "%.*s",
                      STR_FMT(value_str(ev, value_getattr(ev, v, array_names(ev)->dtype))))
        .data;
  return value_aval(ev, v, false, &aval) ? dtype_name(aval.dtype) : value_type_name(ev, v);
}

static Value key_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  eval_raise(ev, ev->types.TypeError, "%s does not accept dtypes %s, %s.",
             primitive_name(binary_op_text(op)), operand_dtype(ev, left), operand_dtype(ev, right));
}

static Value key_reshape(Eval *ev, Value *a) {
  const KeyArray *key = self_key(a[0]);
  Tuple *args = value_as_tuple(a[1]);
  int64_t dims[IR_MAX_RANK], n;
  bool single = args->count == 1 && !value_as_int(ev, args->items[0], &n);
  size_t rank = take_array_shape(ev, single ? args->items[0] : a[1], dims, "shape");
  array_fit_shape(ev, (size_t)key_rank(ev, key), key->data->aval.dims, rank, dims);
  const KeyImpl *impl = key_impl_find(ev, key->impl);
  if (rank + impl->rank > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "the key array has too many dimensions");
  for (size_t i = 0; i < impl->rank; i++) dims[rank++] = impl->dims[i];
  return rewrap(ev, key,
                ops_of_arrays(ev)->reshaped(ev, v_object(key->data), make_tuple_i64(ev, rank, dims),
                                            make_str_c(ev, "C")));
}

static Value key_flatten(Eval *ev, Value *a) {
  Value minus_one = v_int(-1);
  Value args[2] = {a[0], make_tuple(ev, 1, &minus_one)};
  return key_reshape(ev, args);
}

// A method that jax.numpy has as a function of the keys and of what else is there.
static Value of_module(Eval *ev, const char *name, size_t count, Value *a) {
  return value_call_n(ev, module_lookup(ev, "jax.numpy", name), count, a);
}

static Value key_squeeze(Eval *ev, Value *a) { return of_module(ev, "squeeze", 2, a); }

static Value key_swapaxes(Eval *ev, Value *a) { return of_module(ev, "swapaxes", 3, a); }

static Value key_transpose(Eval *ev, Value *a) { // self, *axes
  Tuple *axes = value_as_tuple(a[1]);
  int64_t n;
  bool single = axes->count == 1 && !value_as_int(ev, axes->items[0], &n);
  Value args[] = {a[0], axes->count == 0 ? v_none() : single ? axes->items[0] : a[1]};
  return of_module(ev, "transpose", 2, args);
}

static Value key_self(Eval *ev UNUSED, Value *a) { return a[0]; }

static Value key_array_protocol(Eval *ev, Value *a UNUSED) {
  eval_raise(ev, ev->types.TypeError,
             "JAX array with PRNGKey dtype cannot be converted to a NumPy array. Use "
             "jax.random.key_data(arr) if you wish to "
             "extract the underlying integer array.");
}

// Its data is an array that may be deleted.
static Value of_data(Eval *ev, Value key, const char *method) {
  return value_call_method(ev, v_object(((KeyArray *)key.o)->data), method, 0, NULL);
}

static Value key_is_deleted(Eval *ev, Value *a) { return of_data(ev, a[0], "is_deleted"); }

static Value key_delete(Eval *ev, Value *a) { return of_data(ev, a[0], "delete"); }

static Value key_block_until_ready(Eval *ev, Value *a) {
  of_data(ev, a[0], "block_until_ready");
  return a[0];
}

static const NativeDef key_methods[] = {
    {"is_deleted(self)", key_is_deleted},
    {"delete(self)", key_delete},
    {"reshape(self, *shape)", key_reshape},
    {"ravel(self)", key_flatten},
    {"flatten(self)", key_flatten},
    {"squeeze(self, axis=None)", key_squeeze},
    {"swapaxes(self, axis1, axis2)", key_swapaxes},
    {"transpose(self, *axes)", key_transpose},
    {"copy(self)", key_self},
    {"block_until_ready(self)", key_block_until_ready},
    {"__array__(self, dtype=None, copy=None)", key_array_protocol},
    {NULL, NULL},
};

static Str key_dtype_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "key<%.*s>", STR_FMT(tag(ev, ((const KeyDType *)self.o)->impl)));
}

static Value key_dtype_compare(Eval *ev, CompareOp op, Value left, Value right) {
  if (op > CMP_NE) return v_not_implemented();
  bool equal = value_is_key_dtype(ev, left) && value_is_key_dtype(ev, right) &&
               ((const KeyDType *)left.o)->impl == ((const KeyDType *)right.o)->impl;
  return v_bool(equal == (op == CMP_EQ));
}

static uint64_t key_dtype_hash(Eval *ev UNUSED, Value self) {
  return ((const KeyDType *)self.o)->impl->hash;
}

static Value key_dtype_getattr(Eval *ev, Value self, Name name) {
  const ArrayNames *n = array_names(ev);
  if (name == n->__name__) return make_str_c(ev, "prng_key"); // its category, for issubdtype
  if (name == n->name) return make_str(ev, key_dtype_repr(ev, self));
  if (name == n->itemsize) return v_int(8);
  if (str_equal(name_str(name), STR("_impl")))
    return make_name(ev, ((const KeyDType *)self.o)->impl);
  return v_unbound();
}

void key_array_init(Eval *ev) {
  static const TypeSlots key = {.getattr = key_getattr,
                                .getitem = key_getitem,
                                .len = key_len,
                                .truth = key_truth,
                                .iter = key_iter,
                                .repr = key_repr,
                                .compare = key_compare,
                                .binary = key_binary};
  static const TypeSlots dtype = {.repr = key_dtype_repr,
                                  .compare = key_dtype_compare,
                                  .hash = key_dtype_hash,
                                  .getattr = key_dtype_getattr};
  ArrayTypes *types = &ev->trace->arrays->types;
  types->key_array = type_new_native(ev, "jax._src.random.prng", "PRNGKeyArray", types->array_base,
                                     &key, key_methods);
  types->key_dtype = type_new_native(ev, "jax.dtypes", "key", NULL, &dtype, NULL);
}
