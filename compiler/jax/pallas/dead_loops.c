// SPDX-License-Identifier: Apache-2.0
// pallas_call removes dead code from the kernel that it has traced, and a chip is given what is
// left. semaphore_read has no effect there, no more than a load has: a while_loop that does nothing
// else, and whose results nothing needs that is left, is gone. Who meant to wait by it does not.
// JAX looks into branches and loops of a known length, not into while_loops and run_scoped. Of a
// run_scoped nothing is left if it changes no memory but its own and nothing needs its results:
// then such loops are gone, whatever is done with their results. What else it does stays, for
// checks.
#include "dead_loops.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/region.h"
#include "jax/trace/tracing.h"

// ---- loops of scopes ----------------------------------------------------------------------------
void dead_loops_enter(Eval *ev, DeadLoops *d, const void *refs, size_t count) {
  IrRegion *region = trace_builder(ev)->region;
  IrOp *before = region->last;
  for (; count && before && before->code == OP_ALLOC; count--) before = before->prev;
  VEC_PUSH(ev->arena, &d->scopes, ((ScopeStart){refs, region, before}));
}

static void note(IrOp *op, void *data) { map_set(data, op, op); }

// The ops of a scope, in regions as well.
static void note_scope(const ScopeOps *scope, Map *ops) {
  for (IrOp *op = scope->first; op; op = op == scope->last ? NULL : op->next) {
    note(op, ops);
    for (int i = 0; i < op->region_count; i++) ir_walk(op->regions[i], note, ops);
  }
}

void dead_loops_leave(Eval *ev, DeadLoops *d, const void *refs) {
  // A scope that an exception has left is still there.
  while (d->scopes.count && d->scopes.items[d->scopes.count - 1].refs != refs) d->scopes.count--;
  if (!d->scopes.count) return;
  const ScopeStart *start = &d->scopes.items[--d->scopes.count];
  const IrRegion *region = start->region;
  ScopeOps *scope = ARENA_NEW(ev->arena, ScopeOps);
  *scope = (ScopeOps){start->before ? start->before->next : region->first, region->last};
  if (!scope->first) return;
  if (!d->kept) d->kept = map_new(ev->arena), d->ends = map_new(ev->arena);
  Map *ops = map_new(ev->arena);
  const void *op;
  note_scope(scope, ops);
  for (size_t it = 0; map_next(ops, &it, &op, NULL);) {
    map_set(d->kept, op, d);
    map_remove(d->ends, op); // of a scope inside of this one
  }
  map_set(d->ends, scope->last, scope);
}

// ---- what is dead -------------------------------------------------------------------------------
static bool reads_count_or_memory(const IrOp *op) {
  return op->code == OP_SEM_READ || (effects_only_reads(op->code) && !effects_is_pure(op->code));
}

static bool has_effect(const IrOp *op) {
  return !op->region_count && !effects_is_pure(op->code) && op->code != OP_YIELD &&
         !reads_count_or_memory(op);
}

static bool has_in_regions(const IrOp *op, bool (*is_such)(const IrOp *)) {
  for (int i = 0; i < op->region_count; i++)
    if (effects_region_has(op->regions[i], is_such)) return true;
  return false;
}

static bool is_needed_value(const DeadLoops *d, const IrValue *value) {
  return map_has(d->needed, value);
}

static void need_operands(IrOp *op, void *data) {
  DeadLoops *d = data;
  for (uint32_t i = 0; i < op->operand_count; i++) map_set(d->needed, op->operands[i], op);
}

// JAX takes what a loop hands on as it is from in front of the loop.
static bool is_handed_on(const IrOp *loop, uint32_t i) {
  const IrRegion *body = loop->regions[1];
  return body->last->operands[i] == body->args[i];
}

// Whether something that is left needs a result, but for those of a while_loop that it hands on.
static bool is_result_needed(const DeadLoops *d, const IrOp *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    if (is_needed_value(d, op->results[i]) && !(op->code == OP_WHILE && is_handed_on(op, i)))
      return true;
  return false;
}

static bool is_needed(const DeadLoops *d, const IrOp *op) {
  if (map_has(d->dead, op)) return false;
  return has_effect(op) || has_in_regions(op, has_effect) || is_result_needed(d, op) ||
         (d->kept && map_has(d->kept, op));
}

// Whether all that the op may change is memory of the scope.
static bool is_own_effect(const IrOp *op, const Map *inside) {
  bool is_copy = op->code == OP_COPY_START || op->code == OP_COPY_WAIT, has_refs = false;
  bool is_sent = op->code == OP_COPY_START || op->code == OP_SEM_SIGNAL;
  if (is_sent && ir_attr_int(op, ATTR_TARGET)) return false;
  for (uint32_t i = is_copy; i < op->operand_count; i++) { // a copy's source is read
    if (!op->operands[i]->type->is_ref) continue;
    const IrOp *made = ir_ref_root(op->operands[i])->def;
    has_refs = true;
    if (!made || !map_has(inside, made)) return false;
  }
  return has_refs || op->code == OP_ALLOC;
}

// Nothing of the scope is left, to JAX.
static bool is_dead_scope(const DeadLoops *d, const Map *ops) {
  const void *key;
  for (size_t it = 0; map_next(ops, &it, &key, NULL);) {
    const IrOp *op = key;
    if (has_effect(op) && !is_own_effect(op, ops)) return false;
    for (uint32_t i = 0; i < op->result_count; i++)
      if (is_needed_value(d, op->results[i])) return false;
  }
  return true;
}

// Behind the scope all is known that needs something.
static void look_at_scope(Eval *ev, DeadLoops *d, const ScopeOps *scope) {
  Map *ops = map_new(ev->arena);
  const void *key;
  note_scope(scope, ops);
  if (!is_dead_scope(d, ops)) return;
  for (size_t it = 0; map_next(ops, &it, &key, NULL);) {
    const IrOp *op = key;
    map_remove(d->kept, op);
    if (op->code == OP_WHILE && !has_in_regions(op, has_effect)) map_set(d->dead, op, d);
  }
}

static void drop(const DeadLoops *d, IrOp *loop) {
  for (uint32_t i = 0; i < loop->result_count; i++) {
    if (is_needed_value(d, loop->results[i])) map_set(d->needed, loop->operands[i], loop);
    if (loop->results[i]->use_count)
      ir_replace_uses(loop->parent, loop->results[i], loop->operands[i]);
  }
  ir_op_remove(loop);
}

static void warn_of_loop(Eval *ev, const IrOp *loop) {
  Session *session = ev->session;
  Str text = STR("this loop does not wait: it only reads, and nothing uses its result, so that JAX "
                 "leaves it out of the kernel");
  if (!has_in_regions(loop, reads_count_or_memory) || !session->warning_on[WARN_WAITS] ||
      trace_is_builtin_place(ev, loop->span) || diag_is_reported(session, loop->span, text))
    return;
  Diag *diag = diag_warning(session, WARN_WAITS, loop->span, "%.*s", STR_FMT(text));
  VEC(DiagFrame) frames = {0};
  for (const IrFrames *f = loop->frames; f; f = f->caller) {
    DiagFrame frame = {f->function ? name_str(f->function) : STR(""), f->call, IN_FUNCTION};
    VEC_PUSH(ev->arena, &frames, frame);
  }
  if (!diag) return;
  diag_help(diag, STR("wait with pl.semaphore_wait, or use what the loop ends with"));
  if (frames.count) diag_frames(session, diag, frames.items, frames.count);
}

// Whether it is a scan of JAX's; what is not is a while_loop.
static bool has_known_length(const IrOp *loop) {
  for (size_t i = 0; i < 2; i++)
    if (!loop->operands[i]->def || loop->operands[i]->def->code != OP_CONST) return false;
  return true;
}

static bool is_looked_into(const IrOp *op) {
  return op->code == OP_IF || op->code == OP_SWITCH || (op->code == OP_FOR && has_known_length(op));
}

// What a branch gives is needed where its op's result is; what a loop carries, wherever that is.
static void need_yielded(DeadLoops *d, const IrOp *around, IrOp *yield) {
  bool carries = around && around->code == OP_FOR && is_needed(d, around);
  for (uint32_t i = 0; i < yield->operand_count; i++)
    if (!around || carries || is_needed_value(d, around->results[i]))
      map_set(d->needed, yield->operands[i], yield);
}

// From the end to the front: what needs a value stands behind it. `around`: the op whose region it
// is, or NULL.
static void drop_in(Eval *ev, DeadLoops *d, const IrOp *around, IrRegion *region) {
  for (IrOp *op = region->last, *before; op; op = before) {
    before = op->prev;
    const ScopeOps *scope = d->ends ? map_get(d->ends, op) : NULL;
    if (scope) look_at_scope(ev, d, scope);
    if (op->code == OP_YIELD) {
      need_yielded(d, around, op);
      continue;
    }
    bool is_left = is_needed(d, op), looks = is_looked_into(op);
    if (is_left) need_operands(op, d);
    for (int i = 0; i < op->region_count; i++)
      if (looks)
        drop_in(ev, d, op, op->regions[i]);
      else if (is_left)
        ir_walk(op->regions[i], need_operands, d);
    if (is_left || op->code != OP_WHILE) continue;
    warn_of_loop(ev, op);
    drop(d, op);
  }
}

void dead_loops_drop(Eval *ev, DeadLoops *d, IrRegion *body) {
  d->needed = map_new(ev->arena);
  d->dead = map_new(ev->arena);
  drop_in(ev, d, NULL, body);
}
