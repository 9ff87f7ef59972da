// SPDX-License-Identifier: Apache-2.0
// Live ranges of the values of a region: which op is the last user of each (of the ends of a copy,
// the last wait for it), and what follows from
// that: memory that may be given back, taken over, or shared with a ref.
#include "base/map.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "gen_live.h"
#include "ir/analysis/alias.h"
#include "gen_value.h"
#include "plan/plan_module.h"

// What the region that is being emitted knows of each of its ops.
typedef struct OpNote {
  size_t position;
  VEC(const IrValue *) dead; // values of the region whose last user the op is
} OpNote;

struct Region {
  IrRegion *ir;
  Map *last_use; // IrValue * -> IrOp *
  struct Region *outer;
};

// ---- lives --------------------------------------------------------------------------------------
// Ops by which memory is reached beyond the last op that names it: copies that may be under way, in
// order; and what other cores change.
typedef struct Reaching {
  VEC(const IrOp *) copies, changes;
} Reaching;

static bool is_semaphore(const IrValue *value) {
  return value->type->is_ref && value->type->space == SPACE_SEM;
}

static void note_uses(LlvmGen *g, Region *region, const IrOp *op, IrOp *top, Reaching *reaching) {
  if (op->code == OP_COPY_START) VEC_PUSH(g->arena, &reaching->copies, op);
  if (op->code == OP_FETCH_ADD) VEC_PUSH(g->arena, &reaching->changes, op);
  for (size_t i = 0; i < op->operand_count; i++) {
    const IrValue *value = op->operands[i];
    if (ir_value_region(value) == region->ir) map_set(region->last_use, value, top);
    const IrValue *root = is_semaphore(value) ? ir_ref_root(value) : value;
    if (root != value && ir_value_region(root) == region->ir) map_set(region->last_use, root, top);
  }
  for (size_t i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      note_uses(g, region, inner, top, reaching);
}

static OpNote *note_of(const IrOp *op) { return op->scratch; }

static size_t last_use_position(const Region *region, const IrValue *value) {
  const IrOp *op = map_get(region->last_use, value);
  return op ? note_of(op)->position : 0;
}

// The last op of the region behind which a value can end.
static IrOp *last_op(const Region *region) {
  IrOp *last = region->ir->last;
  return last->code == OP_YIELD ? last->prev : last;
}

static bool is_inside(const IrRegion *region, const IrRegion *outer) {
  while (region && region != outer) region = region->parent ? region->parent->parent : NULL;
  return region;
}

// Until when a copy may be under way: whoever knows that it is done has waited for one of its
// semaphores. NULL: one of them ends before the op of this region that the copy is in does.
static IrOp *end_of_copy(const Region *region, const IrOp *copy) {
  IrOp *end = NULL;
  for (size_t i = 2; i < copy->operand_count; i++) {
    if (!is_semaphore(copy->operands[i])) continue;
    const IrValue *root = ir_ref_root(copy->operands[i]);
    if (!is_inside(ir_value_region(root), region->ir)) return last_op(region);
    IrOp *last = map_get(region->last_use, root);
    if (last && (!end || note_of(last)->position > note_of(end)->position)) end = last;
  }
  return end;
}

// Both ends of a copy keep their memory while it may be under way.
static void hold_ends(Region *region, const IrOp *copy) {
  for (size_t i = 0; i < 2; i++) {
    const IrValue *root = ir_ref_root(copy->operands[i]);
    if (ir_value_region(root) != region->ir) continue;
    IrOp *end = end_of_copy(region, copy);
    if (end && last_use_position(region, root) < note_of(end)->position)
      map_set(region->last_use, root, end);
  }
}

// Memory stays to the end of the region, where no scope or launch ends before.
static void hold_to_end(Region *region, const IrValue *memory) {
  const IrOp *last = map_get(region->last_use, memory);
  if (last && last->code != OP_RELEASE && last->code != OP_OVER)
    map_set(region->last_use, memory, last_op(region));
}

// What other programs may meet: under check, all memory of a program of cores is its own to the
// end.
static void hold_memory(LlvmGen *g, Region *region, const Reaching *reaching) {
  for (size_t i = 0; i < reaching->changes.count; i++) {
    const IrValue *root = ir_ref_root(reaching->changes.items[i]->operands[0]);
    if (ir_value_region(root) == region->ir) hold_to_end(region, root);
  }
  const IrOp *parent = region->ir->parent;
  if (!g->options->check || !g->frame->task || !parent || parent->code != OP_CORES) return;
  for (const IrOp *op = region->ir->first; op; op = op->next)
    if (op->code == OP_ALLOC) hold_to_end(region, op->results[0]);
}

IrOp *live_store_of(const LlvmGen *g, const IrOp *maker) {
  return g->options->check ? NULL : plan_store_of(maker);
}

// An op that is emitted with one behind it reads its operands there: what stands between does not
// take their memory over, though it uses them last.
static void hold_operands(const LlvmGen *g, Region *region, const IrOp *op) {
  IrOp *with = live_store_of(g, op);
  if (!with && op->code == OP_DOT) with = plan_consumer_of(op);
  for (uint32_t i = 0; with && i < op->operand_count; i++) {
    const IrValue *value = op->operands[i];
    if (ir_value_region(value) != region->ir) continue;
    size_t last = last_use_position(region, value);
    if (last > note_of(op)->position && last < note_of(with)->position)
      map_set(region->last_use, value, with);
  }
}

static void find_lives(LlvmGen *g, Region *region) {
  size_t position = 0;
  Reaching reaching = {0};
  for (IrOp *op = region->ir->first; op; op = op->next) {
    OpNote *note = ARENA_NEW(g->arena, OpNote);
    note->position = position++;
    op->scratch = note;
    note_uses(g, region, op, op, &reaching);
  }
  for (const IrOp *op = region->ir->first; op; op = op->next) hold_operands(g, region, op);
  for (size_t i = 0; i < reaching.copies.count; i++) hold_ends(region, reaching.copies.items[i]);
  hold_memory(g, region, &reaching);
  const void *value;
  void *op;
  for (size_t it = 0; map_next(region->last_use, &it, &value, &op);)
    VEC_PUSH(g->arena, &note_of(op)->dead, value);
}

// The op that may write, or that of the cluster which does.
static const IrOp *writer_in(const IrOp *op, const IrOp *load) {
  if (op->code != OP_FUSE) return op;
  for (const IrOp *inner = op->regions[0]->first; inner; inner = inner->next)
    if (alias_op_may_write(inner, load)) return inner;
  return op;
}

// A value and the views of it, and where the last use of any of them is.
typedef struct Views {
  VEC(const IrValue *) items;
  size_t end;
} Views;

static void open_views(LlvmGen *g, Views *views, const IrValue *value) {
  *views = (Views){.end = last_use_position(g->region, value)};
  VEC_PUSH(g->arena, &views->items, value);
}

static void note_view(LlvmGen *g, Views *views, const IrOp *op) {
  if (op_info(op->code)->op_class != CLASS_SHAPE) return;
  for (size_t i = 0; i < views->items.count; i++) {
    if (op->operands[0] != views->items.items[i]) continue;
    VEC_PUSH(g->arena, &views->items, op->results[0]);
    size_t last = last_use_position(g->region, op->results[0]);
    if (last > views->end) views->end = last;
    return;
  }
}

// The load's value can be the ref's own memory if nothing writes there while the value, or a view
// of it, is needed.
const IrOp *live_load_obstacle(LlvmGen *g, const IrOp *load) {
  const Region *region = g->region;
  if (load->parent != region->ir) return load;
  Views views;
  open_views(g, &views, load->results[0]);
  for (const IrOp *op = load->next; op && note_of(op)->position <= views.end; op = op->next) {
    if (op->code == OP_YIELD) return op;
    if (alias_op_may_write(op, load)) return writer_in(op, load);
    note_view(g, &views, op);
  }
  return NULL;
}

// Ops that may write their result over an operand of which they are the last user.
static bool may_write_over(const IrOp *op, const IrValue *value) {
  if (op->code == OP_DYNAMIC_UPDATE_SLICE || op->code == OP_SCATTER)
    return op->operands[0] == value;
  if (op->code != OP_FUSE && !op_is_elementwise(op->code)) return false;
  for (size_t i = 0; i < op->result_count; i++)
    if (ir_type_bytes(op->results[i]->type) == ir_type_bytes(value->type)) return true;
  return false;
}

bool live_slice_hinders(LlvmGen *g, const IrOp *slice) {
  enum { SMALL_PART = 8 }; // a choice: up to an eighth a copy is cheap beside the whole
  const Region *region = g->region;
  const IrValue *whole = slice->operands[0], *part = slice->results[0];
  if (part->type->rank == 0 || ir_value_region(whole) != region->ir ||
      slice->parent != region->ir ||
      ir_type_bytes(part->type) > ir_type_bytes(whole->type) / SMALL_PART)
    return false;
  const IrOp *last = map_get(region->last_use, whole);
  if (last == slice || !may_write_over(last, whole)) return false;
  Views views;
  open_views(g, &views, part);
  for (const IrOp *op = slice->next; op && note_of(op)->position <= views.end; op = op->next)
    note_view(g, &views, op);
  return views.end >= note_of(last)->position;
}

// What the condition of a while loop does to a value that is carried must not be seen by the body.
static bool is_carried_to_condition(const IrValue *value) {
  const IrOp *loop = value->def ? NULL : value->region->parent;
  return loop && loop->code == OP_WHILE && value->region == loop->regions[0];
}

// `others`: users of the buffer that will be done.
static Buffer *take_over(LlvmGen *g, const IrValue *value, const IrOp *op, unsigned others,
                         Mem *mem) {
  const Binding *binding = value_binding(g, value);
  if (ir_value_region(value) != g->region->ir || map_get(g->region->last_use, value) != op)
    return NULL;
  if (binding->kind != BIND_MEM || !binding->buffer || !mem_is_dense(&binding->mem)) return NULL;
  if (is_carried_to_condition(value) ||
      binding->buffer->users != binding->buffer->holds + 1 + others)
    return NULL;
  int64_t bytes = mem_count(&binding->mem) * (int64_t)dtype_size(value->type->dtype);
  if ((size_t)bytes > binding->buffer->size) return NULL; // the array was broadcast
  *mem = binding->mem;
  return binding->buffer;
}

Buffer *live_take_over(LlvmGen *g, const IrValue *value, const IrOp *op, Mem *mem) {
  return take_over(g, value, op, 0, mem);
}

Buffer *live_take_over_early(LlvmGen *g, const IrValue *value, const IrOp *op, const IrOp *maker,
                             Mem *mem) {
  if (!map_has(g->bindings, value)) return NULL; // it is made behind the maker
  const OpNote *note = note_of(maker);
  const Buffer *buffer = value_binding(g, value)->buffer;
  unsigned others = 0;
  for (size_t i = 0; i < note->dead.count; i++) {
    const IrOp *def = note->dead.items[i]->def;
    const Binding *binding = map_get(g->bindings, note->dead.items[i]);
    bool is_slice = def && (def->code == OP_SLICE || def->code == OP_DYNAMIC_SLICE);
    if (!is_slice || def->operands[0] != value) continue; // another view: of elements unknown here
    others += binding && binding->kind == BIND_MEM && binding->buffer == buffer;
  }
  return take_over(g, value, op, others, mem);
}

Region *live_open(LlvmGen *g, IrRegion *ir) {
  Region *region = ARENA_NEW(g->arena, Region);
  *region = (Region){.ir = ir, .last_use = map_new(g->arena), .outer = g->region};
  g->region = region;
  find_lives(g, region);
  return region;
}

void live_close(LlvmGen *g, const Region *region) { g->region = region->outer; }

void live_end_op(LlvmGen *g, const Region *region, const IrOp *op) {
  OpNote *note = note_of(op);
  for (size_t i = 0; i < note->dead.count; i++) value_drop(g, note->dead.items[i]);
  for (size_t i = 0; i < op->result_count; i++)
    if (!map_has(region->last_use, op->results[i])) value_drop(g, op->results[i]);
}

// After a region's yield has been dealt with: its values end.
void live_drop_yielded(LlvmGen *g, const IrRegion *ir) {
  const IrOp *yield = ir->last;
  if (!yield || yield->code != OP_YIELD) return;
  for (size_t i = 0; i < yield->operand_count; i++)
    if (ir_value_region(yield->operands[i]) == ir) value_drop(g, yield->operands[i]);
  for (size_t i = 0; i < ir->arg_count; i++) value_drop(g, ir->args[i]);
}
