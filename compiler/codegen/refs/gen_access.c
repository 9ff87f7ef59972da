// SPDX-License-Identifier: Apache-2.0
// Loads and stores element by element: with index arrays, through virtual refs, of parts whose size
// is known at run time, and masked ones that are not inside of their ref for sure. What is out of
// bounds is not touched: an unmasked read takes the nearest element inside, as JAX does on a CPU, a
// write is dropped.
#include "ir/core/build_memory.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_access.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_report.h"
#include "ir/analysis/bounds.h"
#include "gen_check.h"
#include "gen_ref_index.h"
#include "gen_virtual.h"
#include "prt_codegen.h"

typedef struct ElementAccess {
  const IrOp *op;
  const Binding *ref;
  const IrIndex *index;
  const IrType *type; // of the ref
  bool is_store, is_mark, is_masked, arrays_first;
  int array_rank;
  Mem arrays[IR_MAX_RANK]; // index arrays, by dimension of the ref
  Mem values;              // what is stored, or where what is loaded goes
  const Mem *mask, *other;
} ElementAccess;

static Value array_element(LlvmGen *g, const ElementAccess *a, int i, Value const *at) {
  Value element = mem_load(g, &a->arrays[i], at);
  return convert_dtype(g, element, a->arrays[i].dtype, DT_I64);
}

// Whether elements of the dimension may be outside, each for itself.
static bool is_by_element(const ElementAccess *a, int i) {
  return a->index->dims[i].kind == INDEX_ARRAY || bounds_dim_leaves_by_steps(a->op, i);
}

// From coordinates of the value to coordinates of the ref, as they are named.
static void ref_coordinates(LlvmGen *g, const ElementAccess *a, Value const *at, Value *out) {
  int next = 0;
  Value const *array_at = NULL;
  if (a->arrays_first) {
    array_at = at;
    next = a->array_rank;
  }
  for (int i = 0; i < a->index->rank; i++) {
    const IndexDim *dim = &a->index->dims[i];
    Value start = dim->kind == INDEX_ARRAY              ? NULL
                  : a->is_masked || is_by_element(a, i) ? ref_dim_named(g, a->op, i)
                                                        : ref_dim_start(g, a->op, i);
    if (dim->kind == INDEX_SLICE) {
      out[i] = gen_add(g, start, gen_mul_const(g, at[next++], dim->stride));
      continue;
    }
    if (!array_at && a->array_rank >= 0) {
      array_at = at + next;
      next += a->array_rank;
    }
    out[i] = dim->kind == INDEX_SCALAR ? start : array_element(g, a, i, array_at);
  }
}

static bool is_doubtful(const ElementAccess *a, int i) {
  if (a->ref->loose) return true;
  return is_by_element(a, i) || (a->is_masked && !bounds_dim_inside(a->op, i));
}

static Value is_between(LlvmGen *g, Value low, Value x, Value high) {
  return emit_and(g, emit_icmp(g, LLVMIntSGE, x, low), emit_icmp(g, LLVMIntSLT, x, high));
}

// Whether the element exists; NULL: for sure. Coordinates are brought inside where that is what an
// access out of bounds means.
static Value settle(LlvmGen *g, const ElementAccess *a, Value *coordinates) {
  Value all = a->ref->loose ? a->ref->loose->exists : NULL;
  bool is_checked = g->options->check, is_clamped = !a->is_store && !a->is_masked && !is_checked;
  for (int i = 0; i < a->index->rank; i++) {
    if (!is_doubtful(a, i)) continue;
    Value limit = gen_i64(g, a->type->dims[i]), zero = gen_i64(g, 0);
    Value low = a->ref->loose ? a->ref->loose->low[i] : zero,
          high = a->ref->loose ? a->ref->loose->high[i] : limit;
    Value *at = &coordinates[i];
    bool counts_back = a->index->dims[i].kind == INDEX_ARRAY || !a->is_masked;
    if (is_by_element(a, i) && counts_back && !is_checked)
      *at = emit_select(g, emit_icmp_c(g, LLVMIntSLT, *at, 0), emit_add(g, *at, limit), *at);
    if (is_clamped) {
      *at = gen_intrinsic2(g, "llvm.smax",
                           gen_intrinsic2(g, "llvm.smin", *at, emit_sub_c(g, limit, 1)), zero);
      continue;
    }
    Value inside = is_between(g, low, *at, high);
    if (!a->is_mark)
      check_coordinate(g, a->op, i, emit_sub(g, *at, low), inside, emit_sub(g, high, low));
    all = all ? emit_and(g, all, inside) : inside;
  }
  return all;
}

static void transfer(LlvmGen *g, const ElementAccess *a, Value const *at,
                     Value const *coordinates) {
  Binding ref = *a->ref;
  if (ref.loose) ref.mem = ref.loose->mem;
  if (a->op->code == OP_UNWRITTEN)
    mem_store(g, &a->values, at, ref_element_unwritten(g, a->op, &ref, coordinates));
  else if (a->op->code == OP_UNWRITE)
    ref_element_unwrite(g, &ref, coordinates, mem_load(g, &a->values, at));
  else if (a->is_store) {
    ref_element_accessed(g, a->op, &ref, coordinates, PRT_WRITE);
    ref_store_element(g, &ref, coordinates, mem_load(g, &a->values, at));
  } else {
    ref_element_accessed(g, a->op, &ref, coordinates, PRT_READ);
    mem_store(g, &a->values, at, ref_load_element(g, &ref, coordinates));
  }
}

// What a load gives where it reads nothing.
static void put_other(LlvmGen *g, const ElementAccess *a, Value const *at) {
  if (a->is_store) return;
  Value other =
      a->other ? mem_load(g, a->other, at) : LLVMConstNull(gen_compute_type(g, a->values.dtype, 1));
  mem_store(g, &a->values, at, other);
}

static void access_existing(LlvmGen *g, const ElementAccess *a, Value const *at) {
  Value coordinates[IR_MAX_RANK];
  ref_coordinates(g, a, at, coordinates);
  Value exists = settle(g, a, coordinates);
  if (!exists) {
    transfer(g, a, at, coordinates);
    return;
  }
  Branch branch;
  branch_begin(g, &branch, exists, true);
  transfer(g, a, at, coordinates);
  branch_else(g, &branch);
  put_other(g, a, at);
  branch_end(g, &branch);
}

static void access_element(LlvmGen *g, Value const *at, void *data) {
  const ElementAccess *a = data;
  if (!a->mask) {
    access_existing(g, a, at);
    return;
  }
  Branch branch;
  branch_begin(g, &branch, mem_load(g, a->mask, at), false);
  access_existing(g, a, at);
  branch_else(g, &branch);
  put_other(g, a, at);
  branch_end(g, &branch);
}

static void access_all(LlvmGen *g, ElementAccess *a) {
  if (a->array_rank < 0 && (a->ref->sizes || ref_has_dynamic_sizes(a->index))) {
    Value *sizes;
    ref_index_mem(g, a->op, a->ref, &sizes);
    if (sizes) {
      if (!a->is_store)
        mem_fill(g, &a->values, LLVMConstNull(gen_compute_type(g, a->values.dtype, 1)));
      mem_each_dynamic(g, a->values.rank, sizes, access_element, a);
      return;
    }
  }
  mem_each(g, a->values.rank, a->values.dims, access_element, a);
}

void ref_access_elements(LlvmGen *g, const IrOp *op, const Binding *ref, const Mem *values,
                         const IrValue *mask, const IrValue *other) {
  ElementAccess a = {.op = op,
                     .ref = ref,
                     .index = ir_attr_index(op),
                     .is_store = op_ref_position(op->code),
                     .values = *values,
                     .array_rank = -1};
  a.type = op->operands[a.is_store ? 1 : 0]->type;
  a.is_mark = op->code == OP_UNWRITTEN || op->code == OP_UNWRITE;
  a.is_masked = mask != NULL;
  Binding plain = *ref;
  if (!mask && ref->loose) {
    plain.loose = NULL;
    a.ref = &plain;
  }
  for (int i = 0; i < a.index->rank; i++) {
    if (a.index->dims[i].kind != INDEX_ARRAY) continue;
    a.arrays[i] = value_mem(g, op->operands[a.index->dims[i].start_operand]);
    a.array_rank = a.arrays[i].rank;
  }
  a.arrays_first = a.array_rank >= 0 && ir_index_is_split(a.index);
  Mem mask_mem, other_mem;
  if (mask) mask_mem = value_mem(g, mask), a.mask = &mask_mem;
  if (other) other_mem = value_mem(g, other), a.other = &other_mem;
  if (!a.is_mark) gen_report_reason(g, op, REASON_SCALAR_INDEX);
  access_all(g, &a);
}
