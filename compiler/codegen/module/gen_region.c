// SPDX-License-Identifier: Apache-2.0
// The ops of a region one after another, each emitted by its family; products go together with the
// cluster behind them, and moves with the store.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "gen_region.h"
#include "codegen/arrays/gen_index.h"
#include "codegen/arrays/gen_random.h"
#include "codegen/arrays/gen_scan.h"
#include "codegen/arrays/gen_shape.h"
#include "codegen/arrays/gen_sort.h"
#include "codegen/clusters/gen_cluster.h"
#include "codegen/clusters/gen_cluster_emit.h"
#include "codegen/elements/gen_elem.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/gen_report.h"
#include "codegen/functions/gen_comm.h"
#include "codegen/functions/gen_control.h"
#include "codegen/functions/gen_message.h"
#include "codegen/functions/gen_poll.h"
#include "codegen/functions/gen_ref.h"
#include "codegen/products/gemm_report.h"
#include "codegen/products/gen_dot.h"
#include "codegen/refs/gen_check.h"
#include "codegen/refs/gen_race.h"
#include "codegen/refs/gen_ref_index.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_live.h"
#include "ir/analysis/access.h"
#include "plan/plan_module.h"

// ---- dispatch -----------------------------------------------------------------------------------
// Once the ops of a cluster are emitted: what it yields becomes the results of the fuse op.
static void finish_fuse(LlvmGen *g, IrOp *op) {
  const IrRegion *body = op->regions[0];
  ClusterOps ops = cluster_fused_ops(g->arena, op);
  for (size_t i = 0; i < op->result_count; i++) {
    IrValue *from = body->last->operands[i];
    value_bind_like(g, op->results[i], from);
  }
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < ops.items[i]->result_count; k++) value_drop(g, ops.items[i]->results[k]);
}

static void emit_fuse(LlvmGen *g, IrOp *op) {
  ClusterOps ops = cluster_fused_ops(g->arena, op);
  cluster_emit(g, ops.items, ops.count, ir_attr_ints(op, ATTR_AXES).count);
  finish_fuse(g, op);
}

static bool is_scalar_op(const IrOp *op) {
  for (size_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->type->rank) return false;
  return true;
}

static void emit_scalar_op(LlvmGen *g, IrOp *op) {
  Value operands[4], results[2];
  for (size_t i = 0; i < op->operand_count; i++) operands[i] = value_scalar(g, op->operands[i]);
  if (op->code == OP_THREEFRY)
    elem_threefry(g, operands, results);
  else
    results[0] = elem_op(g, op, operands);
  for (size_t i = 0; i < op->result_count; i++) value_bind_scalar(g, op->results[i], results[i]);
  gen_poll_computed(g, op, operands);
}

// ---- families -----------------------------------------------------------------------------------
static void emit_elementwise(LlvmGen *g, IrOp *op) {
  if (is_scalar_op(op))
    emit_scalar_op(g, op);
  else
    cluster_emit(g, &op, 1, 0);
}

// Other constants are bound when they are first asked for.
static void emit_const(LlvmGen *g, IrOp *op) {
  if (op->code == OP_IOTA) cluster_emit(g, &op, 1, 0);
}

static void emit_shape(LlvmGen *g, IrOp *op) {
  if (!gen_shape_view(g, op)) gen_shape_move(g, op);
}

static void emit_reduce(LlvmGen *g, IrOp *op) {
  if (op->code == OP_ARGMAX || op->code == OP_ARGMIN)
    gen_arg_extreme(g, op);
  else
    cluster_emit(g, &op, 1, 0);
}

static void emit_lookup(LlvmGen *g, IrOp *op) { cluster_emit(g, &op, 1, 0); }

static void emit_heavy(LlvmGen *g, IrOp *op) {
  switch (op->code) {
  case OP_DYNAMIC_UPDATE_SLICE: gen_shape_move(g, op); return;
  case OP_DOT: gen_dot(g, op); return;
  case OP_SORT: gen_sort(g, op); return;
  case OP_GATHER: gen_gather(g, op); return;
  case OP_LOOKUP: emit_lookup(g, op); return;
  case OP_SCATTER: gen_scatter(g, op); return;
  default: BUG("no code for %s", op_info(op->code)->name);
  }
}

static void emit_ref(LlvmGen *g, IrOp *op) {
  switch (op->code) {
  case OP_PARALLEL_WRITE:
  case OP_PARALLEL_READ:
    gen_check_op(g, op);
    race_block(g, op);
    return;
  case OP_CHECK_WRITTEN:
  case OP_PARALLEL_STEP:
  case OP_PARALLEL_END: gen_check_op(g, op); return;
  default:
    if (!gen_ref_op(g, op)) gen_comm_op(g, op);
  }
}

static void emit_effectful(LlvmGen *g, IrOp *op) {
  if (op->code == OP_PRNG_SEED || op->code == OP_PRNG_BITS)
    gen_prng(g, op);
  else if (op->code == OP_STEP_ENTER || op->code == OP_STEP_LEAVE || op->code == OP_CHECK_USED)
    gen_check_op(g, op);
  else if (op->code == OP_TURN)
    race_turn(g, op);
  else
    gen_message_op(g, op);
}

static void emit_control(LlvmGen *g, IrOp *op) {
  if (op->code == OP_FUSE)
    emit_fuse(g, op);
  else
    gen_control(g, op);
}

typedef void (*EmitOp)(LlvmGen *g, IrOp *op);
static const EmitOp families[] = {
    [CLASS_CONST] = emit_const,         [CLASS_SHAPE] = emit_shape,
    [CLASS_REDUCE] = emit_reduce,       [CLASS_CUMULATIVE] = gen_cumulative,
    [CLASS_HEAVY] = emit_heavy,         [CLASS_REF] = emit_ref,
    [CLASS_EFFECTFUL] = emit_effectful, [CLASS_CONTROL] = emit_control,
};

static void emit_op(LlvmGen *g, IrOp *op) {
  OpClass family = op_info(op->code)->op_class;
  EmitOp emit = op_is_elementwise(op->code)   ? emit_elementwise
                : family < COUNT_OF(families) ? families[family]
                                              : NULL;
  if (!emit) BUG("no code for %s", op_info(op->code)->name);
  emit(g, op);
}

// ---- products with what follows them ------------------------------------------------------------
// True if the product was emitted together with `consumer`; all ops between them have been emitted.
static bool emit_dot_fused(LlvmGen *g, IrOp *dot, IrOp *consumer) {
  if (consumer->code == OP_STORE)
    return gen_dot_stored(g, dot, consumer) || gen_dot_fused(g, dot, &consumer, 1, NULL);
  ClusterOps ops = cluster_fused_ops(g->arena, consumer);
  if (!gen_dot_fused(g, dot, ops.items, ops.count, consumer->regions[0])) return false;
  finish_fuse(g, consumer);
  return true;
}

// The memory that the store would copy the op's result to, in the result's shape.
static Mem target_for(LlvmGen *g, const IrOp *op, const IrOp *store) {
  Mem to = ref_store_target(g, store);
  const IrType *type = op->results[0]->type;
  if (store->operands[0] == op->results[0]) return to;
  Layout layout = mem_layout(&to), view;
  if (!layout_reshape(&layout, type->rank, type->dims, &view)) BUG("a store has another shape");
  return mem_at(to.base, &view);
}

// Emits the op so that its result is made where the store would copy it to.
static void emit_at(LlvmGen *g, IrOp *op, const IrOp *store) {
  Mem to = target_for(g, op, store);
  IrValue *result = op->results[0];
  if (op->code == OP_CONCAT || op->code == OP_PAD) {
    bool is_made = gen_shape_move_to(g, op, &to);
    remark_text(g->session, gen_report(g, op), FACT_PLACE,
                is_made ? STR("stored at once, its parts made there") : STR("stored at once"));
    return;
  }
  if (plan_updates_in_place(op, store) && !value_binding(g, op->operands[0])->buffer)
    to = value_mem(g, op->operands[0]); // the load was not copied
  destination_set(g, result, op->parent, &to, NULL);
  emit_op(g, op);
  destination_clear(g, result);
  Mem made = value_mem(g, result);
  if (made.base != to.base) mem_copy(g, &to, &made); // in place of an operand
}

// What fills outputs, by what is stored there.
static void note_outputs(LlvmGen *g, const IrRegion *region) {
  if (g->options->check || region->parent) return;
  for (IrOp *op = region->first; op; op = op->next)
    if (access_fills_output(op)) map_set(g->outputs, op->operands[0], op);
}

// Whether an op takes memory for its results. What a loop carries changes: others may not look.
static bool makes_memory(const IrOp *op, const IrValue *result) {
  if (!result->type->rank || op_info(op->code)->op_class == CLASS_CONST) return false;
  return !ir_is_loop(op) || result->use_count == 1;
}

// Emits an op whose results are made in the outputs that they fill, where it can.
static void emit_filling(LlvmGen *g, IrOp *op) {
  Mem *places = ARENA_ARRAY(g->arena, Mem, op->result_count);
  const IrOp **stores = ARENA_ARRAY(g->arena, const IrOp *, op->result_count);
  for (size_t i = 0; i < op->result_count; i++) {
    stores[i] = makes_memory(op, op->results[i]) ? map_get(g->outputs, op->results[i]) : NULL;
    if (!stores[i]) continue;
    places[i] = ref_store_target(g, stores[i]);
    destination_set_stored(g, op->results[i], stores[i], &places[i]);
  }
  emit_op(g, op);
  for (size_t i = 0; i < op->result_count; i++)
    if (stores[i]) destination_check_stored(g, op->results[i], stores[i], &places[i]);
}

// ---- regions ------------------------------------------------------------------------------------

// What stands between an op and that which is emitted with it; not the reshape of what is stored.
static void emit_between(LlvmGen *g, const IrOp *op, const IrOp *with) {
  for (IrOp *between = op->next; between != with; between = between->next) {
    bool is_stored =
        with->code == OP_STORE && between->result_count && between->results[0] == with->operands[0];
    if (is_stored || destination_is_stored(g, between)) continue;
    debug_at(g, between);
    emit_op(g, between);
  }
}

// Emits an op, or a product with all up to its consumer; returns the last op emitted.
static IrOp *emit_next(LlvmGen *g, IrOp *op) {
  if (destination_is_stored(g, op)) return op;
  gen_shape_set_update(g, op);
  IrOp *store = live_store_of(g, op);
  if (store) {
    emit_between(g, op, store);
    debug_at(g, op);
    emit_at(g, op, store);
    return store;
  }
  IrOp *consumer = op->code == OP_DOT ? plan_consumer_of(op) : NULL;
  if (!consumer) {
    if (op->code == OP_DOT) gemm_report_apart(g, op, REASON_APART_CONSUMER, NULL);
    emit_filling(g, op);
    return op;
  }
  emit_between(g, op, consumer);
  debug_at(g, op);
  if (!emit_dot_fused(g, op, consumer)) {
    emit_op(g, op);
    debug_at(g, consumer);
    emit_op(g, consumer);
  }
  return consumer;
}

// What is concatenated is made in the whole's memory, which is that of an output if nothing but the
// store of the whole knows it: once there is `made`, an op of the region, or (NULL) as it begins.
static void set_parts(LlvmGen *g, const IrOp *concat, const IrOp *made) {
  const IrOp *store = live_store_of(g, concat);
  if (!store) {
    if (!made) destination_set_parts(g, concat);
    return;
  }
  const IrOp *ref = store->operands[1]->def;
  bool is_ready = made ? ref == made : !ref || ref->parent != concat->parent;
  if (!is_ready || store->operand_count > 2) return;
  Mem to = target_for(g, concat, store);
  destination_set_parts_stored(g, concat, &to);
}

// Of the concatenations behind `made`, or of all.
static void set_all_parts(LlvmGen *g, const IrRegion *region, const IrOp *made) {
  for (const IrOp *op = made ? made->next : region->first; op; op = op->next)
    if (op->code == OP_CONCAT) set_parts(g, op, made);
}

static void show_scalars(LlvmGen *g, IrValue *const *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (debug_has_variables(g, values[i])) debug_scalar(g, values[i], value_scalar(g, values[i]));
}

void region_emit(LlvmGen *g, IrRegion *ir) {
  const Region *region = live_open(g, ir);
  show_scalars(g, ir->args, ir->arg_count);
  note_outputs(g, ir);
  set_all_parts(g, ir, NULL);
  // What is yielded is the business of who emits the region.
  for (IrOp *op = ir->first; op && op->code != OP_YIELD;) {
    debug_op(g, op);
    IrOp *last = emit_next(g, op), *end = last->next;
    for (; op != end; op = op->next) {
      show_scalars(g, op->results, op->result_count);
      live_end_op(g, region, op);
      if (op->code == OP_VIEW && access_is_only_written(op->results[0])) set_all_parts(g, ir, op);
    }
  }
  live_close(g, region);
}
