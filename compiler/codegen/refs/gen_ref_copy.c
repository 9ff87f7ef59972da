// SPDX-License-Identifier: Apache-2.0
// Copies from ref to ref: as memory where strides say both, else element by element.
#include "ir/core/ir.h"
#include "gen_ref_copy.h"
#include "codegen/emit/emit.h"
#include "gen_check.h"
#include "gen_race.h"
#include "gen_virtual.h"
#include "prt_codegen.h"

typedef struct DynamicCopy {
  const IrOp *op;
  const Binding *to, *from;
  Value run; // elements in a row, or NULL
} DynamicCopy;

static void copy_one(LlvmGen *g, Value const *index, void *data) {
  const DynamicCopy *copy = data;
  if (copy->from->virtual_ref)
    ref_element_accessed(g, copy->op, copy->from, index, PRT_READ | race_move(copy->op));
  if (copy->to->virtual_ref)
    ref_element_accessed(g, copy->op, copy->to, index, PRT_WRITE | race_move(copy->op));
  if (!copy->run) {
    ref_store_element(g, copy->to, index, ref_load_element(g, copy->from, index));
    return;
  }
  Value from[IR_MAX_RANK], zero = gen_i64(g, 0);
  int rank = copy->from->mem.rank;
  for (int i = 0; i + 1 < rank; i++) from[i] = index[i];
  from[rank - 1] = zero;
  unsigned size = (unsigned)dtype_size(copy->to->mem.dtype);
  Value bytes = emit_mul(g, copy->run, gen_i64(g, size));
  LLVMBuildMemCpy(g->builder, mem_address(g, &copy->to->mem, from), size,
                  mem_address(g, &copy->from->mem, from), size, bytes);
}

static Value dim_size(LlvmGen *g, const Binding *ref, const IrType *type, int dim) {
  return ref->sizes ? ref->sizes[dim] : gen_i64(g, type->dims[dim]);
}

// Elements of virtual refs are noted one by one.
static void note_copy(LlvmGen *g, const IrOp *op, const Binding *to, const Binding *from,
                      Value const *sizes) {
  int move = race_move(op);
  if (!from->virtual_ref) race_access(g, op, &from->mem, sizes, PRT_READ | move);
  if (!to->virtual_ref) race_access(g, op, &to->mem, sizes, PRT_WRITE | move);
}

void ref_copy(LlvmGen *g, const IrOp *op) {
  const IrValue *source = op->operands[0], *target = op->operands[1];
  const Binding *from = value_binding(g, source), *to = value_binding(g, target);
  bool is_virtual = from->virtual_ref || to->virtual_ref;
  if (!is_virtual && !from->sizes && !to->sizes) {
    note_copy(g, op, to, from, NULL);
    mem_copy(g, &to->mem, &from->mem);
    check_copied(g, &to->mem, &from->mem, NULL);
    return;
  }
  const IrType *type = source->type;
  Value sizes[IR_MAX_RANK];
  for (int i = 0; i < type->rank; i++) {
    Value a = dim_size(g, from, type, i), b = dim_size(g, to, type, i);
    sizes[i] = LLVMIsAConstantInt(a)   ? b
               : LLVMIsAConstantInt(b) ? a
                                       : gen_intrinsic2(g, "llvm.smin", a, b);
  }
  note_copy(g, op, to, from, sizes);
  DynamicCopy copy = {.op = op, .to = to, .from = from};
  size_t rank = type->rank;
  if (!is_virtual && rank > 0 && from->mem.strides[rank - 1] == 1 && to->mem.strides[rank - 1] == 1)
    copy.run = gen_intrinsic2(g, "llvm.smax", sizes[--rank], gen_i64(g, 0));
  mem_each_dynamic(g, rank, sizes, copy_one, &copy);
  if (!is_virtual) check_copied(g, &to->mem, &from->mem, sizes);
}
