// SPDX-License-Identifier: Apache-2.0
// numpy.ndarray and the NumPy scalars at trace time: storage, views, conversion from and to Python
// values.
#include "nd.h"
#include "jax/program/eager.h"
#include <string.h>

// ---- storage ------------------------------------------------------------------------------------

int64_t nd_count(const NdArray *nd) {
  int64_t count = 1;
  for (int i = 0; i < nd->rank; i++) count *= nd->dims[i];
  return count;
}

static void set_contiguous(NdArray *nd, size_t rank, const int64_t *dims) {
  nd->rank = (uint8_t)rank;
  int64_t stride = (int64_t)dtype_size(nd->dtype);
  for (size_t i = rank; i-- > 0;) {
    nd->dims[i] = dims[i];
    nd->strides[i] = stride;
    stride *= dims[i] ? dims[i] : 1;
  }
}

NdArray *nd_new(Eval *ev, DType dtype, size_t rank, const int64_t *dims) {
  if (rank > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError,
               "maximum supported dimension for an ndarray is %d, found %zu", IR_MAX_RANK, rank);
  int64_t bytes = (int64_t)dtype_size(dtype);
  for (size_t i = 0; i < rank; i++) {
    if (dims[i] < 0) eval_raise(ev, ev->types.ValueError, "negative dimensions are not allowed");
    if (!mul_i64(bytes, dims[i] ? dims[i] : 1, &bytes))
      eval_raise(ev, ev->types.ValueError, "array is too big");
  }
  NdArray *nd = ARENA_NEW(ev->arena, NdArray);
  nd->base.type = ev->trace->types.nd_array;
  nd->dtype = dtype;
  set_contiguous(nd, rank, dims);
  nd->buffer = ARENA_NEW(ev->arena, NdBuffer);
  nd->buffer->size = (size_t)bytes;
  nd->buffer->bytes = arena_alloc(ev->arena, (size_t)bytes);
  nd->data = nd->buffer->bytes;
  return nd;
}

static Type *scalar_class(Eval *ev, DType dtype) { return ev->trace->types.nd_scalars[dtype]; }

static void make_scalar(Eval *ev, NdArray *nd) {
  nd->is_scalar = true;
  nd->readonly = true;
  nd->base.type = scalar_class(ev, nd->dtype);
}

NdArray *nd_scalar(Eval *ev, DType dtype, const void *element) {
  NdArray *nd = nd_new(ev, dtype, 0, NULL);
  memcpy(nd->data, element, dtype_size(dtype));
  make_scalar(ev, nd);
  return nd;
}

NdArray *nd_view(Eval *ev, const NdArray *base) {
  NdArray *view = arena_dup(ev->arena, base, sizeof *base);
  view->base.type = ev->trace->types.nd_array;
  view->is_scalar = false;
  return view;
}

NdArray *nd_contiguous(Eval *ev, const NdArray *nd) {
  if (host_is_contiguous(nd)) return (NdArray *)nd;
  NdArray *out = nd_new(ev, nd->dtype, nd->rank, nd->dims);
  size_t size = dtype_size(nd->dtype);
  int64_t count = nd_count(nd);
  for (int64_t i = 0; i < count; i++)
    memcpy(out->data + (size_t)i * size, host_element(nd, i), size);
  run_moved(ev, out, nd);
  return out;
}

double nd_get_f64(const NdArray *nd, int64_t i) {
  return dtype_load_f64(nd->dtype, host_element(nd, i));
}

int64_t nd_get_i64(const NdArray *nd, int64_t i) {
  return dtype_load_i64(nd->dtype, host_element(nd, i));
}

// One element converted; integers never pass through doubles.
static void convert_element(DType from, const char *source, DType to, char *target) {
  if (from == to)
    memcpy(target, source, dtype_size(to));
  else if (to == DT_BOOL)
    *target = dtype_is_float(from) ? dtype_load_f64(from, source) != 0
                                   : dtype_load_i64(from, source) != 0;
  else if (dtype_is_float(from))
    dtype_store_f64(to, target, dtype_load_f64(from, source));
  else if (from == DT_U64 && dtype_is_float(to))
    dtype_store_f64(to, target, (double)(uint64_t)dtype_load_i64(from, source));
  else
    dtype_store_i64(to, target, dtype_load_i64(from, source));
}

NdArray *nd_cast(Eval *ev, const NdArray *nd, DType dtype) {
  NdArray *out = nd_new(ev, dtype, nd->rank, nd->dims);
  int64_t count = nd_count(nd);
  for (int64_t i = 0; i < count; i++)
    convert_element(nd->dtype, host_element(nd, i), dtype,
                    out->data + (size_t)i * dtype_size(dtype));
  run_moved(ev, out, nd);
  return out;
}

Value nd_value(Eval *ev, NdArray *nd) {
  if (nd->rank == 0 && !nd->is_scalar) {
    nd = nd_scalar(ev, nd->dtype, nd->data);
  }
  return v_object(nd);
}

static Value to_python(Eval *ev, const NdArray *nd, int axis, int64_t base) {
  if (axis == nd->rank) return host_item(ev, nd, base);
  List *list = list_new(ev, (size_t)nd->dims[axis]);
  for (int64_t i = 0; i < nd->dims[axis]; i++)
    list_push(ev, list, to_python(ev, nd, axis + 1, base * nd->dims[axis] + i));
  return v_object(list);
}

Value nd_to_python(Eval *ev, const NdArray *nd) { return to_python(ev, nd, 0, 0); }

// ---- from Python values -------------------------------------------------------------------------

// A nest of lists as it is being read: shape, and the promotion of all leaves.
typedef struct Nest {
  Eval *ev;
  const char *what;
  size_t rank;
  int64_t dims[IR_MAX_RANK];
  bool any, python; // any leaf seen; all leaves so far are Python scalars
  DType dtype;
  VEC(Value) leaves; // Python scalars or NdArrays of the rest of the shape
} Nest;

static NdArray *as_nd(Eval *ev, Value v) {
  if (value_is_nd(ev, v)) return (NdArray *)v.o;
  if (value_is_array(ev, v)) return array_concrete(ev, v, "an argument of a NumPy function");
  if (v.kind == V_OBJECT && !value_as_list(v) && !value_as_tuple(v)) {
    Value method = value_getattr_opt(ev, v, name_intern_c(ev->session->interner, "__array__"));
    if (!v_is_unbound(method) && !value_is_type(ev, v)) {
      Value made = value_call_n(ev, method, 0, NULL);
      if (value_is_nd(ev, made)) return (NdArray *)made.o;
    }
  }
  return NULL;
}

static void see_dtype(Nest *nest, DType dtype, bool python) {
  if (!nest->any) {
    nest->dtype = dtype;
    nest->python = python;
  } else {
    nest->dtype = nd_promote(nest->dtype, nest->python, dtype, python);
    if (nest->python && python && dtype_kind(dtype) != dtype_kind(nest->dtype))
      nest->dtype = nd_promote(nest->dtype, false, dtype, false);
    nest->python &= python;
  }
  nest->any = true;
}

static NORETURN void raise_ragged(Nest *nest) {
  eval_raise(nest->ev, nest->ev->types.ValueError,
             "setting an array element with a sequence. The requested array has an inhomogeneous "
             "shape after %zu dimensions",
             nest->rank);
}

static void check_dim(Nest *nest, size_t depth, int64_t n, bool known) {
  if (depth >= IR_MAX_RANK)
    eval_raise(nest->ev, nest->ev->types.ValueError, "%s: too many dimensions", nest->what);
  if (!known) {
    nest->dims[depth] = n;
    nest->rank = depth + 1;
  } else if (depth >= nest->rank || nest->dims[depth] != n) {
    raise_ragged(nest);
  }
}

static void read_nest(Nest *nest, Value v, size_t depth, bool known) {
  Eval *ev = nest->ev;
  NdArray *nd = as_nd(ev, v);
  if (nd) {
    for (int i = 0; i < nd->rank; i++) check_dim(nest, depth + (size_t)i, nd->dims[i], known);
    if (known && depth + nd->rank != nest->rank) raise_ragged(nest);
    see_dtype(nest, nd->dtype, false);
    VEC_PUSH(ev->arena, &nest->leaves, v_object(nd));
    return;
  }
  const Tuple *tuple = value_as_tuple(v);
  const List *list = tuple ? NULL : value_as_list(v);
  Tuple *others = NULL;
  if (!tuple && !list && v.kind == V_OBJECT && (v.o->type == ev->types.range))
    tuple = others = value_to_tuple(ev, v);
  if (tuple || list) {
    size_t n = tuple ? tuple->count : list->count;
    check_dim(nest, depth, (int64_t)n, known);
    for (size_t i = 0; i < n; i++)
      read_nest(nest, tuple ? tuple->items[i] : list->items[i], depth + 1, known || i > 0);
    return;
  }
  if (known && depth != nest->rank) raise_ragged(nest);
  Value scalar = value_unwrap(v);
  switch (scalar.kind) {
  case V_BOOL: see_dtype(nest, DT_BOOL, true); break;
  case V_INT: see_dtype(nest, DT_I64, true); break;
  case V_FLOAT: see_dtype(nest, DT_F64, true); break;
  default:
    eval_raise(ev, ev->types.TypeError, "%s: cannot make an array of a value of type %s",
               nest->what, value_type_name(ev, v));
  }
  VEC_PUSH(ev->arena, &nest->leaves, scalar);
}

static void store_python(DType dtype, char *target, Value v) {
  if (v.kind == V_FLOAT)
    dtype_store_f64(dtype, target, v.f);
  else
    dtype_store_i64(dtype, target, v.i);
}

NdArray *nd_from_value(Eval *ev, Value v, DType dtype, const char *what) {
  NdArray *whole = as_nd(ev, v);
  if (whole) return dtype == DT_COUNT || dtype == whole->dtype ? whole : nd_cast(ev, whole, dtype);
  Nest nest = {.ev = ev, .what = what, .dtype = DT_F64};
  read_nest(&nest, v, 0, false);
  if (dtype == DT_COUNT) dtype = nest.dtype;
  NdArray *out = nd_new(ev, dtype, nest.rank, nest.dims);
  char *target = out->data;
  size_t size = dtype_size(dtype);
  for (size_t i = 0; i < nest.leaves.count; i++) {
    Value leaf = nest.leaves.items[i];
    if (leaf.kind != V_OBJECT) {
      store_python(dtype, target, leaf);
      target += size;
      continue;
    }
    const NdArray *nd = (const NdArray *)leaf.o;
    int64_t count = nd_count(nd);
    for (int64_t j = 0; j < count; j++, target += size)
      convert_element(nd->dtype, host_element(nd, j), dtype, target);
  }
  return out;
}

// ---- attributes ---------------------------------------------------------------------------------

NdArray *nd_transposed(Eval *ev, const NdArray *nd, const int64_t *perm) {
  NdArray *out = nd_view(ev, nd);
  for (int i = 0; i < nd->rank; i++) {
    out->dims[i] = nd->dims[perm[i]];
    out->strides[i] = nd->strides[perm[i]];
  }
  return out;
}

static Value reversed_axes(Eval *ev, const NdArray *nd) {
  int64_t perm[IR_MAX_RANK];
  for (int i = 0; i < nd->rank; i++) perm[i] = nd->rank - 1 - i;
  return v_object(nd_transposed(ev, nd, perm));
}

static Value matrix_transposed(Eval *ev, const NdArray *nd) {
  int64_t perm[IR_MAX_RANK];
  if (nd->rank < 2)
    eval_raise(ev, ev->types.ValueError, "matrix transpose with ndim < 2 is undefined");
  for (int i = 0; i < nd->rank - 2; i++) perm[i] = i;
  perm[nd->rank - 2] = nd->rank - 1;
  perm[nd->rank - 1] = nd->rank - 2;
  return v_object(nd_transposed(ev, nd, perm));
}

static Value nd_getattr(Eval *ev, Value self, Name name) {
  const NdArray *nd = (const NdArray *)self.o;
  const ArrayNames *n = array_names(ev);
  if (name == n->shape) return make_tuple_i64(ev, nd->rank, nd->dims);
  if (name == n->dtype) return make_dtype(ev, nd->dtype);
  if (name == n->ndim) return v_int(nd->rank);
  if (name == n->size) return v_int(nd_count(nd));
  if (name == n->itemsize) return v_int((int64_t)dtype_size(nd->dtype));
  if (name == n->nbytes) return v_int(nd_count(nd) * (int64_t)dtype_size(nd->dtype));
  if (name == n->T) return reversed_axes(ev, nd);
  if (name == n->mT) return matrix_transposed(ev, nd);
  if (name == n->real) return self;
  return v_unbound();
}

static int64_t nd_len(Eval *ev, Value self) {
  const NdArray *nd = (const NdArray *)self.o;
  if (nd->rank == 0) eval_raise(ev, ev->types.TypeError, "len() of unsized object");
  return nd->dims[0];
}

static bool nd_truth(Eval *ev, Value self) {
  const NdArray *nd = (const NdArray *)self.o;
  if (nd_count(nd) != 1)
    eval_raise(ev, ev->types.ValueError,
               nd_count(nd) ? "The truth value of an array with more than one element is "
                              "ambiguous. Use a.any() or a.all()"
                            : "The truth value of an empty array is ambiguous. Use `array.size > "
                              "0` to check that an array is not empty.");
  return value_truth(ev, host_item(ev, nd, 0));
}

static uint64_t nd_hash(Eval *ev, Value self) {
  const NdArray *nd = (const NdArray *)self.o;
  if (!nd->is_scalar) eval_raise(ev, ev->types.TypeError, "unhashable type: 'numpy.ndarray'");
  return value_hash(ev, host_item(ev, nd, 0));
}

static int64_t nd_index(Eval *ev, Value self) {
  const NdArray *nd = (const NdArray *)self.o;
  char kind = dtype_kind(nd->dtype);
  if (nd->rank != 0 || kind == 'f')
    eval_raise(ev, ev->types.TypeError,
               "only integer scalar arrays can be converted to a scalar index");
  return nd_get_i64(nd, 0);
}

static Str slot_repr(Eval *ev, Value self) {
  return nd_repr(ev, (const NdArray *)self.o, nd_print_options(ev));
}

static Str slot_str(Eval *ev, Value self) { return nd_str(ev, (const NdArray *)self.o); }

static Str slot_format(Eval *ev, Value self, Str spec) {
  const NdArray *nd = (const NdArray *)self.o;
  if (nd->rank == 0) return value_format(ev, host_item(ev, nd, 0), spec);
  if (spec.len)
    eval_raise(ev, ev->types.TypeError,
               "unsupported format string passed to numpy.ndarray.__format__");
  return nd_str(ev, nd);
}

// ---- iteration: over the first dimension --------------------------------------------------------

typedef struct NdIterator {
  Object base;
  Value array;
  int64_t next;
} NdIterator;

static Value nd_iter(Eval *ev, Value self) {
  if (((const NdArray *)self.o)->rank == 0)
    eval_raise(ev, ev->types.TypeError, "iteration over a 0-d array");
  NdIterator *it = ARENA_NEW(ev->arena, NdIterator);
  *it = (NdIterator){{ev->trace->types.nd_iterator}, self, 0};
  return v_object(it);
}

static bool iterator_next(Eval *ev, Value self, Value *out) {
  NdIterator *it = (NdIterator *)self.o;
  if (it->next >= ((const NdArray *)it->array.o)->dims[0]) return false;
  *out = value_getitem(ev, it->array, v_int(it->next++));
  return true;
}

static Value iterator_self(Eval *ev UNUSED, Value self) { return self; }

// ---- types --------------------------------------------------------------------------------------

// np.float32(x): a scalar of a scalar, an array of a sequence.
static Value scalar_new(Eval *ev, Value *a) {
  const Type *cls = (const Type *)a[0].o;
  DType dtype = DT_COUNT;
  for (int d = 0; d < DT_COUNT; d++)
    for (size_t i = 0; i < cls->mro_count; i++)
      if (cls->mro[i] == ev->trace->types.nd_scalars[d]) dtype = (DType)d;
  if (dtype == DT_COUNT)
    eval_raise(ev, ev->types.TypeError, "cannot create '%s' instances", cls->name->text);
  Str text;
  Value v = v_is_unbound(a[1]) ? v_int(0) : a[1];
  if (value_as_str(v, &text)) v = value_call_n(ev, v_object(ev->types.floating), 1, &v);
  NdArray *nd = nd_cast(ev, nd_from_value(ev, v, DT_COUNT, cls->name->text), dtype);
  return nd_value(ev, nd);
}

static const NativeDef scalar_methods[] = {
    {"__new__(cls, value=0, /)", scalar_new},
    {NULL, NULL},
};

static Type *abstract_scalar(Eval *ev, const char *name, Type *base, const TypeSlots *slots) {
  return type_new_native(ev, "numpy", name, base, slots, scalar_methods);
}

void nd_init(Eval *ev) {
  ArrayTypes *types = &ev->trace->types;
  TypeSlots slots = {.getattr = nd_getattr,
                     .len = nd_len,
                     .truth = nd_truth,
                     .hash = nd_hash,
                     .index = nd_index,
                     .repr = slot_repr,
                     .str = slot_str,
                     .format = slot_format,
                     .iter = nd_iter,
                     .binary = nd_slot_binary,
                     .unary = nd_slot_unary,
                     .compare = nd_slot_compare,
                     .getitem = nd_getitem,
                     .setitem = nd_setitem};
  TypeSlots *kept = arena_dup(ev->arena, &slots, sizeof slots);
  types->nd_array = type_new_native(ev, "numpy", "ndarray", NULL, kept, nd_methods);
  types->nd_generic = type_new_native(ev, "numpy", "generic", NULL, kept, nd_methods);
  static const TypeSlots iterator = {.iter = iterator_self, .next = iterator_next};
  types->nd_iterator = type_new_native(ev, "numpy", "iterator", NULL, &iterator, NULL);
  Type *number = abstract_scalar(ev, "number", types->nd_generic, kept);
  Type *integer = abstract_scalar(ev, "integer", number, kept),
       *inexact = abstract_scalar(ev, "inexact", number, kept);
  Type *is_signed = abstract_scalar(ev, "signedinteger", integer, kept),
       *is_unsigned = abstract_scalar(ev, "unsignedinteger", integer, kept);
  Type *floating = abstract_scalar(ev, "floating", inexact, kept);
  types->nd_categories[0] = number, types->nd_categories[1] = integer,
  types->nd_categories[2] = is_signed;
  types->nd_categories[3] = is_unsigned, types->nd_categories[4] = inexact,
  types->nd_categories[5] = floating;
  for (int d = 0; d < DT_COUNT; d++) {
    char kind = dtype_kind((DType)d);
    bool own =
        d != DT_I4 && d != DT_U4 && !(kind == 'f' && d != DT_F16 && d != DT_F32 && d != DT_F64);
    Type *base = !own || kind == 'b' ? types->nd_generic
                 : kind == 'i'       ? is_signed
                 : kind == 'u'       ? is_unsigned
                                     : floating;
    types->nd_scalars[d] = type_new_native(ev, own ? "numpy" : "ml_dtypes", dtype_name((DType)d),
                                           base, kept, scalar_methods);
  }
}
