// SPDX-License-Identifier: Apache-2.0
// Clusters on several threads: the pieces of the outermost loop run as a parallel body. Which
// element is computed how does not change, so that results do not depend on the number of threads.
#include "codegen/elements/gen_elem.h"
#include "codegen/emit/gen_const.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_parallel.h"
#include "codegen/values/gen_value.h"
#include "plan.h"

// Pieces worth less than a thread's wake-up are not made; units are additions of one element.
enum { LEAST_WORK = 1 << 20, PIECE_WORK = 1 << 18, MOST_PIECES = 256 };

typedef struct Shared {
  IrOp *const *ops;
  size_t count, rows;
  int64_t pieces;
  size_t place_count; // of results that are used outside
  Val **places;
} Shared;

static int64_t elements_of(const IrOp *op) {
  const IrType *type = op->code == OP_STORE || op_info(op->code)->op_class == CLASS_REDUCE
                           ? op->operands[0]->type
                           : op->results[0]->type;
  return ir_type_count(type);
}

static int64_t work_of(IrOp *const *ops, size_t count) {
  int64_t work = 0;
  for (size_t i = 0; i < count; i++)
    work += elements_of(ops[i]) * (op_is_elementwise(ops[i]->code) ? elem_cost(ops[i]) : 1);
  return work;
}

// A reshape of memory that strides cannot describe makes a dense copy of it: that would be one for
// each thread.
static bool reads_in_place(LlvmGen *g, const Cluster *c) {
  for (size_t i = 0; i < c->count; i++) {
    const IrOp *op = c->ops[i];
    if (op->code != OP_RESHAPE || cluster_val(c, op->operands[0])) continue;
    const Binding *binding = value_binding(g, op->operands[0]);
    Mem out;
    if (binding->kind == BIND_MEM &&
        !mem_reshape(&binding->mem, op->results[0]->type->rank, op->results[0]->type->dims, &out))
      return false;
  }
  return true;
}

// Reductions to one element, and to columns in several steps, are one thread's.
static bool can_be_shared(const Cluster *c) {
  size_t reductions = 0;
  for (size_t i = 0; i < c->count; i++) {
    const IrOp *op = c->ops[i];
    if (op_info(op->code)->op_class != CLASS_REDUCE) continue;
    reductions++;
    if (ir_type_count(op->results[0]->type) < 2) return false;
  }
  for (size_t i = 0; i < c->order.count; i++)
    if (c->order.items[i]->is_outside && c->order.items[i]->value->type->rank == 0) return false;
  return c->rows > 0 || reductions <= 1;
}

static void emit_part(LlvmGen *g, Value begin, Value end, const Value *values, void *data) {
  const Shared *s = data;
  Arena *arena = arena_new_child(g->arena);
  Cluster c;
  cluster_open(g, arena, s->ops, s->count, s->rows, &c);
  for (size_t i = 0; i < s->place_count; i++) {
    Val *v = cluster_val(&c, s->places[i]->value);
    v->mem = s->places[i]->mem;
    v->mem.base = values[i];
    v->mem_has_rows = true;
  }
  c.share = (Share){begin, end, s->pieces};
  cluster_close_plan(&c);
  cluster_emit_walks(&c);
  cluster_give_back(&c);
  arena_free(arena);
}

bool cluster_emit_shared(LlvmGen *g, Arena *arena, IrOp *const *ops, size_t count, size_t rows) {
  if (g->frame->parallel || g->options->check) return false;
  int64_t work = work_of(ops, count);
  if (work < LEAST_WORK && !g->options->eager) return false;
  Cluster c;
  cluster_open(g, arena, ops, count, rows, &c);
  if (!can_be_shared(&c) || !reads_in_place(g, &c)) return false;
  Shared shared = {.ops = ops,
                   .count = count,
                   .rows = rows,
                   .pieces = work < LEAST_WORK ? 5 : work / PIECE_WORK};
  if (shared.pieces > MOST_PIECES) shared.pieces = MOST_PIECES;
  shared.places = ARENA_ARRAY(arena, Val *, c.order.count + 1);
  Value *bases = ARENA_ARRAY(arena, Value, c.order.count + 1);
  for (size_t i = 0; i < c.order.count; i++) {
    Val *v = c.order.items[i];
    if (!v->is_outside) continue;
    v->buffer = destination_take(g, v->value, &v->mem);
    bases[shared.place_count] = v->mem.base;
    shared.places[shared.place_count++] = v;
  }
  ParallelBody body = {.ops = ops,
                       .op_count = count,
                       .values = bases,
                       .value_count = shared.place_count,
                       .body = emit_part,
                       .data = &shared};
  parallel_run(g, &body, gen_i64(g, shared.pieces), gen_i64(g, 1));
  for (size_t i = 0; i < shared.place_count; i++) {
    const Val *v = shared.places[i];
    value_bind_mem(g, v->value, &v->mem, v->buffer);
  }
  return true;
}
