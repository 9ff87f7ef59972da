// SPDX-License-Identifier: Apache-2.0
// JAX's type promotion: a lattice of element types and the two weak kinds, whose join two
// operands meet in. Also operands brought to one type and shape.
#include "base/buf.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "primitive.h"
#include "promote.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/modules/module.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/new_value.h"
#include "array.h"
#include "key_array.h"
#include "ref.h"
#include <string.h>

// ---- the lattice --------------------------------------------------------------------------------
// A node is a dtype, or a Python int, float or complex number (weak). UP(n) is the set of nodes
// that n may become.
enum { NODE_WEAK_INT = DT_COUNT, NODE_WEAK_FLOAT, NODE_WEAK_COMPLEX, NODE_COUNT };
#define N(id)     (1u << DT_##id)
#define W_INT     (1u << NODE_WEAK_INT)
#define W_FLOAT   (1u << NODE_WEAK_FLOAT)
#define W_COMPLEX (1u << NODE_WEAK_COMPLEX)
#define UP_C64    (N(C64) | N(C128))
#define UP_F64    (N(F64) | N(C128))
#define UP_F32    (N(F32) | UP_F64 | UP_C64)
#define UP_WEAK_FLOAT                                                                              \
  (W_FLOAT | W_COMPLEX | N(F8E4M3FN) | N(F8E5M2) | N(F8E4M3B11FNUZ) | N(F8E3M4) | N(F8E4M3) |      \
   N(F8E4M3FNUZ) | N(F8E5M2FNUZ) | N(F8E8M0FNU) | N(F4E2M1FN) | N(BF16) | N(F16) | UP_F32)
#define UP_I64      (N(I64) | UP_WEAK_FLOAT)
#define UP_U64      (N(U64) | UP_WEAK_FLOAT)
#define UP_I32      (N(I32) | UP_I64)
#define UP_I16      (N(I16) | UP_I32)
#define UP_I8       (N(I8) | UP_I16)
#define UP_U32      (N(U32) | UP_I64 | UP_U64)
#define UP_U16      (N(U16) | UP_I32 | UP_U32)
#define UP_U8       (N(U8) | UP_I16 | UP_U16)
#define UP_WEAK_INT (W_INT | N(I2) | N(U2) | N(I4) | N(U4) | UP_I8 | UP_U8)

static const uint32_t up[NODE_COUNT] = {
    [DT_BOOL] = N(BOOL) | UP_WEAK_INT,
    [DT_I2] = N(I2),
    [DT_I4] = N(I4),
    [DT_I8] = UP_I8,
    [DT_I16] = UP_I16,
    [DT_I32] = UP_I32,
    [DT_I64] = UP_I64,
    [DT_U2] = N(U2),
    [DT_U4] = N(U4),
    [DT_U8] = UP_U8,
    [DT_U16] = UP_U16,
    [DT_U32] = UP_U32,
    [DT_U64] = UP_U64,
    [DT_F8E4M3FN] = N(F8E4M3FN),
    [DT_F8E5M2] = N(F8E5M2),
    [DT_F8E4M3B11FNUZ] = N(F8E4M3B11FNUZ),
    [DT_F8E3M4] = N(F8E3M4),
    [DT_F8E4M3] = N(F8E4M3),
    [DT_F8E4M3FNUZ] = N(F8E4M3FNUZ),
    [DT_F8E5M2FNUZ] = N(F8E5M2FNUZ),
    [DT_F8E8M0FNU] = N(F8E8M0FNU),
    [DT_F4E2M1FN] = N(F4E2M1FN),
    [DT_BF16] = N(BF16) | UP_F32,
    [DT_F16] = N(F16) | UP_F32,
    [DT_F32] = UP_F32,
    [DT_F64] = UP_F64,
    [DT_C64] = UP_C64,
    [DT_C128] = N(C128),
    [NODE_WEAK_INT] = UP_WEAK_INT,
    [NODE_WEAK_FLOAT] = UP_WEAK_FLOAT,
    [NODE_WEAK_COMPLEX] = W_COMPLEX | UP_C64,
};

static int node_of(DType dtype, bool weak) {
  if (!weak || dtype == DT_BOOL) return dtype;
  if (dtype_is_complex(dtype)) return NODE_WEAK_COMPLEX;
  return dtype_is_float(dtype) ? NODE_WEAK_FLOAT : NODE_WEAK_INT;
}

// The least node above both, or -1.
static int join(int a, int b) {
  uint32_t common = up[a] & up[b];
  for (int n = 0; n < NODE_COUNT; n++)
    if ((common >> n & 1) && up[n] == common) return n;
  return -1;
}

static DType dtype_of_node(const Eval *ev, int node) {
  if (node == NODE_WEAK_INT) return default_int(ev);
  if (node == NODE_WEAK_COMPLEX) return canonical_dtype(ev, DT_C128);
  return node == NODE_WEAK_FLOAT ? default_float(ev) : (DType)node;
}

// DT_COUNT: there is no common type.
DType promote_dtypes(const Eval *ev, DType a, bool a_weak, DType b, bool b_weak, bool *weak) {
  if (a == b && !(a_weak && b_weak)) {
    *weak = false;
    return a;
  }
  bool both = a_weak && b_weak; // then the strong counterparts meet, and the result is weak
  int n = join(node_of(a, a_weak && !both), node_of(b, b_weak && !both));
  if (n < 0) return DT_COUNT;
  *weak = both || n >= NODE_WEAK_INT;
  DType result = dtype_of_node(ev, n);
  if (result == DT_BOOL) *weak = false;
  return canonical_dtype(ev, result);
}

static void raise_no_path(Eval *ev, DType a, DType b) {
  unsigned bits = dtype_bits(a) < dtype_bits(b) ? dtype_bits(a) : dtype_bits(b);
  if (bits < 8)
    eval_raise(ev, trace_types(ev)->TypePromotionError,
               "Input dtypes ('%s', '%s') have no available implicit dtype promotion path. To "
               "avoid unintended promotion, 1-bit, 2-bit and 4-bit integers do not support "
               "implicit promotion. "
               "Promote the inputs explicitly, for instance with x.astype('int32')",
               dtype_name(a), dtype_name(b));
  eval_raise(ev, trace_types(ev)->TypePromotionError,
             "Input dtypes ('%s', '%s') have no available implicit dtype promotion path. To avoid "
             "unintended promotion, 8-bit floats do not support implicit promotion. Promote the "
             "inputs explicitly, for instance with x.astype('float32')",
             dtype_name(a), dtype_name(b));
}

// Whether two types meet under jax_numpy_dtype_promotion="strict": equal ones do, and a Python
// number meets the types of its kind and of those above.
static bool strictly_meet(DType a, bool a_weak, DType b, bool b_weak) {
  a_weak = a_weak && a != DT_BOOL;
  b_weak = b_weak && b != DT_BOOL;
  if (a_weak && b_weak) return true;
  if (!a_weak && !b_weak) return a == b;
  DType number = a_weak ? a : b, array = a_weak ? b : a;
  return dtype_is_float(array) || (array != DT_BOOL && !dtype_is_float(number));
}

static const char *operand_type_text(Eval *ev, DType dtype, bool weak) {
  if (!weak || dtype == DT_BOOL) return str_format(ev->arena, "'%s'", dtype_name(dtype)).data;
  return dtype_is_float(dtype) ? "\"<class 'float'>\"" : "\"<class 'int'>\"";
}

// The rule is for what the user wrote: provided functions convert on their own account.
static void check_strict(Eval *ev, DType a, bool a_weak, DType b, bool b_weak) {
  if (!ev->trace->strict_promotion || strictly_meet(a, a_weak, b, b_weak) || trace_in_library(ev))
    return;
  eval_raise(ev, trace_types(ev)->TypePromotionError,
             "Input dtypes (%s, %s) have no available implicit dtype promotion path when "
             "jax_numpy_dtype_promotion=strict. Try explicitly casting inputs to the desired "
             "output type, or set jax_numpy_dtype_promotion=standard.",
             operand_type_text(ev, a, a_weak), operand_type_text(ev, b, b_weak));
}

DType promote_or_raise(Eval *ev, DType a, bool a_weak, DType b, bool b_weak, bool *weak) {
  check_strict(ev, a, a_weak, b, b_weak);
  DType result = promote_dtypes(ev, a, a_weak, b, b_weak, weak);
  if (result == DT_COUNT) raise_no_path(ev, a, b);
  return result;
}

// The join of any number of types at once, as jnp.result_type: pairwise joins could meet a missing
// path on the way.
DType promote_all(Eval *ev, size_t count, const Aval *avals, bool *weak) {
  bool same = true, all_weak = true;
  for (size_t i = 0; i < count; i++) {
    check_strict(ev, avals[0].dtype, avals[0].weak, avals[i].dtype, avals[i].weak);
    same = same && avals[i].dtype == avals[0].dtype;
    all_weak = all_weak && avals[i].weak;
  }
  *weak = all_weak;
  if (same) return canonical_dtype(ev, avals[0].dtype);
  uint32_t common = ~0u;
  for (size_t i = 0; i < count; i++)
    common &= up[node_of(avals[i].dtype, avals[i].weak && !all_weak)];
  for (int n = 0; n < NODE_COUNT; n++) {
    if (!(common >> n & 1) || up[n] != common) continue;
    *weak = all_weak || n >= NODE_WEAK_INT;
    DType result = dtype_of_node(ev, n);
    if (result == DT_BOOL) *weak = false;
    return canonical_dtype(ev, result);
  }
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count; j++) {
      bool ignored;
      promote_or_raise(ev, avals[i].dtype, avals[i].weak, avals[j].dtype, avals[j].weak, &ignored);
    }
  raise_no_path(ev, avals[0].dtype, avals[count - 1].dtype);
  return DT_COUNT;
}

DType inexact_dtype(const Eval *ev, DType dtype) {
  if (dtype_is_float(dtype)) return dtype;
  return canonical_dtype(ev, dtype_bits(dtype) == 64 ? DT_F64 : DT_F32);
}

DType numeric_dtype(const Eval *ev UNUSED, DType dtype) {
  return dtype == DT_BOOL ? DT_I32 : dtype;
}

// ---- shapes -------------------------------------------------------------------------------------
// Whether one of them has the dimensions of the other but for one, as what was reduced has.
static bool is_without_one(const Aval *a, const Aval *b) {
  if (a->rank < b->rank) return is_without_one(b, a);
  if (a->rank != b->rank + 1) return false;
  int at = 0;
  for (int i = 0; i < a->rank; i++) at += at < b->rank && a->dims[i] == b->dims[at];
  return at == b->rank;
}

void raise_broadcast(Eval *ev, const char *what, size_t count, const Aval *const *avals) {
  bool same_rank = true;
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < count; i++) {
    same_rank = same_rank && avals[i]->rank == avals[0]->rank;
    if (i) buf_c(&buf, ", ");
    buf_str(&buf, shape_text(ev->arena, avals[i]->rank, avals[i]->dims));
  }
  if (same_rank && what)
    eval_raise(ev, ev->types.TypeError, "%s got incompatible shapes for broadcasting: %.*s.",
               primitive_name(what), STR_FMT(buf_view(&buf)));
  const char *hint = count == 2 && is_without_one(avals[0], avals[1])
                         ? "; keepdims=True keeps a dimension that is reduced, x[:, None] adds one"
                         : "";
  eval_raise(ev, ev->types.ValueError, "Incompatible shapes for broadcasting: shapes=[%.*s]%s",
             STR_FMT(buf_view(&buf)), hint);
}

// ---- operands -----------------------------------------------------------------------------------
void take_aval(Eval *ev, const char *what, Value v, size_t position, Aval *out) {
  if (value_aval(ev, v, false, out)) return;
  const char *hint = "";
  if (value_is_ref(ev, v)) hint = " Read the ref first: ref[...]";
  if (value_is_key(ev, v)) hint = " A PRNG key has no arithmetic: see jax.random.key_data";
  eval_raise(ev, ev->types.TypeError,
             "%s requires ndarray or scalar arguments, got <class '%s'> at position %zu.%s", what,
             ref_class_name(ev, v), position, hint);
}

// The value of v as `dtype`, spread to the shape.
IrValue *operand_as(Eval *ev, Value v, DType dtype, size_t rank, const int64_t *dims) {
  IrBuilder *b;
  if (v.kind != V_OBJECT) { // a Python scalar: a constant of the full shape
    const IrType *type = array_type_checked(ev, dtype, rank, dims);
    b = trace_builder(ev);
    if (v.kind == V_FLOAT) return ir_const_f64(b, type, v.f);
    check_python_int(ev, v);
    return ir_const_i64(b, type, v.i);
  }
  array_type_checked(ev, dtype, rank, dims);
  IrValue *x = array_ir_cast(ev, v, dtype);
  b = trace_builder(ev);
  return ir_broadcast_to(b, x, rank, dims);
}

void promote_pair(Eval *ev, const char *what, Value a, Value b, IrValue **x, IrValue **y,
                  bool *weak) {
  Aval aa, bb;
  take_aval(ev, what, a, 0, &aa);
  take_aval(ev, what, b, 1, &bb);
  DType dtype = promote_or_raise(ev, aa.dtype, aa.weak, bb.dtype, bb.weak, weak);
  promote_pair_as(ev, what, a, &aa, b, &bb, dtype, x, y);
}

// What jax.numpy calls a primitive that an operator is.
static const char *numpy_name(const char *what) {
  static const char *const names[][2] = {{"sub", "subtract"},
                                         {"mul", "multiply"},
                                         {"and", "bitwise_and"},
                                         {"or", "bitwise_or"},
                                         {"xor", "bitwise_xor"},
                                         {"shift_left", "left_shift"},
                                         {"shift_right_arithmetic", "right_shift"},
                                         {"divide", "true_divide"}};
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (strcmp(what, names[i][0]) == 0) return names[i][1];
  return what;
}

// jax_numpy_rank_promotion: what the user wrote about arrays of different ranks.
static void check_ranks(Eval *ev, const char *what, const Aval *a, const Aval *b) {
  if (!ev->trace->rank_promotion || a->rank == b->rank || !a->rank || !b->rank ||
      trace_in_library(ev))
    return;
  Str x = shape_text(ev->arena, a->rank, a->dims), y = shape_text(ev->arena, b->rank, b->dims);
  if (ev->trace->rank_promotion == RANKS_RAISE)
    eval_raise(ev, ev->types.ValueError,
               "Operands could not be broadcast together for %s on shapes %.*s %.*s and with the "
               "config option jax_numpy_rank_promotion='raise'. For more information, see "
               "https://docs.jax.dev/en/latest/rank_promotion_warning.html.",
               numpy_name(what), STR_FMT(x), STR_FMT(y));
  Str text =
      str_format(ev->arena,
                 "Following NumPy automatic rank promotion for %s on shapes %.*s %.*s. Set the "
                 "jax_numpy_rank_promotion config option to 'allow' to disable this warning; for "
                 "more information, see "
                 "https://docs.jax.dev/en/latest/rank_promotion_warning.html.",
                 numpy_name(what), STR_FMT(x), STR_FMT(y));
  Value message = make_str(ev, text);
  value_call_n(ev, module_lookup(ev, "warnings", "warn"), 1, &message);
}

void promote_pair_as(Eval *ev, const char *what, Value a, const Aval *aa, Value b, const Aval *bb,
                     DType dtype, IrValue **x, IrValue **y) {
  int64_t dims[IR_MAX_RANK];
  size_t rank = aa->rank;
  memcpy(dims, aa->dims, sizeof dims);
  check_ranks(ev, what, aa, bb);
  if (!broadcast_dims(&rank, dims, bb->rank, bb->dims))
    raise_broadcast(ev, what, 2, (const Aval *const[]){aa, bb});
  *x = operand_as(ev, a, dtype, rank, dims);
  *y = operand_as(ev, b, dtype, rank, dims);
}

void promote_many(Eval *ev, const char *what, size_t count, const Value *values, bool inexact,
                  IrValue **out, bool *weak) {
  Aval *avals = ARENA_ARRAY(ev->arena, Aval, count);
  for (size_t i = 0; i < count; i++) take_aval(ev, what, values[i], i, &avals[i]);
  DType dtype = promote_all(ev, count, avals, weak);
  if (inexact) dtype = inexact_dtype(ev, dtype);
  for (size_t i = 0; i < count; i++)
    out[i] = operand_as(ev, values[i], dtype, avals[i].rank, avals[i].dims);
}

void check_broadcast_to(Eval *ev, Aval given, const Aval *wanted) {
  if (given.rank > wanted->rank)
    eval_raise(ev, ev->types.ValueError,
               "Cannot broadcast to shape with fewer dimensions: arr_shape=%.*s shape=%.*s",
               STR_FMT(shape_text(ev->arena, given.rank, given.dims)),
               STR_FMT(shape_text(ev->arena, wanted->rank, wanted->dims)));
  size_t rank = wanted->rank;
  int64_t dims[IR_MAX_RANK];
  memcpy(dims, wanted->dims, sizeof dims);
  if (broadcast_dims(&rank, dims, given.rank, given.dims) &&
      memcmp(dims, wanted->dims, rank * sizeof *dims) == 0)
    return;
  given.weak = false;
  eval_raise(ev, ev->types.ValueError,
             "Incompatible types for broadcasting: input type=%.*s and requested type=%.*s",
             STR_FMT(aval_text(ev->arena, &given)), STR_FMT(aval_text(ev->arena, wanted)));
}

// ---- stores -------------------------------------------------------------------------------------
// Whether the dimensions are the same, but for some of one element.
static bool is_same_but_ones(const IrType *type, const Aval *aval) {
  size_t i = 0, k = 0;
  while (i < type->rank || k < aval->rank) {
    if (i < type->rank && k < aval->rank && type->dims[i] == aval->dims[k])
      i++, k++;
    else if (i < type->rank && type->dims[i] == 1)
      i++;
    else if (k < aval->rank && aval->dims[k] == 1)
      k++;
    else
      return false;
  }
  return true;
}

static const char *store_advice(const IrType *place, const Aval *value) {
  if (value->rank == 0) return ": use jnp.full(shape, value, dtype) or jnp.zeros_like(ref)";
  if (is_same_but_ones(place, value))
    return ": keepdims=True keeps a dimension that is reduced, value.reshape(ref.shape) adds it";
  return "";
}

static void check_store_dtype(Eval *ev, const IrType *place, const Aval *value, const char *name) {
  if (place->dtype == value->dtype) return;
  if (value->weak && dtype_is_float(value->dtype) && dtype_is_float(place->dtype)) return;
  if (dtype_is_integer(value->dtype) && dtype_is_integer(place->dtype)) return;
  bool is_wide = canonical_dtype(ev, place->dtype) != place->dtype;
  eval_raise(ev, ev->types.ValueError,
             "Invalid dtype for `swap`. Ref dtype: %s. Value dtype: %s. A store to %s does not "
             "convert: %s",
             dtype_name(place->dtype), dtype_name(value->dtype), name[0] ? name : "a ref",
             is_wide ? "without jax_enable_x64 no value has 64 bits; the ref can have 32"
                     : "write value.astype(ref.dtype)");
}

void check_store(Eval *ev, const IrType *ref, const IrType *place, const Aval *value,
                 const char *name) {
  size_t bytes = place->rank * sizeof *value->dims;
  if (value->rank != place->rank || memcmp(value->dims, place->dims, bytes) != 0)
    eval_raise(ev, ev->types.ValueError,
               "Invalid shape for `swap`. Ref shape: %.*s. Expected shape: %.*s. Value shape: "
               "%.*s. A store does not broadcast%s",
               STR_FMT(shape_text(ev->arena, ref->rank, ref->dims)),
               STR_FMT(shape_text(ev->arena, place->rank, place->dims)),
               STR_FMT(shape_text(ev->arena, value->rank, value->dims)),
               store_advice(place, value));
  check_store_dtype(ev, place, value, name);
}
