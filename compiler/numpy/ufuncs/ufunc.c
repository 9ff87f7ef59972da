// SPDX-License-Identifier: Apache-2.0
// Arithmetic on host arrays with NumPy 2's dtype rules: types of results, operands brought to them
// and to one shape, and the loop that computes the elements (loops/).
#include "numpy/arrays/nd_convert.h"
#include "ufunc.h"
#include "base/float_function.h"
#include "numpy/loops/loops.h"
#include "numpy/dtypes/dtype_object.h"
#include "nd_errors.h"
#include "numpy/arrays/nd_broadcast.h"
#include "numpy/arrays/nd_layout.h"
#include "numpy/dtypes/nd_promote.h"
#include "nd_scalar_op.h"
#include "numpy/arrays/nd_watch.h"
#include "numpy/arrays/nd_shape.h"
#include "numpy/numpy_state.h"
#include "python/modules/module.h"
#include "python/numbers/bigint.h"
#include "python/objects/protocol.h"
#include "python/objects/type_find.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include <float.h>
#include <math.h>
#include <string.h>

// ---- the table ----------------------------------------------------------------------------------

typedef enum UfuncKind { UNARY, BINARY, COMPARE, REDUCE } UfuncKind;

#define NUMPY_NAME(id, name)
static const struct {
  const char *name;
  UfuncKind kind;
} ufuncs[UFUNC_COUNT] = {
#define FLOAT_FUNCTION(id, name, value) [UFUNC_##id] = {name, UNARY},
#include "base/float_function.def"
#undef FLOAT_FUNCTION
#define UFUNC(id, name, class) [UFUNC_##id] = {name, class},
#include "ufunc.def"
#undef UFUNC
#undef NUMPY_NAME
};
static const char *const numpy_names[UFUNC_COUNT] = {
#define UFUNC(id, name, class)
#define NUMPY_NAME(id, name) [UFUNC_##id] = name,
#include "ufunc.def"
#undef UFUNC
#undef NUMPY_NAME
};
_Static_assert((int)UFUNC_RECIPROCAL == (int)FLOAT_RECIPROCAL, "float functions come first");

const char *ufunc_numpy_name(Ufunc code) {
  return numpy_names[code] ? numpy_names[code] : ufuncs[code].name;
}

bool ufunc_from_name(Str name, Ufunc *out) {
  for (size_t i = 0; i < UFUNC_COUNT; i++) {
    if (!str_equal(name, str_from_c(ufuncs[i].name))) continue;
    *out = (Ufunc)i;
    return true;
  }
  return false;
}

// ---- arrays -------------------------------------------------------------------------------------

typedef struct Operand {
  NdArray *nd;
  bool python;      // made from a Python scalar
  bool is_borrowed; // in a Number of who computes
  Value beyond;     // the Python int that no integer type holds; nd is its double, if it has one
} Operand;

// Room for a number of Python as an array, for as long as something is computed with it.
typedef struct Number {
  NdArray nd;
  NdBuffer buffer;
  _Alignas(16) char element[16];
} Number;

static NdArray *number_in(Eval *ev, Number *room, DType dtype) {
  NdArray *nd = &room->nd;
  nd->base.type = ev->numpy->nd_array;
  nd->dtype = dtype;
  nd->rank = 0;
  nd->is_scalar = nd->readonly = nd->is_view = false;
  nd->buffer = &room->buffer;
  nd->data = room->buffer.bytes = room->element;
  room->buffer.size = sizeof room->element;
  room->buffer.owner = nd;
  room->buffer.source = NULL;
  return nd;
}

// What a class of the program has under the name, of which v is an object; else V_UNBOUND.
static Value of_program_class(Eval *ev, Value v, const char *name) {
  if (v.kind != V_OBJECT || !v.o->type->is_heap || value_is_type(ev, v)) return v_unbound();
  return type_find(ev, v.o->type, name_intern_c(ev->session->interner, name));
}

// Refuses what has a function of its own in the place of ufuncs. False: it takes no ufuncs.
static bool refuse_own_ufuncs(Eval *ev, Value v) {
  Value protocol = of_program_class(ev, v, "__array_ufunc__");
  if (protocol.kind != V_NONE && !v_is_unbound(protocol))
    eval_raise(ev, ev->types.NotImplementedError,
               "'__array_ufunc__' of class '%s' is not supported: ufuncs compute arrays themselves",
               value_type_name(ev, v));
  return protocol.kind != V_NONE;
}

static bool is_made_array(Eval *ev, Value v) {
  if (!refuse_own_ufuncs(ev, v)) return false;
  return !v_is_unbound(of_program_class(ev, v, "__array__")) &&
         v_is_unbound(of_program_class(ev, v, "__array_priority__"));
}

// False: not something NumPy would take (a jax.Array, a string …).
static bool take_operand(Eval *ev, Value v, Operand *out, Number *room) {
  if (room && (v.kind == V_BOOL || v.kind == V_INT || v.kind == V_FLOAT)) {
    DType dtype = v.kind == V_BOOL ? DT_BOOL : v.kind == V_INT ? DT_I64 : DT_F64;
    *out = (Operand){.nd = number_in(ev, room, dtype), .python = true, .is_borrowed = true};
    if (v.kind == V_FLOAT)
      memcpy(room->element, &v.f, sizeof v.f);
    else
      dtype_store_i64(dtype, room->element, v.i);
    return true;
  }
  uint64_t bits;
  double number;
  if (value_is_big(v) && !big_as_u64(v, &bits)) {
    if (!big_as_double(v, &number)) number = big_sign(v) < 0 ? -HUGE_VAL : HUGE_VAL;
    *out = (Operand){.nd = nd_from_value(ev, v_float(number), DT_COUNT, "an operand"),
                     .python = true,
                     .beyond = v};
    return true;
  }
  if (value_is_python_number(ev, v)) {
    *out = (Operand){.nd = nd_from_value(ev, v, DT_COUNT, "an operand"), .python = true};
    return true;
  }
  if (!value_is_nd(ev, v) && !value_as_list(v) && !value_as_tuple(v) && !is_made_array(ev, v))
    return false;
  *out = (Operand){.nd = nd_from_value(ev, v, DT_COUNT, "an operand")};
  return true;
}

bool nd_is_operand(Eval *ev, Value v) {
  Operand o;
  Number room;
  return take_operand(ev, v, &o, &room);
}

static Operand need_operand(Eval *ev, Value v, Number *room) {
  Operand o;
  if (take_operand(ev, v, &o, room)) return o;
  if (of_program_class(ev, v, "__array_ufunc__").kind == V_NONE)
    eval_raise(ev, ev->types.TypeError,
               "operand '%s' does not support ufuncs (__array_ufunc__=None)",
               value_type_name(ev, v));
  return (Operand){.nd = nd_from_value(ev, v, DT_COUNT, "an operand")};
}

// A borrowed number as one of the type that is computed in, in other room. Ints become floats by
// way of doubles, as NumPy reads them.
static void settle(Eval *ev, Operand *o, DType dtype, Number *room) {
  static const int64_t still[ND_WALK_MAX] = {0};
  bool is_narrow = dtype != DT_F64 && (dtype_is_float(dtype) || dtype_is_complex(dtype));
  if (is_narrow && o->nd->dtype == DT_I64) settle(ev, o, DT_F64, room);
  NdLoop *loop = o->is_borrowed && o->nd->dtype != dtype ? nd_cast_loop(o->nd->dtype, dtype) : NULL;
  if (!loop) return;
  loop((char *[]){room->element, o->nd->data}, still, 1);
  o->nd = number_in(ev, room, dtype);
}

static bool is_compare(Ufunc code) { return ufuncs[code].kind == COMPARE; }

static NORETURN void raise_unsupported(Eval *ev, Ufunc code) {
  eval_raise(ev, ev->types.TypeError,
             "ufunc '%s' not supported for the input types, and the inputs could not be safely "
             "coerced to any supported types according to the casting rule ''safe''",
             ufunc_numpy_name(code));
}

// Whether ml_dtypes has loops of its integers for an operation.
static bool has_narrow_integers(Ufunc code) {
  return code == UFUNC_ADD || code == UFUNC_SUB || code == UFUNC_MUL || code == UFUNC_FLOORDIV ||
         code == UFUNC_MOD || is_compare(code);
}

static DType common_dtype(Ufunc code, Operand x, Operand y) {
  DType common = nd_promote(x.nd->dtype, x.python, y.nd->dtype, y.python);
  if (!dtype_is_extension(common) || dtype_is_float(common) || has_narrow_integers(code))
    return common;
  DType other = nd_promote(y.nd->dtype, y.python, x.nd->dtype, x.python);
  return dtype_is_float(other) ? other : nd_promote_own(x.nd->dtype, y.nd->dtype);
}

// The least float type that holds both: of u16 and i16 float32, though i32 needs more.
static DType inexact_dtype(DType common, Operand x, Operand y) {
  if (dtype_is_extension(common)) return common;
  return x.python || y.python
             ? nd_inexact(common)
             : nd_promote(nd_inexact(x.nd->dtype), false, nd_inexact(y.nd->dtype), false);
}

// The type that the operands are brought to, and that the result has (of comparisons: bool).
static DType result_dtype(Eval *ev, Ufunc code, Operand x, Operand y) {
  DType common = common_dtype(code, x, y);
  bool is_inexact = dtype_is_float(common) || dtype_is_complex(common);
  switch (code) {
  case UFUNC_DIV:
    if (dtype_is_extension(x.nd->dtype) || dtype_is_extension(y.nd->dtype))
      return inexact_dtype(common, x, y);
    return is_inexact ? common : DT_F64;
  case UFUNC_ATAN2:
  case UFUNC_HYPOT:
  case UFUNC_LOGADDEXP:
  case UFUNC_LOGADDEXP2:
  case UFUNC_COPYSIGN:
  case UFUNC_NEXTAFTER: return inexact_dtype(common, x, y);
  case UFUNC_SUB:
    if (common == DT_BOOL)
      eval_raise(ev, ev->types.TypeError,
                 "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, "
                 "the `^` operator, or the logical_xor function instead.");
    return common;
  case UFUNC_REM:
  case UFUNC_MOD:
  case UFUNC_FLOORDIV:
  case UFUNC_POW:
  case UFUNC_SHL:
  case UFUNC_SHR: return common == DT_BOOL ? DT_I8 : common;
  default: return common;
  }
}

// Python ints that a type does not hold are refused, but for comparisons, which are made in a wider
// type.
static DType python_int_dtype(Eval *ev, Ufunc code, Operand o, DType dtype) {
  if (!o.python || !dtype_is_integer(o.nd->dtype) || !dtype_is_integer(dtype) ||
      o.nd->dtype == dtype)
    return dtype;
  bool is_negative = o.nd->dtype == DT_I64 && nd_get_i64(o.nd, 0) < 0;
  if (!is_compare(code)) {
    nd_check_python_int(ev, nd_item(ev, o.nd, 0), dtype);
    return dtype;
  }
  if (dtype == DT_U64 || o.nd->dtype == DT_U64)
    return is_negative || dtype != DT_U64 ? DT_F64 : DT_U64;
  return DT_I64;
}

// Either operand's elements that were never written make the result's so. Masks are beyond this:
// `&` and `|` leave out what one side of them decides.
static void moved_by(Eval *ev, Ufunc code, const NdArray *out, const NdArray *x, const NdArray *y) {
  if (code != UFUNC_AND && code != UFUNC_OR)
    nd_moved(ev, out, nd_is_partly_unwritten(ev, x) ? x : y);
}

// NumPy's integers have no fractions to give.
static void check_powers(Eval *ev, const NdArray *exponents) {
  if (dtype_kind(exponents->dtype) != 'i' || nd_count(exponents) == 0) return;
  const NdArray *least = nd_reduce(ev, UFUNC_REDUCE_MIN, exponents, (1u << exponents->rank) - 1,
                                   false, DT_COUNT, v_none());
  if (nd_get_i64(least, 0) < 0)
    eval_raise(ev, ev->types.ValueError, "Integers to negative integer powers are not allowed.");
}

// Of the type, and as it lay.
static const NdArray *converted(Eval *ev, const NdArray *x, DType dtype) {
  if (x->dtype == dtype) return x;
  return nd_is_contiguous(x) ? nd_cast(ev, x, dtype)
                             : nd_in_order(ev, nd_view(ev, x), dtype, 'K', true);
}

static const NdArray *operand(Eval *ev, const NdArray *x, DType dtype, DType work, size_t rank,
                              const int64_t *dims) {
  x = converted(ev, converted(ev, x, dtype), work);
  bool is_whole = x->rank == rank && memcmp(x->dims, dims, rank * sizeof *dims) == 0;
  return is_whole ? x : nd_broadcast(ev, x, rank, dims);
}

// What an operation does to two operands: the type that they become, the one that is computed in,
// and the loop.
typedef struct Resolved {
  DType dtype, work;
  NdLoop *loop;
} Resolved;

// A Python int beyond every integer type: beside integers it can be compared and divided only.
static void check_beyond_integers(Eval *ev, Ufunc code, Operand o, Operand other) {
  if (v_is_unbound(o.beyond)) return;
  DType dtype = other.nd->dtype;
  bool is_number = dtype_is_integer(dtype) || !v_is_unbound(other.beyond);
  if (!is_number && dtype != DT_BOOL) return;
  if (is_compare(code) && dtype_is_integer(dtype))
    dtype_store_f64(DT_F64, o.nd->data, big_sign(o.beyond) < 0 ? -HUGE_VAL : HUGE_VAL);
  else if (code != UFUNC_DIV)
    nd_check_python_int(ev, o.beyond, DT_I64);
}

// Beside floats it is their nearest double.
static void check_beyond_floats(Eval *ev, Ufunc code, Operand o, Operand other) {
  if (v_is_unbound(o.beyond) || (is_compare(code) && dtype_is_integer(other.nd->dtype))) return;
  nd_python_int_as_double(ev, o.beyond);
}

static Resolved resolve(Eval *ev, Ufunc code, Operand x, Operand y) {
  check_beyond_integers(ev, code, x, y);
  check_beyond_integers(ev, code, y, x);
  DType dtype = result_dtype(ev, code, x, y);
  dtype = python_int_dtype(ev, code, x, python_int_dtype(ev, code, y, dtype));
  DType work = nd_binary_loop(code, dtype) ? dtype : nd_compute_dtype(dtype);
  NdLoop *loop = nd_binary_loop(code, work);
  if (!loop || (dtype_is_float(dtype) && !nd_binary_loop(code, DT_F32)))
    raise_unsupported(ev, code);
  check_beyond_floats(ev, code, x, y);
  check_beyond_floats(ev, code, y, x);
  return (Resolved){dtype, work, loop};
}

// Elements of an array as a loop comes by them in the order in which those of `out` lie: one after
// the other, or the same each time.
static bool is_in_row(const NdArray *nd, const NdArray *out, int64_t *step) {
  int64_t size = (int64_t)dtype_size(nd->dtype), own = (int64_t)dtype_size(out->dtype);
  bool is_along = true, is_still = true;
  for (int d = 0; d < nd->rank; d++) {
    if (nd->dims[d] == 1) continue;
    is_along = is_along && nd->strides[d] * own == out->strides[d] * size;
    is_still = is_still && nd->strides[d] == 0;
  }
  *step = is_still ? 0 : size;
  return is_along || is_still;
}

// No element of another array lies between those of this one, which may be written.
static bool is_dense(const NdArray *nd) {
  int64_t last = 0;
  for (int d = 0; d < nd->rank; d++) {
    if (nd->strides[d] < 0) return false;
    last += (nd->dims[d] - 1) * nd->strides[d];
  }
  return last == (nd_count(nd) - 1) * (int64_t)dtype_size(nd->dtype);
}

enum { WATCHED_ROW = 2048 }; // elements that are still in the first cache when they are looked at

// A walk over the result and one or two operands, after which `true`: all of the result are
// numbers. It is looked at in rows, right after each.
static bool walk_finite(NdLoop *loop, size_t count, const NdArray *const *arrays) {
  int64_t strides[ND_WALK_MAX], all = nd_count(arrays[0]);
  bool in_rows = all > 1 && is_dense(arrays[0]), is_finite = true;
  for (size_t i = 0; in_rows && i < count; i++)
    in_rows = is_in_row(arrays[i], arrays[0], &strides[i]);
  if (!in_rows) {
    nd_walk(loop, count, arrays);
    return false;
  }
  for (int64_t at = 0, n; at < all; at += n) {
    n = all - at < WATCHED_ROW ? all - at : WATCHED_ROW;
    char *data[ND_WALK_MAX];
    for (size_t i = 0; i < count; i++) data[i] = arrays[i]->data + at * strides[i];
    loop(data, strides, n);
    is_finite = nd_all_within(arrays[0]->dtype, data[0], n, DBL_MAX) && is_finite;
  }
  return is_finite;
}

static bool shares(const NdArray *x, const NdArray *y) { return x->buffer == y->buffer; }

// What was made of an operand for the loop, and of a number of Python for that.
static void drop_made(Eval *ev, Operand o, const NdArray *used) {
  bool is_cast = used != o.nd && !used->is_view; // else it is a view
  if (is_cast) nd_discard(ev, used);
  if (o.python && !o.is_borrowed) nd_discard(ev, o.nd);
}

// A result in the type that was computed in, which nobody else has, as one of its own type.
static NdArray *narrowed(Eval *ev, NdArray *wide, DType dtype) {
  NdArray *out = nd_in_order(ev, wide, dtype, 'K', true);
  nd_discard(ev, wide);
  return out;
}

// `into`: where the result goes if it has the type and the shape, and the operands may be read
// while it is written; or NULL.
static NdArray *binary(Eval *ev, Ufunc code, Resolved r, Operand x, Operand y, NdArray *into,
                       bool scalar) {
  NdArray *both[] = {x.nd, y.nd};
  uint8_t rank;
  int64_t dims[ND_MAX_RANK];
  if (!nd_common_shape(2, both, &rank, dims))
    eval_raise(ev, ev->types.ValueError,
               "operands could not be broadcast together with shapes %.*s %.*s ",
               STR_FMT(shape_close_text(ev->arena, x.nd->rank, x.nd->dims)),
               STR_FMT(shape_close_text(ev->arena, y.nd->rank, y.nd->dims)));
  bool is_empty = false;
  for (int d = 0; d < rank; d++) is_empty |= dims[d] == 0;
  if (code == UFUNC_POW && dtype_is_integer(r.dtype) && !is_empty) check_powers(ev, y.nd);
  const NdArray *a = operand(ev, x.nd, r.dtype, r.work, rank, dims),
                *b = operand(ev, y.nd, r.dtype, r.work, rank, dims);
  bool fits = into && !is_compare(code) && r.work == r.dtype && into->dtype == r.dtype &&
              into->rank == rank && memcmp(into->dims, dims, rank * sizeof *dims) == 0;
  bool watched = nd_errors_watched(ev, code, r.dtype);
  if (watched && nd_errors_by_value(code) && into && (shares(into, a) || shares(into, b)))
    fits = false;
  const NdArray *const operands[] = {a, b};
  DType made = is_compare(code) ? DT_BOOL : r.work;
  NdArray *out = fits ? into : nd_new_beside(ev, made, 2, operands);
  const NdArray *const all[] = {out, a, b};
  bool by_value = watched && nd_errors_by_value(code) && dtype_is_float(r.work);
  if (!by_value)
    nd_walk(r.loop, 3, all);
  else if (walk_finite(r.loop, 3, all))
    watched = false;
  if (watched) nd_errors_report(ev, code, scalar, out, a, b);
  if (!is_compare(code) && r.work != r.dtype) {
    nd_errors_of_narrowing(ev, out, r.dtype, scalar, ufunc_numpy_name(code));
    out = narrowed(ev, out, r.dtype);
  }
  moved_by(ev, code, out, a, b);
  drop_made(ev, x, a);
  drop_made(ev, y, b);
  return out;
}

// The logical operations are those of bits, of what the operands are as truth values.
static Ufunc as_truth(Eval *ev, Ufunc code, Operand *x, Operand *y) {
  Ufunc bits = code == UFUNC_LOGICAL_AND  ? UFUNC_AND
               : code == UFUNC_LOGICAL_OR ? UFUNC_OR
                                          : UFUNC_XOR;
  if (code != UFUNC_LOGICAL_AND && code != UFUNC_LOGICAL_OR && code != UFUNC_LOGICAL_XOR)
    return code;
  if (x->nd->dtype != DT_BOOL) x->nd = nd_cast(ev, x->nd, DT_BOOL);
  if (y->nd->dtype != DT_BOOL) y->nd = nd_cast(ev, y->nd, DT_BOOL);
  x->python = y->python = false;
  return bits;
}

// The result of an operator of two integers of a type, which may be beyond the type.
static bool wraps(Ufunc code, const NdArray *x, const NdArray *y) {
  bool is_signed = dtype_is_signed(x->dtype);
  int64_t a = nd_get_i64(x, 0), b = nd_get_i64(y, 0);
  __int128 l = is_signed ? (__int128)a : (__int128)(uint64_t)a,
           r = is_signed ? (__int128)b : (__int128)(uint64_t)b;
  __int128 exact = code == UFUNC_ADD ? l + r : code == UFUNC_SUB ? l - r : l * r;
  return exact < (__int128)dtype_int_min(x->dtype) || exact > (__int128)dtype_int_max(x->dtype);
}

// A loop of one element. Where the result may be an error it is computed again, and looked at.
static void run_single(Eval *ev, Ufunc code, NdLoop *loop, NdArray *out, const NdArray *x,
                       const NdArray *y, bool scalar) {
  static const int64_t still[ND_WALK_MAX] = {0};
  char *const data[] = {out->data, x->data, y ? y->data : NULL};
  loop(data, still, 1);
  if (!nd_errors_possible(ev, out) || !nd_errors_watched(ev, code, x->dtype)) return;
  loop(data, still, 1);
  nd_errors_report(ev, code, scalar, out, x, y);
}

// Of one element each, which lie in the type that is computed in: no arrays are made.
static Value single(Eval *ev, Ufunc code, Resolved r, const NdArray *x, const NdArray *y,
                    bool scalar) {
  NdArray *out = nd_new(ev, is_compare(code) ? DT_BOOL : r.dtype, 0, NULL);
  run_single(ev, code, r.loop, out, x, y, scalar);
  bool may_wrap = scalar && dtype_is_integer(r.dtype) &&
                  (code == UFUNC_ADD || code == UFUNC_SUB || code == UFUNC_MUL);
  if (may_wrap && wraps(code, x, y))
    nd_errors_found(ev, 1u << ND_ERROR_OVER, true, ufunc_numpy_name(code));
  return v_object(nd_as_scalar(ev, out));
}

// `scalar`: an operator of NumPy's scalars, and numbers of Python.
static Value computed(Eval *ev, Ufunc code, Operand x, Operand y, bool scalar) {
  code = as_truth(ev, code, &x, &y);
  Resolved r = resolve(ev, code, x, y);
  Number left, right;
  if (r.work == r.dtype) settle(ev, &x, r.dtype, &left), settle(ev, &y, r.dtype, &right);
  bool is_single = x.nd->rank == 0 && y.nd->rank == 0 && r.work == r.dtype && code != UFUNC_POW &&
                   !ev->numpy->hooks.moved;
  if (is_single) {
    const NdArray *a = nd_as(ev, x.nd, r.dtype), *b = nd_as(ev, y.nd, r.dtype);
    Value result = single(ev, code, r, a, b, scalar);
    drop_made(ev, x, a);
    drop_made(ev, y, b);
    return result;
  }
  return nd_value(ev, binary(ev, code, r, x, y, NULL, scalar));
}

Value nd_binary(Eval *ev, Ufunc code, Value x, Value y) {
  Number left, right;
  return computed(ev, code, need_operand(ev, x, &left), need_operand(ev, y, &right), false);
}

void ufunc_check_store(Eval *ev, const char *name, DType from, DType to) {
  if (nd_can_cast(from, to, CAST_SAME_KIND)) return;
  eval_raise(ev, (Type *)module_lookup(ev, "numpy", "_UFuncTypeError").o,
             "Cannot cast ufunc '%s' output from %.*s to %.*s with casting rule 'same_kind'", name,
             STR_FMT(value_repr(ev, make_dtype(ev, from))),
             STR_FMT(value_repr(ev, make_dtype(ev, to))));
}

// Elements of y may be read when those of x in their place have been written.
static bool meets(const NdArray *x, const NdArray *y) {
  if (x->buffer != y->buffer) return false;
  size_t size = x->rank * sizeof *x->dims;
  return !(x->data == y->data && x->rank == y->rank && memcmp(x->dims, y->dims, size) == 0 &&
           memcmp(x->strides, y->strides, size) == 0);
}

Value nd_inplace(Eval *ev, Ufunc code, Value left, Value right) {
  Operand x = {.nd = (NdArray *)left.o}, y;
  Number room;
  if (x.nd->is_scalar || !take_operand(ev, right, &y, &room)) return v_not_implemented();
  if (x.nd->readonly) eval_raise(ev, ev->types.ValueError, "output array is read-only");
  Resolved r = resolve(ev, code, x, y);
  ufunc_check_store(ev, ufunc_numpy_name(code), r.dtype, x.nd->dtype);
  const NdArray *result = binary(ev, code, r, x, y, meets(x.nd, y.nd) ? NULL : x.nd, false);
  if (result == x.nd) return left;
  bool fits = result->rank == x.nd->rank;
  for (int d = 0; fits && d < x.nd->rank; d++) fits = result->dims[d] == x.nd->dims[d];
  if (!fits)
    eval_raise(ev, ev->types.ValueError,
               "non-broadcastable output operand with shape %.*s doesn't match the broadcast shape "
               "%.*s",
               STR_FMT(shape_close_text(ev->arena, x.nd->rank, x.nd->dims)),
               STR_FMT(shape_close_text(ev->arena, result->rank, result->dims)));
  nd_copy(x.nd, nd_as(ev, result, x.nd->dtype));
  nd_moved(ev, x.nd, result);
  return left;
}

static bool keeps_integers(Ufunc code) {
  return code == UFUNC_NEG || code == UFUNC_ABS || code == UFUNC_SIGN || code == UFUNC_FLOOR ||
         code == UFUNC_CEIL || code == UFUNC_TRUNC || code == UFUNC_NOT ||
         code == UFUNC_RECIPROCAL || code == UFUNC_SQUARE;
}

// What is no float is finite.
static NdArray *tested(Eval *ev, Ufunc code, const NdArray *x, NdArray *into) {
  bool fits = into && into->dtype == DT_BOOL && into->rank == x->rank &&
              memcmp(into->dims, x->dims, x->rank * sizeof *x->dims) == 0;
  NdArray *out = fits ? into : nd_new_beside(ev, DT_BOOL, 1, &x);
  if (code == UFUNC_SIGNBIT && dtype_is_complex(x->dtype)) raise_unsupported(ev, code);
  if (dtype_is_float(x->dtype)) x = converted(ev, x, nd_compute_dtype(x->dtype));
  if (code == UFUNC_SIGNBIT && dtype_is_signed(x->dtype) && !nd_test_loop(code, x->dtype))
    x = converted(ev, x, DT_F64);
  NdLoop *loop = nd_test_loop(code, x->dtype);
  if (loop) {
    nd_walk(loop, 2, (const NdArray *const[]){out, x});
    return out;
  }
  NdArray *same = nd_new(ev, DT_BOOL, 0, NULL);
  *same->data = code == UFUNC_IS_FINITE;
  nd_copy(out, nd_broadcast(ev, same, out->rank, out->dims));
  return out;
}

// Functions that have no loop of their own: element by element, in double.
static void by_element(NdArray *out, Ufunc code, const NdArray *x) {
  for (int64_t i = 0, n = nd_count(x); i < n; i++)
    dtype_store_f64(out->dtype, (char *)nd_element(out, i),
                    float_function((FloatFunction)code, nd_get_f64(x, i)));
}

static NdArray *magnitudes(Eval *ev, const NdArray *x) {
  NdArray *out = nd_new_beside(ev, dtype_of_parts(x->dtype), 1, &x);
  nd_walk(nd_magnitude_loop(x->dtype), 2, (const NdArray *const[]){out, x});
  return out;
}

// `into` as in binary().
static NdArray *unary(Eval *ev, Ufunc code, const NdArray *x, NdArray *into) {
  if (code == UFUNC_IS_FINITE || code == UFUNC_IS_INF || code == UFUNC_IS_NAN ||
      code == UFUNC_SIGNBIT)
    return tested(ev, code, x, into);
  if (code == UFUNC_LOGICAL_NOT) {
    x = converted(ev, x, DT_BOOL);
    code = UFUNC_NOT;
  }
  if (code == UFUNC_CONJ && !dtype_is_complex(x->dtype))
    return nd_in_order(ev, nd_view(ev, x), x->dtype == DT_BOOL ? DT_I8 : x->dtype, 'K', true);
  if (code == UFUNC_ABS && dtype_is_complex(x->dtype)) return magnitudes(ev, x);
  if (dtype_is_integer(x->dtype)) x = converted(ev, x, nd_promote_own(x->dtype, x->dtype));
  bool integers = (dtype_is_integer(x->dtype) || x->dtype == DT_BOOL) && keeps_integers(code);
  bool counts = code == UFUNC_RECIPROCAL || code == UFUNC_SQUARE;
  DType own = x->dtype == DT_BOOL && counts ? DT_I8 : x->dtype;
  DType dtype = integers ? own : nd_inexact(x->dtype),
        work = nd_unary_loop(code, dtype) ? dtype : nd_compute_dtype(dtype);
  if (x->dtype == DT_BOOL && code == UFUNC_NEG)
    eval_raise(ev, ev->types.TypeError,
               "The numpy boolean negative, the `-` operator, is not supported, use the `~` "
               "operator or the logical_not function instead.");
  if (x->dtype == DT_BOOL && code == UFUNC_SIGN) raise_unsupported(ev, code);
  NdLoop *loop = nd_unary_loop(code, work);
  if (!loop && (!dtype_is_float(work) || (int)code > (int)FLOAT_RECIPROCAL))
    raise_unsupported(ev, code);
  const NdArray *operand = converted(ev, converted(ev, x, dtype), work);
  bool fits = into && work == dtype && into->dtype == dtype && into->rank == x->rank &&
              memcmp(into->dims, x->dims, x->rank * sizeof *x->dims) == 0;
  bool watched = nd_errors_watched(ev, code, dtype);
  if (watched && nd_errors_by_value(code) && into && shares(into, operand)) fits = false;
  NdArray *out = fits ? into : nd_new_beside(ev, work, 1, &operand);
  const NdArray *const both[] = {out, operand};
  if (!loop)
    by_element(out, code, operand);
  else if (!watched || !nd_errors_by_value(code))
    nd_walk(loop, 2, both);
  else if (walk_finite(loop, 2, both))
    watched = false;
  if (watched) nd_errors_report(ev, code, false, out, operand, NULL);
  if (operand != x && !operand->is_view) nd_discard(ev, operand);
  if (work == dtype) return out;
  nd_errors_of_narrowing(ev, out, dtype, false, ufunc_numpy_name(code));
  return narrowed(ev, out, dtype);
}

// Of one number in a type that is computed in: no arrays are made. Unbound: another operand, or a
// function that is none of one loop.
static Value unary_single(Eval *ev, Ufunc code, Value v) {
  Number room;
  Operand x;
  bool is_one = v.kind == V_FLOAT || (v.kind == V_OBJECT && v.o->type->slots.is_own &&
                                      value_is_nd(ev, v) && ((NdArray *)v.o)->rank == 0);
  if (!is_one || ev->numpy->hooks.moved || code == UFUNC_LOGICAL_NOT ||
      !take_operand(ev, v, &x, &room) || (x.nd->dtype != DT_F32 && x.nd->dtype != DT_F64))
    return v_unbound();
  DType dtype = x.nd->dtype;
  NdLoop *loop = nd_unary_loop(code, dtype);
  if (!loop) return v_unbound();
  nd_look_at(ev, x.nd);
  NdArray *out = nd_new(ev, dtype, 0, NULL);
  run_single(ev, code, loop, out, x.nd, NULL, false);
  return v_object(nd_as_scalar(ev, out));
}

Value nd_unary(Eval *ev, Ufunc code, Value v) {
  Value single = unary_single(ev, code, v);
  if (!v_is_unbound(single)) return single;
  refuse_own_ufuncs(ev, v);
  const NdArray *x = nd_from_value(ev, v, DT_COUNT, "an operand");
  NdArray *out = unary(ev, code, x, NULL);
  nd_moved(ev, out, x);
  return nd_value(ev, out);
}

Value nd_computed_into(Eval *ev, Ufunc code, NdArray *into, Value left, Value right) {
  Number x_room, y_room;
  Operand x = need_operand(ev, left, &x_room), y = {0};
  bool is_binary = !v_is_unbound(right);
  DType to = into->dtype;
  bool is_readonly = into->readonly; // reported first, by who stores
  if (is_binary) {
    y = need_operand(ev, right, &y_room);
    code = as_truth(ev, code, &x, &y);
  }
  if (into->readonly || into->is_scalar || meets(into, x.nd) || (is_binary && meets(into, y.nd)))
    into = NULL;
  NdArray *out;
  if (is_binary) {
    Resolved r = resolve(ev, code, x, y);
    // Types are judged before shapes.
    if (!is_readonly)
      ufunc_check_store(ev, ufunc_numpy_name(code), is_compare(code) ? DT_BOOL : r.dtype, to);
    out = binary(ev, code, r, x, y, into, false);
  } else {
    out = unary(ev, code, x.nd, into);
  }
  if (!is_binary) nd_moved(ev, out, x.nd);
  return out == into ? v_object(out) : nd_value(ev, out);
}

Value nd_operator(Eval *ev, Ufunc code, Value left, Value right) {
  Value single = nd_scalar_operator(ev, code, left, right);
  if (!v_is_unbound(single)) return single;
  Operand x, y;
  Number x_room, y_room;
  if (!take_operand(ev, left, &x, &x_room) || !take_operand(ev, right, &y, &y_room))
    return v_not_implemented();
  bool scalar = (x.python || x.nd->is_scalar) && (y.python || y.nd->is_scalar);
  return computed(ev, code, x, y, scalar);
}
