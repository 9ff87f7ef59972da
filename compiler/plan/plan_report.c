// SPDX-License-Identifier: Apache-2.0
// What reports tell of a cluster: read off its plan, which is what is emitted.
#include "base/buf.h"
#include "ir/core/ir.h"
#include "plan.h"

// The operations, each once, without those that are no code: "exp, sub".
static Str operations_text(Arena *arena, IrOp *const *ops, size_t count) {
  enum { MOST_NAMES = 12 }; // a choice: a line of a report
  Buf buf;
  unsigned names = 0;
  bool seen[OP_COUNT] = {false};
  buf_init(&buf, arena);
  for (size_t i = 0; i < count; i++) {
    OpCode code = ops[i]->code;
    bool is_code = code != OP_CONST && code != OP_IOTA && !op_is_view(code);
    if (seen[code] || (!is_code && count > 1)) continue;
    seen[code] = true;
    if (names++ == MOST_NAMES) buf_c(&buf, ", …");
    if (names <= MOST_NAMES) buf_printf(&buf, "%s%s", names > 1 ? ", " : "", op_info(code)->name);
  }
  return buf_view(&buf);
}

// ---- estimates ----------------------------------------------------------------------------------
typedef struct Work {
  int64_t read, written, flops;
} Work;

// How many points of a walk differ in these dimensions.
static int64_t points(const Walk *walk, uint64_t dims) {
  int64_t count = 1;
  for (size_t d = 0; d < walk->space.rank; d++)
    if (dims >> d & 1) count *= walk->space.sizes[d];
  return count;
}

static uint64_t all_dims(const Walk *walk) { return (UINT64_C(1) << walk->space.rank) - 1; }

// A row that the cluster keeps for itself stays in the cache.
static bool is_own_row(const Plan *plan, const IrValue *memory) {
  const Kept *kept = plan_kept_of(plan, memory);
  return kept && !kept->is_result;
}

static void add_node(const Plan *plan, const Walk *walk, const Node *node, Work *work) {
  int64_t count = points(walk, node->depends);
  if (node_reads(node) && !is_own_row(plan, node->memory))
    work->read += count * (int64_t)dtype_size(node->memory->type->dtype);
  if (node->kind != NODE_OP || !dtype_is_float(node->value->type->dtype)) return;
  OpCode code = node->value->def->code;
  if (code != OP_SELECT && code != OP_CONVERT) work->flops += count;
}

static void add_root(const Walk *walk, const Root *root, Work *work) {
  if (root->kind == ROOT_REDUCE) work->flops += points(walk, all_dims(walk));
  if (root->kind != ROOT_STORE && !(root->result->is_result && root->result->in_memory)) return;
  uint64_t dims = 0;
  for (size_t d = 0; d < walk->space.rank; d++)
    if (root->at.coef[d]) dims |= UINT64_C(1) << d;
  const IrType *type =
      root->kind == ROOT_STORE ? root->op->operands[1]->type : root->result->value->type;
  work->written += points(walk, dims) * (int64_t)dtype_size(type->dtype);
}

static Work work_of(const Plan *plan, const Walk *walk) {
  Work work = {0};
  for (size_t i = 0; i < walk->nodes.count; i++) add_node(plan, walk, walk->nodes.items[i], &work);
  for (size_t i = 0; i < walk->roots.count; i++) add_root(walk, walk->roots.items[i], &work);
  return work;
}

// ---- loops --------------------------------------------------------------------------------------
static void report_access(Session *session, RemarkItem *item, const Walk *walk, const Node *node) {
  const Loops *loops = &walk->loops;
  if (plan_looks_up_lanes(node, loops->lane_dim)) {
    remark_reason_of_little(
        session, item,
        &(Reason){REASON_SCALAR_LOOKUP, node->value->def->span, remark_name(node->memory)});
    return;
  }
  if (node->kind != NODE_LOAD || !(node->depends >> loops->lane_dim & 1) ||
      plan_load_way(node, loops->lane_dim) != LOAD_ONE_BY_ONE)
    return;
  if (loops->group >= 0) return;
  if (loops->cross >= 0 && plan_is_crossed(node, loops->lane_dim, loops->cross)) return;
  const IrOp *def = node->value->def;
  Reason why = {REASON_SCALAR_LOAD, def ? def->span : (Span){0}, remark_name(node->memory)};
  remark_reason(session, item, &why);
}

static void report_store(Session *session, RemarkItem *item, const Walk *walk, const Root *root) {
  if (root->kind != ROOT_STORE || root->at.coef[walk->loops.lane_dim] == 1) return;
  Reason why = {REASON_SCALAR_STORE, root->op->span, remark_name(root->op->operands[1])};
  remark_reason(session, item, &why);
}

static void report_lanes(Session *session, RemarkItem *item, const Walk *walk) {
  const Loops *loops = &walk->loops;
  const Reason one = {.id = REASON_SCALAR_ONLY};
  if (loops->lane_dim < 0 || loops->size < 2) {
    remark_reason(session, item, &one);
    return;
  }
  int64_t lanes =
      loops->turns ? loops->lanes : loops->size * (loops->group >= 0 ? loops->steps : 1);
  remark_number(session, item, FACT_LANES, lanes < loops->lanes ? lanes : (int64_t)loops->lanes);
  remark_number(session, item, FACT_UNROLL, loops->whole ? loops->unroll : 1);
  if (loops->cross >= 0) remark_text(session, item, FACT_SQUARES, STR(""));
  if (loops->if_aligned) remark_text(session, item, FACT_STREAMS, STR(""));
  for (size_t i = 0; i < walk->nodes.count; i++)
    report_access(session, item, walk, walk->nodes.items[i]);
  for (size_t i = 0; i < walk->roots.count; i++)
    report_store(session, item, walk, walk->roots.items[i]);
}

static void report_walk(Session *session, const Plan *plan, const Walk *walk, RemarkItem *cluster) {
  if (!cluster || points(walk, all_dims(walk)) < 2) return;
  RemarkItem *item = remark_part(session, cluster, REMARK_LOOPS, (Span){0}, STR(""));
  Work work = work_of(plan, walk);
  remark_numbers(session, item, FACT_SIZES, walk->shape_rank, walk->shape);
  report_lanes(session, item, walk);
  remark_number(session, item, FACT_READ, work.read);
  remark_number(session, item, FACT_WRITTEN, work.written);
  remark_number(session, item, FACT_FLOPS, work.flops);
  remark_text(session, item, FACT_BOUND,
              plan_waits_for_memory(walk) ? STR("memory") : STR("arithmetic"));
}

// ---- clusters -----------------------------------------------------------------------------------
RemarkItem *plan_report_cluster(Session *session, const IrOp *at, IrOp *const *ops, size_t count) {
  if (!remark_is_on(session)) return NULL;
  RemarkItem *item =
      remark_item(session, REMARK_CLUSTER, at, operations_text(session->arena, ops, count));
  for (size_t i = 0; i < count; i++)
    if (ops[i]->code != OP_CONST) remark_covers(session, item, ops[i]);
  return item;
}

static void report_kept(Session *session, const Plan *plan, RemarkItem *item) {
  if (!item) return;
  for (size_t i = 0; i < plan->kept.count; i++) {
    const Kept *kept = plan->kept.items[i];
    const IrOp *def = kept->value->def;
    if (kept->is_result || op_is_reduction(def->code) || !kept->in_memory) continue;
    remark_reason(session, item, &(Reason){kept->why, def->span, remark_name(kept->value)});
  }
  for (size_t i = 0; i < plan->copies.count; i++) {
    const IrOp *def = plan->copies.items[i]->def;
    remark_reason(session, item,
                  &(Reason){REASON_KEPT_DENSE, def ? def->span : (Span){0},
                            remark_name(plan->copies.items[i])});
  }
}

// Which threads do what.
static void report_sharing(Session *session, const Plan *plan, RemarkItem *item) {
  if (plan->sharing == SHARE_NOT) {
    remark_reason(session, item, &plan->one_thread);
    return;
  }
  Str along = STR("rows");
  if (plan->sharing == SHARE_WALKS) {
    const Walk *const *walk = (const Walk *const *)plan->walks.items;
    while ((*walk)->loops.shared_dim < 0) walk++;
    along = str_format(session->arena, "dimension %d",
                       (*walk)->space.origin[(*walk)->loops.shared_dim]);
  }
  remark_number(session, item, FACT_PIECES, plan->pieces);
  remark_text(session, item, FACT_SHARED_ALONG, along);
}

RemarkItem *plan_report(Session *session, const Plan *plan, const IrOp *at) {
  RemarkItem *item = plan_report_cluster(session, at, plan->ops, plan->count);
  if (plan->rows) remark_numbers(session, item, FACT_ROWS, plan->rows, plan->row_dims);
  report_sharing(session, plan, item);
  report_kept(session, plan, item);
  for (size_t i = 0; i < plan->walks.count; i++)
    report_walk(session, plan, plan->walks.items[i], item);
  return item;
}
