// SPDX-License-Identifier: Apache-2.0
// The types numpy.ndarray, generic and the scalar types: attributes, text, iteration, operators.
#include "dtype_object.h"
#include "nd_format.h"
#include "nd_index.h"
#include "nd_methods.h"
#include "numpy_state.h"
#include "ufunc.h"
#include "python/builtins/builtin_wrap.h"
#include "python/modules/module.h"
#include "python/objects/make.h"
#include "python/objects/protocol.h"
#include "python/objects/raise.h"
#include "python/objects/type.h"
#include "python/objects/value_call.h"
#include "python/objects/values.h"

// ---- attributes ---------------------------------------------------------------------------------

static Value reversed_axes(Eval *ev, const NdArray *nd) {
  int64_t perm[ND_MAX_RANK];
  for (int i = 0; i < nd->rank; i++) perm[i] = nd->rank - 1 - i;
  return v_object(nd_transposed(ev, nd, perm));
}

static Value matrix_transposed(Eval *ev, const NdArray *nd) {
  int64_t perm[ND_MAX_RANK];
  if (nd->rank < 2)
    eval_raise(ev, ev->types.ValueError, "matrix transpose with ndim < 2 is undefined");
  for (int i = 0; i < nd->rank - 2; i++) perm[i] = i;
  perm[nd->rank - 2] = nd->rank - 1;
  perm[nd->rank - 1] = nd->rank - 2;
  return v_object(nd_transposed(ev, nd, perm));
}

static Value nd_getattr(Eval *ev, Value self, Name name) {
  const NdArray *nd = (const NdArray *)self.o;
  const NdNames *n = &ev->numpy->names;
  if (name == n->shape) return make_tuple_i64(ev, nd->rank, nd->dims);
  if (name == n->dtype) return make_dtype(ev, nd->dtype);
  if (name == n->ndim) return v_int(nd->rank);
  if (name == n->size) return v_int(nd_count(nd));
  if (name == n->itemsize) return v_int((int64_t)dtype_size(nd->dtype));
  if (name == n->nbytes) return v_int(nd_count(nd) * (int64_t)dtype_size(nd->dtype));
  if (name == n->strides) return make_tuple_i64(ev, nd->rank, nd->strides);
  if (name == n->flags)
    return value_call_n(ev, module_lookup(ev, "numpy", "_flags"), 2,
                        (Value[]){self, v_bool(!nd->readonly)});
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
  return value_truth(ev, nd_item(ev, nd, 0));
}

static uint64_t nd_hash(Eval *ev, Value self) {
  const NdArray *nd = (const NdArray *)self.o;
  if (!nd->is_scalar) eval_raise(ev, ev->types.TypeError, "unhashable type: 'numpy.ndarray'");
  return value_hash(ev, nd_item(ev, nd, 0));
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
  if (nd->rank == 0) return value_format(ev, nd_item(ev, nd, 0), spec);
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
  *it = (NdIterator){{ev->numpy->nd_iterator}, self, 0};
  return v_object(it);
}

static bool iterator_next(Eval *ev, Value self, Value *out) {
  NdIterator *it = (NdIterator *)self.o;
  if (it->next >= ((const NdArray *)it->array.o)->dims[0]) return false;
  *out = value_getitem(ev, it->array, v_int(it->next++));
  return true;
}

// ---- operators ----------------------------------------------------------------------------------

static Value slot_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  static const Ufunc codes[BIN_COUNT] = {[BIN_ADD] = UFUNC_ADD,
                                         [BIN_SUB] = UFUNC_SUB,
                                         [BIN_MUL] = UFUNC_MUL,
                                         [BIN_DIV] = UFUNC_DIV,
                                         [BIN_FLOOR_DIV] = UFUNC_FLOORDIV,
                                         [BIN_MOD] = UFUNC_MOD,
                                         [BIN_POW] = UFUNC_POW,
                                         [BIN_SHL] = UFUNC_SHL,
                                         [BIN_SHR] = UFUNC_SHR,
                                         [BIN_AND] = UFUNC_AND,
                                         [BIN_OR] = UFUNC_OR,
                                         [BIN_XOR] = UFUNC_XOR};
  if (op == BIN_MATMUL) {
    bool knows = nd_is_operand(ev, left) && nd_is_operand(ev, right);
    return knows ? nd_matmul(ev, left, right) : v_not_implemented();
  }
  return nd_operator(ev, codes[op], left, right);
}

static Value slot_unary(Eval *ev, UnaryOp op, Value self) {
  if (op == UN_POS) return self;
  return nd_unary(ev, op == UN_NEG ? UFUNC_NEG : UFUNC_NOT, self);
}

static Value slot_compare(Eval *ev, CompareOp op, Value left, Value right) {
  static const Ufunc codes[] = {[CMP_EQ] = UFUNC_EQ, [CMP_NE] = UFUNC_NE, [CMP_LT] = UFUNC_LT,
                                [CMP_LE] = UFUNC_LE, [CMP_GT] = UFUNC_GT, [CMP_GE] = UFUNC_GE};
  return nd_operator(ev, codes[op], left, right);
}

// ---- types --------------------------------------------------------------------------------------

// np.float32(x): a scalar of a scalar, an array of a sequence.
static Value scalar_new(Eval *ev, Value *a) {
  const Type *cls = (const Type *)a[0].o;
  DType dtype = DT_COUNT;
  for (int d = 0; d < DT_COUNT; d++)
    for (size_t i = 0; i < cls->mro_count; i++)
      if (cls->mro[i] == ev->numpy->nd_scalars[d]) dtype = (DType)d;
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

void nd_type_init(Eval *ev) {
  NumpyState *types = ev->numpy;
  TypeSlots slots = {.getattr = nd_getattr,
                     .len = nd_len,
                     .truth = nd_truth,
                     .hash = nd_hash,
                     .index = nd_index,
                     .repr = slot_repr,
                     .str = slot_str,
                     .format = slot_format,
                     .iter = nd_iter,
                     .binary = slot_binary,
                     .unary = slot_unary,
                     .compare = slot_compare,
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
        dtype_bits((DType)d) >= 8 && !(kind == 'f' && d != DT_F16 && d != DT_F32 && d != DT_F64);
    Type *base = !own || kind == 'b' ? types->nd_generic
                 : kind == 'i'       ? is_signed
                 : kind == 'u'       ? is_unsigned
                                     : floating;
    types->nd_scalars[d] = type_new_native(ev, own ? "numpy" : "ml_dtypes", dtype_name((DType)d),
                                           base, kept, scalar_methods);
  }
}
