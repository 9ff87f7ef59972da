// SPDX-License-Identifier: Apache-2.0
// legality: reports what the chip's own compiler would refuse; everything is compiled all the same.
//   takes:  launches, and programs of cores, as they were recorded, before anything folds or
//           removes an op
//   makes:  warnings of the group tpu; errors under --strict-tpu, or if the group's warnings are
//           errors
//   breaks: nothing
//   not:    what does not fit in memory (budget), what happens outside of kernels, limits of single
//           generations
//
// The rules are those of JAX's lowering of Pallas for TensorCores (pallas-reference 4.10 and 4.13),
// each tried there, and for SparseCores those of its source (4.11).
#include <string.h>
#include "base/buf.h"
#include "ir/analysis/access.h"
#include "ir/core/attr.h"
#include "ir/core/chip.h"
#include "ir/core/constant.h"
#include "ir/core/family.h"
#include "ir/core/ir.h"
#include "ir/core/place.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "passes/launch/launch.h"

typedef struct Legality {
  PassContext *ctx;
  const Chip *chip;
} Legality;

// What JAX's lowering raises there.
typedef struct Raised {
  Catchable type;
  const char *words;
} Raised;

#define UNSUPPORTED                                                                                \
  { CATCH_NOT_IMPLEMENTED_ERROR, "" }
static const Raised unsupported = UNSUPPORTED;

// One message a place and kind: unrolled loops and several specialisations give the same op many
// times.
PRINTF_LIKE(5, 6)
static void refuse_as(Legality *l, const Raised *raised, Span span, const IrFrames *frames,
                      const char *fmt, ...) {
  Session *session = l->ctx->session;
  va_list args;
  va_start(args, fmt);
  Str message = str_vformat(l->ctx->arena, fmt, args);
  va_end(args);
  if (diag_is_reported(session, span, message)) return;
  bool is_warning = session->warning_on[WARN_TPU] &&
                    (session->warning_is_error[WARN_TPU] || !l->ctx->options->strict_tpu);
  Diag *diag = is_warning ? diag_warning(session, WARN_TPU, span, "%.*s", STR_FMT(message))
                          : diag_error(session, span, "%.*s", STR_FMT(message));
  ir_diag_frames(l->ctx->session, diag, frames);
  if (l->ctx->options->strict_tpu) diag_exception(diag, raised->type, str_from_c(raised->words));
}
#define refuse(l, span, frames, ...) refuse_as(l, &unsupported, span, frames, __VA_ARGS__)

// ---- values -------------------------------------------------------------------------------------
static const IrType *operand_type(const IrOp *op, size_t i) { return op->operands[i]->type; }
static const IrType *result_type(const IrOp *op) { return op->results[0]->type; }
static bool is_unsigned(const IrType *type) { return dtype_kind(type->dtype) == 'u'; }
static bool is_narrow(const IrType *type) { return dtype_bits(type->dtype) < 32; }
static bool is_bool(const IrOp *op) { return operand_type(op, 0)->dtype == DT_BOOL; }
static bool is_not_bool(const IrOp *op) { return !is_bool(op); }
static bool is_not_f32(const IrOp *op) { return operand_type(op, 0)->dtype != DT_F32; }
static bool is_float_result(const IrOp *op) { return dtype_is_float(result_type(op)->dtype); }
static bool is_scalar_result(const IrOp *op) { return result_type(op)->rank == 0; }
static bool is_of_unsigned(const IrOp *op) { return is_unsigned(operand_type(op, 0)); }

static bool is_of_other_integer(const IrOp *op) {
  DType dtype = operand_type(op, 0)->dtype;
  return dtype_is_integer(dtype) && !is_of_unsigned(op) && dtype != DT_I32;
}

static bool is_narrow_scalar(const IrOp *op) {
  return result_type(op)->rank == 0 && is_narrow(operand_type(op, 0)) &&
         operand_type(op, 0)->rank > 0;
}

static bool is_narrow_float_scalar(const IrOp *op) {
  return is_narrow_scalar(op) && dtype_is_float(operand_type(op, 0)->dtype);
}

static bool has_strides(const IrOp *op) {
  IrInts strides = ir_attr_ints(op, ATTR_STRIDES);
  for (size_t i = 0; i < strides.count; i++)
    if (strides.items[i] != 1) return true;
  return false;
}

static bool has_gaps(const IrOp *op) {
  IrInts interior = ir_attr_ints(op, ATTR_INTERIOR);
  for (size_t i = 0; i < interior.count; i++)
    if (interior.items[i] != 0) return true;
  return false;
}

static bool cuts(const IrOp *op) {
  IrInts low = ir_attr_ints(op, ATTR_LOW), high = ir_attr_ints(op, ATTR_HIGH);
  for (size_t i = 0; i < low.count; i++)
    if (low.items[i] < 0 || high.items[i] < 0) return true;
  return false;
}

static bool is_between_fp8(const IrOp *op) {
  DType from = operand_type(op, 0)->dtype, to = result_type(op)->dtype;
  return from != to && dtype_is_float(from) && dtype_is_float(to) && dtype_bits(from) == 8 &&
         dtype_bits(to) == 8;
}

static bool is_f16_to_bf16(const IrOp *op) {
  return operand_type(op, 0)->dtype == DT_F16 && result_type(op)->dtype == DT_BF16;
}

static bool is_vector(const IrOp *op) { return result_type(op)->rank < 2; }
static bool is_approximate_narrow(const IrOp *op) {
  return ir_attr_int(op, ATTR_APPROX) && is_not_f32(op);
}

// pltpu.bitcast, which the chip has, changes the width between two transposes.
static bool is_not_pltpu_bitcast(const IrOp *op) {
  const IrOp *before = op->operands[0]->def;
  if (before && before->code == OP_TRANSPOSE) return false;
  const IrOp *after = op->next;
  return !(after && after->code == OP_TRANSPOSE && after->operands[0] == op->results[0]);
}

// pltpu.roll by a number that is not known, which the chip has, is a slice of two of its operand
// whose start is a difference, never a remainder; jnp.roll's is one.
static bool is_no_rotation(const IrOp *op) {
  const IrOp *twice = op->operands[0]->def;
  if (!twice || twice->code != OP_CONCAT || twice->operand_count != 2 ||
      twice->operands[0] != twice->operands[1] || operand_type(twice, 0) != result_type(op))
    return true;
  const IrOp *start = op->operands[1 + ir_attr_int(twice, ATTR_DIM)]->def;
  return !start || (start->code != OP_SUB && start->code != OP_CONST);
}

// All but jnp.take_along_axis over one of the last two dimensions.
static bool is_no_lookup(const IrOp *op) {
  const IrType *x = operand_type(op, 0), *indices = operand_type(op, 1), *r = result_type(op);
  IrInts collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS), map = ir_attr_ints(op, ATTR_INDEX_MAP);
  IrInts sizes = ir_attr_ints(op, ATTR_SIZES);
  if (x->rank != r->rank || indices->rank != r->rank + 1 || indices->dims[r->rank] != 1)
    return true;
  for (int i = 0; i < r->rank; i++)
    if (indices->dims[i] != r->dims[i] || sizes.items[i] != 1) return true;
  if (ir_attr_ints(op, ATTR_OFFSET_DIMS).count || collapsed.count != 1 || map.count != 1 ||
      map.items[0] != collapsed.items[0])
    return true;
  if (ir_attr_ints(op, ATTR_OPERAND_BATCH).count + 1 != x->rank ||
      ir_attr_int(op, ATTR_MODE) == WINDOW_CLIP)
    return true;
  return collapsed.items[0] + 2 < x->rank;
}

// A product that the chip's compiler makes without its matrix unit: rows with one row, not of f32.
static bool is_row_product(const IrOp *op) {
  const IrType *x = operand_type(op, 0), *y = operand_type(op, 1);
  IrInts xc = ir_attr_ints(op, ATTR_LHS_CONTRACT), yc = ir_attr_ints(op, ATTR_RHS_CONTRACT);
  return x->rank == 2 && y->rank == 2 && xc.count == 1 && yc.count == 1 && xc.items[0] == 1 &&
         yc.items[0] == 1 && y->dims[0] == 1 && !(x->dtype == DT_F32 && y->dtype == DT_F32);
}

static bool is_unsigned_product(const IrOp *op) {
  return is_of_unsigned(op) || is_unsigned(operand_type(op, 1));
}
static bool is_narrow_product(const IrOp *op) {
  return is_narrow(result_type(op)) && !is_unsigned_product(op) && !is_row_product(op);
}
static bool has_many_batches(const IrOp *op) { return ir_attr_ints(op, ATTR_LHS_BATCH).count > 1; }
static bool has_many_contractions(const IrOp *op) {
  return ir_attr_ints(op, ATTR_LHS_CONTRACT).count > 1;
}

static bool has_other_precision(const IrOp *op) {
  switch ((DotPrecision)ir_attr_int(op, ATTR_PRECISION)) {
  case PRECISION_DEFAULT:
  case PRECISION_HIGHEST:
  case PRECISION_BF16: return false; // --matmul-precision=tpu
  default: return true;
  }
}

static bool prints_mixture(const IrOp *op) {
  size_t vectors = 0;
  for (size_t i = 0; i < op->operand_count; i++) vectors += operand_type(op, i)->rank > 0;
  return vectors > 0 && op->operand_count > 1;
}

static bool prints_other_scalars(const IrOp *op) {
  if (!memchr(ir_attr_str(op, ATTR_FORMAT).data, '{', ir_attr_str(op, ATTR_FORMAT).len))
    return false;
  for (size_t i = 0; i < op->operand_count; i++) {
    const IrType *type = operand_type(op, i);
    if (type->rank > 0) return false;
    if (type->dtype != DT_I32 && type->dtype != DT_U32) return true;
  }
  return false;
}

static bool prints_behind_vector(const IrOp *op) {
  return op->operand_count == 1 && operand_type(op, 0)->rank > 0 &&
         !str_ends_with(ir_attr_str(op, ATTR_FORMAT), STR("{}"));
}

typedef struct OpLimit {
  OpCode code;
  bool (*applies)(const IrOp *op); // NULL: always
  const char *message;
} OpLimit;

#define NOT_OF_UNSIGNED "a TPU's compiler does not reduce unsigned integers"
#define NOT_OF_INTEGERS "a TPU's compiler reduces no integers but int32"
#define NOT_OF_NARROW                                                                              \
  "a TPU's compiler makes scalars only of 32-bit values; convert before the reduction"
#define NO_RULE_HEAD  "a TPU's compiler has no rule for '"
#define NO_RULE(name) NO_RULE_HEAD name "'"
#define NO_SCAN(name) NO_RULE(name) "; use a loop over the ref"

static const OpLimit op_limits[] = {
    {OP_REV, NULL, NO_RULE("rev")},
    {OP_CUMSUM, NULL, NO_SCAN("cumsum")},
    {OP_CUMPROD, NULL, NO_SCAN("cumprod")},
    {OP_CUMMAX, NULL, NO_SCAN("cummax")},
    {OP_CUMMIN, NULL, NO_SCAN("cummin")},
    {OP_CUMLOGSUMEXP, NULL, NO_SCAN("cumlogsumexp")},
    {OP_DYNAMIC_SLICE, is_no_rotation,
     NO_RULE("dynamic_slice") " on values; index the ref instead: ref[pl.ds(start, size)]"},
    {OP_DYNAMIC_UPDATE_SLICE, NULL,
     NO_RULE("dynamic_update_slice") " on values; store to the ref instead"},
    {OP_SCATTER, NULL, NO_RULE("scatter") " on values; store to the ref instead"},
    {OP_GATHER, is_no_lookup,
     "a TPU's compiler gathers only as jnp.take_along_axis over one of the last two dimensions "
     "does"},
    {OP_SORT, NULL, NO_RULE("sort")},
    {OP_SLICE, has_strides,
     "a TPU's compiler takes no strides in slices of values; index the ref instead: "
     "ref[pl.ds(start, size, stride)]"},
    {OP_PAD, has_gaps, "a TPU's compiler pads only at the edges, not between elements"},
    {OP_PAD, cuts, "a TPU's compiler takes no negative padding; use a slice"},
    {OP_REDUCE_PROD, NULL, NO_RULE("reduce_prod")},
    {OP_REDUCE_XOR, NULL, NO_RULE("reduce_xor")},
    {OP_REDUCE_AND, is_not_bool, "a TPU's compiler has 'reduce_and' only on bool"},
    {OP_REDUCE_OR, is_not_bool, "a TPU's compiler has 'reduce_or' only on bool"},
    {OP_REDUCE_SUM, is_of_unsigned, NOT_OF_UNSIGNED},
    {OP_REDUCE_MAX, is_of_unsigned, NOT_OF_UNSIGNED},
    {OP_REDUCE_MIN, is_of_unsigned, NOT_OF_UNSIGNED},
    {OP_REDUCE_SUM, is_of_other_integer, NOT_OF_INTEGERS},
    {OP_REDUCE_MAX, is_of_other_integer, NOT_OF_INTEGERS},
    {OP_REDUCE_MIN, is_of_other_integer, NOT_OF_INTEGERS},
    {OP_REDUCE_MAX, is_bool, "a TPU's compiler has no 'reduce_max' on bool; use jnp.any"},
    {OP_REDUCE_MIN, is_bool, "a TPU's compiler has no 'reduce_min' on bool; use jnp.all"},
    {OP_REDUCE_MAX, is_narrow_float_scalar, NOT_OF_NARROW},
    {OP_REDUCE_MIN, is_narrow_float_scalar, NOT_OF_NARROW},
    {OP_RESHAPE, is_narrow_scalar,
     "a TPU's compiler makes scalars only of 32-bit values; convert before taking the element"},
    {OP_ARGMAX, is_not_f32, "a TPU's compiler has 'argmax' only on float32"},
    {OP_ARGMIN, is_not_f32, "a TPU's compiler has 'argmin' only on float32"},
    {OP_MAX, is_bool, "a TPU's compiler has no 'max' on bool; use |"},
    {OP_MIN, is_bool, "a TPU's compiler has no 'min' on bool; use &"},
    {OP_IOTA, is_float_result,
     "a TPU's compiler has 'iota' only on integers; make an int32 one and convert it"},
    {OP_BITCAST_WIDTH, is_not_pltpu_bitcast,
     "a TPU's compiler does not change the width in 'bitcast_convert_type'; use pltpu.bitcast"},
    {OP_CONVERT, is_between_fp8,
     "a TPU's compiler does not convert between types of 8-bit floats; convert to float32 first"},
    {OP_CONVERT, is_f16_to_bf16,
     "a TPU's compiler does not convert float16 to bfloat16; convert to float32 first"},
    {OP_ERF_INV, is_not_f32, "a TPU's compiler has 'erf_inv' only on float32"},
    {OP_IS_FINITE, is_not_f32, "a TPU's compiler has 'is_finite' only on float32"},
    {OP_REDUCE_PRECISION, NULL, NO_RULE("reduce_precision")},
    {OP_RECIPROCAL, is_approximate_narrow, "a TPU has pl.reciprocal only on float32"},
    {OP_POPCOUNT, is_scalar_result, "a TPU's compiler has 'population_count' only on vectors"},
    {OP_EXPM1, NULL, NO_RULE("expm1") "; use exp(x) - 1"},
    {OP_CBRT, NULL, NO_RULE("cbrt")},
    {OP_ASIN, NULL, NO_RULE("asin")},
    {OP_ACOS, NULL, NO_RULE("acos")},
    {OP_ATAN, NULL, NO_RULE("atan") "; use arctan2(x, 1)"},
    {OP_SINH, NULL, NO_RULE("sinh")},
    {OP_COSH, NULL, NO_RULE("cosh")},
    {OP_ASINH, NULL, NO_RULE("asinh")},
    {OP_ACOSH, NULL, NO_RULE("acosh")},
    {OP_ATANH, NULL, NO_RULE("atanh")},
    {OP_ERFC, NULL, NO_RULE("erfc") "; use 1 - erf(x)"},
    {OP_LGAMMA, NULL, NO_RULE("lgamma")},
    {OP_DOT, is_narrow_product,
     "a TPU's matrix unit gives 32-bit results: pass preferred_element_type=jnp.float32 (or "
     "int32), then convert"},
    {OP_DOT, is_scalar_result, "a TPU's compiler has no products of two vectors; multiply and sum"},
    {OP_DOT, has_many_batches, "a TPU's compiler takes at most one batch dimension in a product"},
    {OP_DOT, has_many_contractions,
     "a TPU's compiler contracts one dimension in a product; reshape first"},
    {OP_DOT, has_other_precision, "a TPU's compiler takes the precisions DEFAULT and HIGHEST only"},
    {OP_PRNG_BITS, is_vector, "a TPU's compiler makes random bits of at least two dimensions only"},
    {OP_DEBUG_PRINT, prints_mixture, "debug_print on a TPU takes scalars only, or one vector"},
    {OP_DEBUG_PRINT, prints_behind_vector,
     "debug_print of a vector on a TPU must have a format that ends with '{}'"},
};

// Those that JAX has an exception of its own for.
static const struct {
  OpLimit limit;
  Raised raised;
} raised_limits[] = {
    {{OP_DEBUG_PRINT, prints_other_scalars,
      "debug_print on a TPU puts only 32-bit integers into a format; leave out the '{}' for "
      "others"},
     {CATCH_TYPE_ERROR,
      "All arguments must be 32-bit integers when using placeholders (`{...}`)."}},
};

// ---- memory -------------------------------------------------------------------------------------
// What is asked about a load or a store.
typedef struct Access {
  const IrOp *op;
  const IrType *ref, *value;
  bool is_store, is_masked, is_strided, is_gathered;
} Access;

static bool of_far_memory(const Access *a) {
  return a->ref->space == SPACE_HBM || a->ref->space == SPACE_HOST;
}
static bool of_vectors_in_smem(const Access *a) {
  return a->ref->space == SPACE_SMEM && a->value->rank > 0;
}
static bool masked_in_smem(const Access *a) {
  return a->is_store && a->is_masked && a->ref->space == SPACE_SMEM;
}
static bool of_rank_0(const Access *a) { return a->ref->space == SPACE_VMEM && a->ref->rank == 0; }
static bool scalar_store(const Access *a) {
  return a->is_store && a->ref->space == SPACE_VMEM && a->ref->rank > 0 && a->value->rank == 0;
}
static bool masked_load(const Access *a) { return !a->is_store && a->is_masked; }
static bool narrow_masked(const Access *a) {
  return a->is_store && a->is_masked && dtype_bits(a->value->dtype) != 32;
}
static bool strided_masked(const Access *a) { return a->is_store && a->is_masked && a->is_strided; }
static bool gathered(const Access *a) { return a->is_gathered; }

static const struct {
  bool (*applies)(const Access *a);
  const char *message;
  Raised raised;
} access_limits[] = {
    {of_far_memory,
     "a TPU cannot compute on a ref in HBM or ANY: copy it to VMEM first (pltpu.sync_copy)",
     {CATCH_VALUE_ERROR, "Loads and stores are only allowed on VMEM and SMEM references."}},
    {of_vectors_in_smem,
     "SMEM of a TPU holds scalars: read and write them one by one, or put the array into VMEM",
     {CATCH_VALUE_ERROR, "Can only load scalars from SMEM, Can only store scalars to SMEM."}},
    {masked_in_smem,
     "SMEM of a TPU has no masked stores; use pl.when",
     {CATCH_VALUE_ERROR, "SMEM store does not support masks."}},
    {of_rank_0, "a TPU has no refs of shape () in VMEM: put it into SMEM, or make it (1, 1)",
     UNSUPPORTED},
    {scalar_store,
     "a TPU cannot store a scalar to VMEM: put the ref into SMEM, or store a slice",
     {CATCH_VALUE_ERROR, "Cannot store scalars to VMEM."}},
    {masked_load, "a TPU's compiler has no masked loads; load all and use jnp.where", UNSUPPORTED},
    {narrow_masked, "a TPU has masked stores only of 32-bit types", UNSUPPORTED},
    {strided_masked, "a TPU has no masked stores with strides", UNSUPPORTED},
    {gathered, "a TPU's compiler takes no arrays as indices of a ref", UNSUPPORTED},
};

static bool index_has(const IrIndex *index, bool (*applies)(const IndexDim *dim)) {
  for (int i = 0; i < index->rank; i++)
    if (applies(&index->dims[i])) return true;
  return false;
}

static bool dim_is_strided(const IndexDim *dim) {
  return dim->kind == INDEX_SLICE && dim->stride != 1;
}
static bool dim_is_array(const IndexDim *dim) { return dim->kind == INDEX_ARRAY; }

// A view that a load or a store takes whole is a part of its index.
static const IrIndex *index_of_view(const IrOp *access) {
  const IrOp *view = access_ref(access)->def;
  return view && view->code == OP_VIEW && access_is_whole(access) ? ir_attr_index(view)
                                                                  : ir_attr_index(access);
}

static Access access_of(const IrOp *op) {
  const IrIndex *index = index_of_view(op);
  bool is_store = op->code == OP_STORE;
  return (Access){op,
                  operand_type(op, is_store ? 1 : 0),
                  is_store ? operand_type(op, 0) : result_type(op),
                  is_store,
                  access_is_masked(op),
                  index_has(index, dim_is_strided),
                  index_has(index, dim_is_array)};
}

static void check_access(Legality *l, const IrOp *op) {
  Access a = access_of(op);
  for (size_t i = 0; i < COUNT_OF(access_limits); i++)
    if (access_limits[i].applies(&a))
      refuse_as(l, &access_limits[i].raised, op->span, op->frames, "%s", access_limits[i].message);
}

// Views with strides are reported where something else than a load or a store of all of them uses
// them.
static void check_refs(Legality *l, const IrOp *op) {
  static const Raised strided_ref = {CATCH_NOT_IMPLEMENTED_ERROR,
                                     "Strided slices of references are unsupported."};
  static const Raised reshaped_1d = {CATCH_NOT_IMPLEMENTED_ERROR,
                                     "Reshape 1D ref is not supported."};
  static const Raised bitcast_1d = {CATCH_NOT_IMPLEMENTED_ERROR,
                                    "Bitcast 1D ref with bitwidth change is not supported."};
  bool is_access = op->code == OP_LOAD || op->code == OP_STORE;
  for (size_t i = 0; i < op->operand_count; i++) {
    const IrOp *view = op->operands[i]->def;
    if (!view || view->code != OP_VIEW || !index_has(ir_attr_index(view), dim_is_strided)) continue;
    if (is_access && access_is_whole(op)) continue;
    refuse_as(l, &strided_ref, view->span, view->frames,
              "a TPU's compiler takes no strides in slices of a ref, only in its loads and stores");
  }
  if (op->code == OP_REF_RESHAPE && operand_type(op, 0)->rank < 2)
    refuse_as(l, &reshaped_1d, op->span, op->frames,
              "a TPU's compiler does not reshape refs of one dimension");
  if (op->code == OP_REF_BITCAST && operand_type(op, 0)->rank < 2)
    refuse_as(l, &bitcast_1d, op->span, op->frames,
              "a TPU's compiler does not bitcast refs of one dimension");
  if (op->code == OP_ALLOC && result_type(op)->space == SPACE_HBM)
    refuse(l, op->span, op->frames, "HBM cannot be allocated in run_scoped on a TPU");
}

// ---- blocks -------------------------------------------------------------------------------------
typedef struct BlockUse {
  const IrBlock *block;
  const IrType *array;
  const IrRegion *map;
  bool is_trivial; // the whole array at index 0: no window
} BlockUse;

static bool is_trivial(const BlockUse *w) {
  for (int i = 0; i < w->block->rank; i++)
    if (w->block->dims[i].size != w->array->dims[i]) return false;
  const IrOp *yield = w->map->last;
  for (size_t i = 0; i < yield->operand_count; i++) {
    int64_t start;
    if (!ir_const_int(yield->operands[i], &start) || start != 0) return false;
  }
  return true;
}

static bool is_multiple_or_whole(const BlockUse *w, int dim, int64_t unit) {
  int64_t size = w->block->dims[dim].size;
  return size == w->array->dims[dim] || size % unit == 0;
}

// Elements in a row of 32-bit words, into which narrow types are packed; bool is not.
static int64_t elements_a_row(const Legality *l, DType dtype) {
  return l->chip->lanes * (dtype == DT_BOOL ? 1 : 32 / (int64_t)dtype_bits(dtype));
}

static bool vector_size_fits(const Legality *l, const BlockUse *w) {
  int64_t size = w->block->dims[0].size, tile = (int64_t)l->chip->sublanes * l->chip->lanes;
  bool is_power_of_2 = (size & (size - 1)) == 0;
  return is_multiple_or_whole(w, 0, tile) ||
         (is_power_of_2 && size >= elements_a_row(l, w->array->dtype));
}

static Str shape_text(Arena *arena, int rank, int64_t (*size)(const BlockUse *, int),
                      const BlockUse *w) {
  Buf buf;
  buf_init(&buf, arena);
  buf_char(&buf, '(');
  for (int i = 0; i < rank; i++) buf_printf(&buf, "%s%lld", i ? ", " : "", (long long)size(w, i));
  buf_c(&buf, rank == 1 ? ",)" : ")");
  return buf_view(&buf);
}

static int64_t block_size(const BlockUse *w, int dim) { return w->block->dims[dim].size; }
static int64_t array_size(const BlockUse *w, int dim) { return w->array->dims[dim]; }

static void check_tiling(Legality *l, const BlockUse *w, Span span, const IrFrames *frames) {
  Arena *arena = l->ctx->arena;
  int rank = w->block->rank;
  Str block = shape_text(arena, rank, block_size, w),
      array = shape_text(arena, rank, array_size, w);
  const char *name = w->block->name->text;
  static const Raised no_rank = {
      CATCH_VALUE_ERROR, "The Pallas TPU lowering currently supports only blocks of rank >= 1."};
  static const Raised rank_1 = {
      CATCH_VALUE_ERROR,
      "The Pallas TPU lowering currently requires that rank 1 block shapes, either 1) the "
      "first (and only) dimension of the block shape is equal to the first (and only) "
      "dimension of the array shape, or 2) the first (and only) dimension of the block "
      "shape is a multiple of the tiling size, or 3) it is a power of 2 of at least a row."};
  static const Raised rank_2 = {
      CATCH_VALUE_ERROR,
      "The Pallas TPU lowering currently requires that the last two dimensions of your "
      "block shape are divisible by 8 and 128 respectively, or be equal to the "
      "respective dimensions of the overall array."};
  if (rank == 0) {
    refuse_as(l, &no_rank, span, frames,
              "%s has rank 0: a TPU's blocks have at least one dimension; put it into SMEM", name);
  } else if (rank == 1) {
    if (!vector_size_fits(l, w))
      refuse_as(
          l, &rank_1, span, frames,
          "the block %.*s of %s %.*s does not fit a TPU's tiles: its size must be the array's, "
          "a multiple of %d, or a power of two from "
          "%lld on",
          STR_FMT(block), name, STR_FMT(array), l->chip->sublanes * l->chip->lanes,
          (long long)elements_a_row(l, w->array->dtype));
  } else if (!is_multiple_or_whole(w, rank - 2, l->chip->sublanes) ||
             !is_multiple_or_whole(w, rank - 1, l->chip->lanes)) {
    refuse_as(l, &rank_2, span, frames,
              "the block %.*s of %s %.*s does not fit a TPU's tiles: its last two sizes must be "
              "multiples of (%d, %d), or the array's",
              STR_FMT(block), name, STR_FMT(array), l->chip->sublanes, l->chip->lanes);
  }
}

static bool mixes_elements(const BlockUse *w) {
  bool element = false, blocked = false;
  for (int i = 0; i < w->block->rank; i++) {
    element |= w->block->dims[i].kind == BLOCK_ELEMENT;
    blocked |= w->block->dims[i].kind == BLOCK_BLOCKED;
  }
  return element && blocked;
}

// Of a launch: it is inside of a kernel.
static bool is_pipeline(const IrOp *launch) {
  for (const IrOp *op = launch->parent->parent; op; op = op->parent->parent)
    if (op->code == OP_LAUNCH) return true;
  return false;
}

// How a pallas_call's compiler buffers blocks; a pipeline inside of a kernel, which the program
// itself runs, has as many as it likes.
static void check_buffers(Legality *l, const IrOp *launch, const IrBlock *block, Span span) {
  static const Raised lookahead = {CATCH_NOT_IMPLEMENTED_ERROR,
                                   "Lookahead is not supported for XLA pipeline emitter lowering."};
  static const Raised buffering = {CATCH_NOT_IMPLEMENTED_ERROR,
                                   "Only single (1) and double (2) buffering are supported."};
  static const Raised revisited = {CATCH_NOT_IMPLEMENTED_ERROR,
                                   "RevisitMode.ANY is not supported with double buffering."};
  const char *name = block->name->text;
  if (is_pipeline(launch)) return;
  if (block->buffers > 2)
    refuse_as(l, &buffering, span, launch->frames,
              "pallas_call on a TPU has 1 or 2 buffers, %s has pl.Buffered(%d)", name,
              block->buffers);
  if (block->lookahead)
    refuse_as(l, &lookahead, span, launch->frames,
              "pallas_call on a TPU has no lookahead, %s asks for it", name);
  if (block->revisit_any && block->buffers > 1)
    refuse_as(l, &revisited, span, launch->frames,
              "RevisitMode.ANY on a TPU needs pl.Buffered(1), %s has %d buffers", name,
              block->buffers);
}

static void check_block(Legality *l, const IrOp *launch, const LaunchParts *parts, size_t i) {
  const IrBlock *block = &parts->blocks[i];
  BlockUse w = {
      .block = block, .array = parts->arrays[i]->type, .map = ir_launch_index_map(launch, i)};
  if (block->mode == BLOCK_WHOLE) return;
  w.is_trivial = is_trivial(&w);
  if (w.is_trivial && block->space == SPACE_SMEM) return;
  Span span = block->span.file ? block->span : launch->span;
  const char *name = block->name->text;
  check_tiling(l, &w, span, launch->frames);
  static const Raised mixed = {
      CATCH_NOT_IMPLEMENTED_ERROR,
      "All block dimensions must be Elements or none of them can be Elements."};
  static const Raised no_grid = {
      CATCH_NOT_IMPLEMENTED_ERROR,
      "Non-trivial windowing is not supported for grid-free pallas_call."};
  if (mixes_elements(&w))
    refuse_as(
        l, &mixed, span, launch->frames,
        "the block of %s mixes pl.Element with other dimensions: a TPU's compiler takes all or "
        "none",
        name);
  if (parts->rank == 0 && !w.is_trivial)
    refuse_as(
        l, &no_grid, span, launch->frames,
        "%s has a block of its own, but there is no grid: a TPU's compiler takes whole arrays then",
        name);
  // It has one buffer, whatever is asked for.
  if (w.is_trivial) return;
  check_buffers(l, launch, block, span);
}

// ---- launches -----------------------------------------------------------------------------------
static bool is_beyond(const IrOp *op, const OpLimit *limit) {
  return op->code == limit->code && (!limit->applies || limit->applies(op));
}

static void refuse_op(Legality *l, const IrOp *op, const char *message) {
  Raised raised = unsupported;
  if (str_starts_with(str_from_c(message), STR(NO_RULE_HEAD)))
    raised.words = str_format(l->ctx->session->arena,
                              "Unimplemented primitive in Pallas TPU lowering for tc: %s.",
                              op_info(op->code)->name)
                       .data;
  refuse_as(l, &raised, op->span, op->frames, "%s", message);
}

static void check_limits(Legality *l, const IrOp *op) {
  for (size_t i = 0; i < COUNT_OF(op_limits); i++)
    if (is_beyond(op, &op_limits[i])) refuse_op(l, op, op_limits[i].message);
  for (size_t i = 0; i < COUNT_OF(raised_limits); i++)
    if (is_beyond(op, &raised_limits[i].limit))
      refuse_as(l, &raised_limits[i].raised, op->span, op->frames, "%s",
                raised_limits[i].limit.message);
}

static void check_width(Legality *l, const IrOp *op) {
  static const Raised raised = {CATCH_NOT_IMPLEMENTED_ERROR, "64-bit types are not supported:"};
  for (uint32_t i = 0; i < op->result_count; i++) {
    const IrType *type = op->results[i]->type;
    if (dtype_bits(type->dtype) <= 32) continue;
    refuse_as(l, &raised, op->span, op->frames, "a TPU's compiler has no %s",
              dtype_name(type->dtype));
    return;
  }
}

static void check_unsigned_product(Legality *l, const IrOp *op) {
  if (op->code != OP_DOT || !is_unsigned_product(op)) return;
  const IrType *type = operand_type(op, is_of_unsigned(op) ? 0 : 1);
  Str words = str_format(l->ctx->session->arena,
                         "Unsigned integer dtype %s is not supported for dot_general (matmul) on "
                         "the Pallas Mosaic TPU backend.",
                         dtype_name(type->dtype));
  Raised raised = {CATCH_NOT_IMPLEMENTED_ERROR, words.data};
  refuse_as(l, &raised, op->span, op->frames,
            "a TPU's compiler has no products of unsigned integers; convert to signed ones");
}

// Mosaic computes on scalars of 32 bits and bool, and adds vectors of 16 and 32 bits.
static void check_narrow_integers(Legality *l, const IrOp *op) {
  static const Raised scalar = {CATCH_JAX_RUNTIME_ERROR,
                                "Mosaic failed to compile TPU kernel: Not implemented: Only i1 and "
                                "i32 scalars are supported."};
  static const Raised sum = {CATCH_JAX_RUNTIME_ERROR,
                             "Mosaic failed to compile TPU kernel: Not implemented: Only "
                             "vector<i16> and vector<i32> are supported."};
  if (op_info(op->code)->op_class != CLASS_BINARY) return;
  const IrType *type = result_type(op);
  if (!dtype_is_integer(type->dtype) || !is_narrow(type)) return;
  if (type->rank == 0)
    refuse_as(l, &scalar, op->span, op->frames,
              "a TPU's scalar unit computes on 32-bit integers only; convert from %s first",
              dtype_name(type->dtype));
  else if (op->code == OP_ADD && dtype_bits(type->dtype) < 16)
    refuse_as(l, &sum, op->span, op->frames,
              "a TPU's compiler adds vectors of 16-bit and 32-bit integers only; convert from %s "
              "first",
              dtype_name(type->dtype));
}

static void check_op(IrOp *op, void *data) {
  check_width(data, op);
  Legality *l = data;
  check_limits(l, op);
  check_narrow_integers(l, op);
  check_unsigned_product(l, op);
  if (op->code == OP_LOAD || op->code == OP_STORE) check_access(l, op);
  check_refs(l, op);
}

// The program of a subcore that the launch is in is checked as a whole.
static bool is_on_subcore(const IrOp *launch) {
  const IrRegion *program = ir_program_around(launch->parent);
  CoreKind kind = program ? ir_program_mesh(program)->kind : CORE_DEVICE;
  return kind == CORE_VECTOR || kind == CORE_SCALAR;
}

static void check_launch(PassContext *ctx, const IrOp *launch, void *data) {
  Legality *l = data;
  bool is_interpreted = ir_attr_int(launch, ATTR_PRESET) != PRESET_NONE; // not for the chip
  if (is_interpreted || is_on_subcore(launch)) return;
  LaunchParts parts;
  launch_parts(ctx->arena, launch, &parts);
  for (size_t i = 0; i < parts.block_count; i++) check_block(l, launch, &parts, i);
  for (size_t i = 0; i < launch->region_count; i++) ir_walk(launch->regions[i], check_op, l);
}

// ---- programs of cores --------------------------------------------------------------------------
static bool of_shared_memory(const Access *a) {
  return of_far_memory(a) || a->ref->space == SPACE_VMEM_SHARED;
}
static bool strided_access(const Access *a) { return a->is_strided; }
static bool scalar_in_vmem(const Access *a) {
  return a->ref->space == SPACE_VMEM && a->value->rank == 0;
}
static bool narrow_gathered(const Access *a) {
  return a->is_gathered && dtype_bits(a->value->dtype) != 32;
}

// `get` and `swap`: what JAX raises at a load and at a store; with %s, of the memory.
static const struct {
  bool (*applies)(const Access *a);
  const char *message, *get, *swap;
} subcore_limits[] = {
    {of_shared_memory,
     "a subcore computes on its own memory only: copy from HBM and VMEM_SHARED, and to them "
     "(pltpu.sync_copy)",
     "Get does not support loading from %s.", "Swap does not support storing to %s."},
    {scalar_in_vmem,
     "a subcore has scalars in SMEM only: load a vector, ref[pl.ds(i, n)], and take an element of "
     "it; store a vector with a mask",
     "Get only supports loading scalars from SMEM.", "Swap only supports scalars in SMEM."},
    {of_vectors_in_smem,
     "SMEM of a subcore holds scalars: read and write them one by one, or put the array into VMEM",
     "Get only supports loading scalars from SMEM.", "Swap only supports scalars in SMEM."},
    {strided_access,
     "a subcore loads and stores slices without strides; use plsc.load_gather and "
     "plsc.store_scatter",
     "Get only supports slices with stride 1.", "Swap only supports slices with stride 1."},
    {narrow_gathered, "a subcore gathers and scatters 32-bit elements only", "", ""},
};

// What a subcore does to a whole vector at once, it does to one that fills a register.
static void check_lanes(Legality *l, const IrOp *op, const IrType *vector, const char *what) {
  int lanes = l->chip->sparse_lanes;
  if (lanes && vector->rank == 1 && vector->dims[0] != lanes)
    refuse(l, op->span, op->frames, "a subcore of %s %s vectors of %d elements, this one has %lld",
           l->chip->name, what, lanes, (long long)vector->dims[0]);
}

// As JAX writes a memory, in capitals.
static const char *words_of(const Legality *l, const char *words, MemSpace space) {
  const char *place = strstr(words, "%s");
  if (!place) return words;
  Str name = str_from_c(mem_space_name(space));
  char *capitals = arena_dup(l->ctx->arena, name.data, name.len);
  for (size_t i = 0; i < name.len; i++)
    if (capitals[i] >= 'a' && capitals[i] <= 'z') capitals[i] -= 'a' - 'A';
  return str_format(l->ctx->arena, "%.*s%.*s%s", (int)(place - words), words, (int)name.len,
                    capitals, place + 2)
      .data;
}

// Vectors that are not of one dimension, of which it has no running sums.
static void check_running_sum(Legality *l, const IrOp *op) {
  const IrType *x = op->code == OP_CUMSUM ? op->operands[0]->type : NULL;
  if (!x || x->rank == 1) return;
  refuse_as(l, &(Raised){CATCH_NOT_IMPLEMENTED_ERROR, "SC cumsum: x must be rank 1."}, op->span,
            op->frames, "a subcore has running sums of vectors of one dimension only");
}

static void check_subcore_op(IrOp *op, void *data) {
  check_running_sum(data, op);
  if (op->code == OP_SORT) check_lanes(data, op, op->operands[0]->type, "sorts");
  if (op->code != OP_LOAD && op->code != OP_STORE) return;
  Access a = access_of(op);
  if (a.is_gathered) check_lanes(data, op, a.value, op->code == OP_LOAD ? "gathers" : "scatters");
  for (size_t i = 0; i < COUNT_OF(subcore_limits); i++) {
    const char *words = op->code == OP_LOAD ? subcore_limits[i].get : subcore_limits[i].swap;
    if (subcore_limits[i].applies(&a))
      refuse_as(data, &(Raised){CATCH_NOT_IMPLEMENTED_ERROR, words_of(data, words, a.ref->space)},
                op->span, op->frames, "%s", subcore_limits[i].message);
  }
}

static void check_tensor_cores(Legality *l, const IrOp *op, const IrMesh *mesh) {
  int64_t count = ir_mesh_size(mesh);
  if (count > l->chip->cores)
    refuse(l, op->span, op->frames, "the mesh has %lld TensorCores, a chip of %s has %d",
           (long long)count, l->chip->name, l->chip->cores);
}

static void check_cores(IrOp *op, void *data) {
  if (op->code != OP_CORES) return;
  IrMeshes meshes = ir_attr_meshes(op);
  for (size_t i = 0; i < meshes.count; i++) {
    const IrMesh *mesh = &meshes.items[i];
    if (mesh->kind == CORE_TENSOR) check_tensor_cores(data, op, mesh);
    if (mesh->kind != CORE_DEVICE)
      ir_walk(op->regions[i], mesh->kind == CORE_TENSOR ? check_op : check_subcore_op, data);
  }
}

bool pass_legality(PassContext *ctx) {
  Session *session = ctx->session;
  if (!session->warning_on[WARN_TPU] && !ctx->options->strict_tpu) return true;
  Legality l = {.ctx = ctx, .chip = chip_find(name_str(ctx->module->tpu))};
  if (!l.chip) return true; // the budget pass says so
  return launches_visit(ctx, &(LaunchVisit){check_launch, check_cores, &l});
}
