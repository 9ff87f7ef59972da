// SPDX-License-Identifier: Apache-2.0
// The types numpy.ndarray, generic and the scalar types: attributes, text, iteration, operators.
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_convert.h"
#include "numpy/dtypes/dtype_object.h"
#include "numpy/ufuncs/nd_errors.h"
#include "numpy/text/nd_format.h"
#include "numpy/methods/nd_index.h"
#include "numpy/methods/nd_methods.h"
#include "numpy_state.h"
#include "numpy/ufuncs/ufunc.h"
#include "python/builtins/builtin_wrap.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/numbers/bigint.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/objects/operators.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include <float.h>
#include <math.h>
#include <string.h>

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

// The real or the imaginary parts: views, but for the zeros that numbers of the line have.
static Value part(Eval *ev, Value self, bool imaginary) {
  const NdArray *nd = (const NdArray *)self.o;
  NdArray *parts;
  if (dtype_is_complex(nd->dtype)) {
    parts = nd_parts(ev, nd, imaginary);
  } else if (!imaginary) {
    return self;
  } else {
    parts = nd_new(ev, nd->dtype, nd->rank, nd->dims);
    parts->readonly = true;
  }
  return nd->is_scalar ? nd_value(ev, parts) : v_object(parts);
}

static Value real_part(Eval *ev, Value self) { return part(ev, self, false); }
static Value imaginary_part(Eval *ev, Value self) { return part(ev, self, true); }

// Of float64, which would have those of Python's float.
static const NativeGetter part_getters[] = {{"real", real_part}, {"imag", imaginary_part}, {0}};

static Value nd_base(const NdArray *nd) {
  const NdBuffer *buffer = nd->buffer;
  if (nd->is_view) return v_object(&buffer->owner->base);
  return buffer->source ? v_object(buffer->source) : v_none();
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
  if (name == n->__array_interface__)
    return value_call_n(ev, module_lookup(ev, "numpy._flags", "_interface"), 2,
                        (Value[]){self, v_bool(nd->readonly)});
  if (name == n->data) return nd_memory(ev, self);
  if (name == n->base) return nd_base(nd);
  if (name == n->T) return reversed_axes(ev, nd);
  if (name == n->mT) return matrix_transposed(ev, nd);
  if (name == n->real) return part(ev, self, false);
  if (name == n->imag) return part(ev, self, true);
  if (name == n->flat) return value_call_n(ev, module_lookup(ev, "numpy", "flatiter"), 1, &self);
  return v_unbound();
}

static bool nd_setattr(Eval *ev, Value self, Name name, Value value) {
  const NdArray *nd = (const NdArray *)self.o;
  const NdNames *n = &ev->numpy->names;
  if (nd->is_scalar) return false;
  if (name == n->real || name == n->imag) {
    if (name == n->imag && !dtype_is_complex(nd->dtype))
      eval_raise(ev, ev->types.TypeError, "array does not have imaginary part to set");
    nd_setitem(ev, part(ev, self, name == n->imag), v_ellipsis(), value);
    return true;
  }
  if (name == n->shape) {
    nd_set_shape(ev, (NdArray *)self.o, value);
    return true;
  }
  if (name == n->flat) {
    Value flat = nd_getattr(ev, self, name);
    value_setitem(ev, flat, make_slice(ev, v_none(), v_none(), v_none()), value);
    return true;
  }
  return false;
}

static int64_t nd_len(Eval *ev, Value self) {
  const NdArray *nd = (const NdArray *)self.o;
  if (nd->is_scalar)
    eval_raise(ev, ev->types.TypeError, "object of type '%s' has no len()",
               value_type_name(ev, self));
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
  if (nd->rank != 0 || (kind != 'i' && kind != 'u'))
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

static bool slot_number(Eval *ev, Value self, Value *out) {
  const NdArray *nd = (const NdArray *)self.o;
  if (nd->rank != 0 || dtype_is_complex(nd->dtype)) return false;
  *out = nd_item(ev, nd, 0);
  return true;
}

static void slot_discard(Eval *ev, Value self) { nd_discard(ev, (const NdArray *)self.o); }

static bool slot_is_own(Value item) { return !((const NdArray *)item.o)->is_view; }

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

static const Ufunc binary_codes[BIN_COUNT] = {
    [BIN_ADD] = UFUNC_ADD, [BIN_SUB] = UFUNC_SUB, [BIN_MUL] = UFUNC_MUL,
    [BIN_DIV] = UFUNC_DIV, [BIN_MOD] = UFUNC_MOD, [BIN_FLOOR_DIV] = UFUNC_FLOORDIV,
    [BIN_POW] = UFUNC_POW, [BIN_SHL] = UFUNC_SHL, [BIN_SHR] = UFUNC_SHR,
    [BIN_AND] = UFUNC_AND, [BIN_OR] = UFUNC_OR,   [BIN_XOR] = UFUNC_XOR};

// x ** 2 of an array, and of its own kind of number, as NumPy has it.
static bool is_square(const Eval *ev, Value left, Value right) {
  if (!(right.kind == V_INT && right.i == 2) && !(right.kind == V_FLOAT && right.f == 2))
    return false;
  const NdArray *nd = (const NdArray *)left.o;
  if (left.kind != V_OBJECT || left.o->type != ev->numpy->nd_array) return false;
  return dtype_is_float(nd->dtype) ||
         ((dtype_is_integer(nd->dtype) || nd->dtype == DT_BOOL) && right.kind == V_INT);
}

static Value slot_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  if (op == BIN_MATMUL) {
    bool knows = nd_is_operand(ev, left) && nd_is_operand(ev, right);
    return knows ? nd_matmul(ev, left, right) : v_not_implemented();
  }
  if (op == BIN_POW && is_square(ev, left, right)) return nd_unary(ev, UFUNC_SQUARE, left);
  return nd_operator(ev, binary_codes[op], left, right);
}

static Value slot_inplace(Eval *ev, BinaryOp op, Value left, Value right) {
  if (op != BIN_MATMUL) return nd_inplace(ev, binary_codes[op], left, right);
  if (((const NdArray *)left.o)->is_scalar || !nd_is_operand(ev, right)) return v_not_implemented();
  nd_setitem(ev, left, v_ellipsis(), nd_matmul(ev, left, right));
  return left;
}

static Value slot_unary(Eval *ev, UnaryOp op, Value self) {
  if (op == UN_POS) {
    const NdArray *nd = (const NdArray *)self.o;
    return nd->is_scalar ? self : v_object(nd_cast(ev, nd, nd->dtype));
  }
  if (op == UN_NEG) nd_errors_of_sign(ev, UFUNC_NEG, (const NdArray *)self.o);
  return nd_unary(ev, op == UN_NEG ? UFUNC_NEG : UFUNC_NOT, self);
}

// Whether `v` beside `nd` is compared with each number, of which none is equal.
static bool equals_no_number(const NdArray *nd, Value v) {
  Str text;
  return value_as_str(v, &text) || (!nd->is_scalar && (v_is_none(v) || v.kind == V_ELLIPSIS));
}

static Value slot_compare(Eval *ev, CompareOp op, Value left, Value right) {
  static const Ufunc codes[] = {[CMP_EQ] = UFUNC_EQ, [CMP_NE] = UFUNC_NE, [CMP_LT] = UFUNC_LT,
                                [CMP_LE] = UFUNC_LE, [CMP_GT] = UFUNC_GT, [CMP_GE] = UFUNC_GE};
  Value result = nd_operator(ev, codes[op], left, right);
  bool is_left = value_is_nd(ev, left), is_equality = op == CMP_EQ || op == CMP_NE;
  const NdArray *x = (const NdArray *)(is_left ? left : right).o;
  if (result.kind != V_NOT_IMPLEMENTED || !is_equality ||
      !equals_no_number(x, is_left ? right : left))
    return result;
  NdArray *out = nd_new_unset(ev, DT_BOOL, x->rank, x->dims);
  memset(out->data, op == CMP_NE, (size_t)nd_count(out));
  return nd_value(ev, out);
}

// Whether an element is equal, or whatever compares with all at once.
static bool nd_contains(Eval *ev, Value self, Value item) {
  if (((const NdArray *)self.o)->is_scalar)
    eval_raise(ev, ev->types.TypeError, "argument of type '%s' is not iterable",
               value_type_name(ev, self));
  Value equal = value_compare(ev, CMP_EQ, self, item);
  if (!value_is_nd(ev, equal)) return value_truth(ev, equal);
  const NdArray *found = (const NdArray *)equal.o;
  uint32_t all = (1u << found->rank) - 1;
  const NdArray *any = nd_reduce(ev, UFUNC_REDUCE_OR, found, all, false, DT_COUNT, v_none());
  return value_truth(ev, nd_item(ev, any, 0));
}

// ---- types --------------------------------------------------------------------------------------

// A float of Python as one of the usual types; v_unbound(): it has another, or is beyond it.
static Value scalar_of_float(Eval *ev, const Type *cls, double x) {
  Type *const *scalars = ev->numpy->nd_scalars;
  if (cls == scalars[DT_F64]) return v_object(nd_scalar(ev, DT_F64, &x));
  float narrow = (float)x;
  bool fits = cls == scalars[DT_F32] && isfinite(narrow) && (fabsf(narrow) >= FLT_MIN || x == 0);
  return fits ? v_object(nd_scalar(ev, DT_F32, &narrow)) : v_unbound();
}

// np.float32(x): a scalar of a scalar, an array of a sequence.
static Value scalar_new(Eval *ev, Value *a) {
  const Type *cls = (const Type *)a[0].o;
  DType dtype = DT_COUNT;
  if (a[1].kind == V_FLOAT) {
    Value scalar = scalar_of_float(ev, cls, a[1].f);
    if (!v_is_unbound(scalar)) return scalar;
  }
  for (size_t i = 0; i < cls->mro_count && dtype == DT_COUNT; i++) // itself comes first
    for (int d = 0; d < DT_COUNT && dtype == DT_COUNT; d++)
      if (cls->mro[i] == ev->numpy->nd_scalars[d]) dtype = (DType)d;
  if (dtype == DT_COUNT)
    eval_raise(ev, ev->types.TypeError, "cannot create '%s' instances", cls->name->text);
  Str text;
  Value v = v_is_unbound(a[1]) ? v_int(0) : a[1];
  if (value_as_str(v, &text)) {
    Type *python = dtype == DT_BOOL          ? ev->types.boolean
                   : dtype_is_complex(dtype) ? ev->types.complex
                   : dtype_is_integer(dtype) ? ev->types.integer
                                             : ev->types.floating;
    v = value_call_n(ev, v_object(python), 1, &v);
  }
  bool is_whole = value_is_python_number(ev, v) && dtype != DT_BOOL;
  NdArray *nd = nd_from_value(ev, v, is_whole ? dtype : DT_COUNT, cls->name->text);
  if (!is_whole || nd->dtype != dtype) nd = nd_cast(ev, nd, dtype); // not the argument's memory
  nd_errors_of_made(ev, nd, v);
  return nd_value(ev, nd);
}

// What Python's own number of that value answers.
static Value of_number(Eval *ev, Value self, const char *method) {
  Value number = nd_item(ev, (const NdArray *)self.o, 0);
  Value f = value_getattr(ev, number, name_intern_c(ev->session->interner, method));
  return value_call_n(ev, f, 0, NULL);
}

static Value scalar_is_integer(Eval *ev, Value *a) {
  bool is_float = dtype_is_float(((const NdArray *)a[0].o)->dtype);
  return is_float ? of_number(ev, a[0], "is_integer") : v_bool(true);
}

static Value scalar_ratio(Eval *ev, Value *a) { return of_number(ev, a[0], "as_integer_ratio"); }

static Value scalar_bit_count(Eval *ev, Value *a) { return of_number(ev, a[0], "bit_count"); }

static const NativeDef scalar_methods[] = {
    {"__new__(cls, value=0, /)", scalar_new},
    {NULL, NULL},
};
static const NativeDef float_methods[] = {
    {"__new__(cls, value=0, /)", scalar_new},
    {"is_integer(self, /)", scalar_is_integer},
    {"as_integer_ratio(self, /)", scalar_ratio},
    {NULL, NULL},
};
static const NativeDef integer_methods[] = {
    {"__new__(cls, value=0, /)", scalar_new},
    {"is_integer(self, /)", scalar_is_integer},
    {"bit_count(self, /)", scalar_bit_count},
    {NULL, NULL},
};

const char *const nd_category_names[ND_CATEGORIES] = {
#define CATEGORY(name, above) #name,
    ND_CATEGORY_LIST(CATEGORY)
#undef CATEGORY
};

static Type *abstract_scalar(Eval *ev, const char *name, Type *base, const TypeSlots *slots) {
  return type_new_native(ev, "numpy", name, base, slots, scalar_methods);
}

void nd_type_init(Eval *ev) {
  NumpyState *types = ev->numpy;
  TypeSlots slots = {.getattr = nd_getattr,
                     .attributes = "shape dtype ndim size itemsize nbytes strides flags data base "
                                   "T mT real imag flat __array_interface__",
                     .setattr = nd_setattr,
                     .len = nd_len,
                     .truth = nd_truth,
                     .hash = nd_hash,
                     .index = nd_index,
                     .repr = slot_repr,
                     .str = slot_str,
                     .format = slot_format,
                     .iter = nd_iter,
                     .binary = slot_binary,
                     .inplace = slot_inplace,
                     .unary = slot_unary,
                     .compare = slot_compare,
                     .getitem = nd_getitem,
                     .setitem = nd_setitem,
                     .contains = nd_contains,
                     .copies_items = true,
                     .number = slot_number,
                     .discard = slot_discard,
                     .is_own = slot_is_own};
  TypeSlots *kept = arena_dup(ev->arena, &slots, sizeof slots);
  types->nd_array = type_new_native(ev, "numpy", "ndarray", NULL, kept, nd_methods);
  types->nd_generic = type_new_native(ev, "numpy", "generic", NULL, kept, nd_methods);
  static const TypeSlots iterator = {.iter = iterator_self, .next = iterator_next};
  types->nd_iterator = type_new_native(ev, "numpy", "iterator", NULL, &iterator, NULL);
  Type *const generic = types->nd_generic, **categories = types->nd_categories;
#define CATEGORY(name, above)                                                                      \
  Type *name = categories[ND_##name] = abstract_scalar(ev, #name, above, kept);
  ND_CATEGORY_LIST(CATEGORY)
#undef CATEGORY
  for (int d = 0; d < DT_COUNT; d++) {
    char kind = dtype_kind((DType)d);
    bool own =
        dtype_bits((DType)d) >= 8 && !(kind == 'f' && d != DT_F16 && d != DT_F32 && d != DT_F64);
    Type *base = !own || kind == 'b' ? types->nd_generic
                 : kind == 'i'       ? signedinteger
                 : kind == 'u'       ? unsignedinteger
                 : kind == 'c'       ? complexfloating
                                     : floating;
    types->nd_scalars[d] =
        type_new_native(ev, own ? "numpy" : "ml_dtypes", dtype_name((DType)d), base, kept,
                        kind == 'f'                  ? float_methods
                        : kind == 'i' || kind == 'u' ? integer_methods
                                                     : scalar_methods);
  }
  Type *float64 = types->nd_scalars[DT_F64];
  type_add_base(ev, float64, ev->types.floating); // a number of Python, too
  native_type_define(ev, float64, &(NativeType){.slots = slots, .getters = part_getters});
}
