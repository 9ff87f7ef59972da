// SPDX-License-Identifier: Apache-2.0
// Where arrays lie, followed through the operations of what is pending in the order in which they
// were recorded. What several operands say of a dimension is joined; a dimension that an operation
// keeps stays split, one that a reduction takes goes. Memory lies as what was put into it.
#include <string.h>

#include "base/map.h"
#include "numpy/arrays/nd.h"
#include "ir/core/attr.h"
#include "ir/core/build_dot.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "placement.h"
#include "jax/trace/pending.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"

typedef struct Follow {
  Eval *ev;
  Map *noted; // what the program said of values
  Map *found; // what is known of values and memory
} Follow;

// ---- placements ---------------------------------------------------------------------------------
static Value call_library(Eval *ev, const char *function, Value x, Value y) {
  Value args[] = {x, y};
  return value_call_n(ev, module_lookup(ev, "jax._placement", function), 2, args);
}

Placement *placement_of(Eval *ev, Value v) {
  return value_is_array(ev, v) ? ((const Array *)v.o)->placement : NULL;
}

Placement *placement_given(Eval *ev, Value sharding, int rank) {
  Placement *p = ARENA_NEW(ev->arena, Placement);
  *p = (Placement){.sharding = sharding, .like = sharding, .rank = rank};
  Value axes = call_library(ev, "axes_of_dimensions", sharding, v_int(rank));
  p->is_on_mesh = !v_is_none(axes);
  p->is_explicit =
      p->is_on_mesh && value_truth(ev, call_library(ev, "is_explicit", sharding, v_none()));
  for (int i = 0; p->is_on_mesh && i < rank; i++)
    p->axes[i] = value_as_tuple(value_as_tuple(axes)->items[i]);
  return p;
}

// As `like`, and no dimension is split.
static Placement *placement_whole(Eval *ev, Placement *like, int rank) {
  Placement *p = ARENA_NEW(ev->arena, Placement);
  *p = (Placement){.sharding = v_unbound(),
                   .like = like->like,
                   .is_on_mesh = like->is_on_mesh,
                   .is_explicit = like->is_explicit,
                   .rank = rank};
  Tuple *none = tuple_new(ev, 0);
  for (int i = 0; i < rank; i++) p->axes[i] = none;
  return p;
}

Placement *placement_made(Eval *ev, Placement *p, int rank) {
  if (!p || p->unknown) return p;
  Placement *made = placement_whole(ev, p, rank);
  for (int i = 0; p->rank == rank && i < rank; i++) made->axes[i] = p->axes[i];
  return made;
}

static bool is_at_same_place(Eval *ev, Placement *a, Placement *b) {
  if (a->is_on_mesh != b->is_on_mesh) return false;
  return same_or_equal(ev, a->like, b->like) ||
         (a->is_on_mesh && value_truth(ev, call_library(ev, "have_one_mesh", a->like, b->like)));
}

bool placement_equal(Eval *ev, Placement *a, Placement *b) {
  if (a == b) return true;
  if (!a || !b || a->unknown != b->unknown || a->rank != b->rank || !is_at_same_place(ev, a, b))
    return false;
  for (int i = 0; a->is_on_mesh && i < a->rank; i++)
    if (!same_or_equal(ev, v_object(a->axes[i]), v_object(b->axes[i]))) return false;
  return true;
}

static bool is_split(Placement *p) {
  for (int i = 0; p->is_on_mesh && i < p->rank; i++)
    if (p->axes[i]->count) return true;
  return false;
}

static bool has_axis_of(Eval *ev, const Tuple *axes, const Tuple *others) {
  for (size_t i = 0; i < axes->count; i++)
    for (size_t k = 0; k < others->count; k++)
      if (same_or_equal(ev, axes->items[i], others->items[k])) return true;
  return false;
}

// An axis of the mesh splits one dimension at the most.
static bool is_possible(Eval *ev, Placement *p) {
  for (int i = 0; i < p->rank; i++)
    for (int k = 0; k < i; k++)
      if (has_axis_of(ev, p->axes[i], p->axes[k])) return false;
  return true;
}

Value placement_sharding(Eval *ev, Placement *p) {
  if (p->unknown)
    eval_raise(ev, ev->types.NotImplementedError,
               "the sharding of what '%s' makes of arrays that are placed on devices is not known "
               "here; jax.device_put(x, sharding) gives it one",
               p->unknown->text);
  if (!v_is_unbound(p->sharding)) return p->sharding;
  if (!p->is_on_mesh) return p->like;
  Tuple *axes = tuple_new(ev, p->is_default ? 0 : (size_t)p->rank);
  for (int i = 0; i < (int)axes->count; i++) axes->items[i] = v_object(p->axes[i]);
  return call_library(ev, "sharding_of_dimensions", p->like, v_object(axes));
}

// ---- operations ---------------------------------------------------------------------------------
static Placement *of(const Follow *f, const IrValue *value) { return map_get(f->found, value); }

static Placement *unknown(const Follow *f, const IrOp *op, Placement *like) {
  Placement *p = placement_whole(f->ev, like, 0);
  const char *what = op->code == OP_LAUNCH ? "pallas_call" : op_info(op->code)->name;
  p->unknown = name_intern_c(f->ev->session->interner, what);
  return p;
}

// What both say of one array; where they contradict each other it is not known.
static Placement *join(const Follow *f, const IrOp *op, Placement *a, Placement *b) {
  if (!a || !b) return a ? a : b;
  if (a->unknown || b->unknown) return a->unknown ? a : b;
  if (!is_at_same_place(f->ev, a, b)) return unknown(f, op, a);
  Placement *both = placement_whole(f->ev, a, a->rank);
  for (int i = 0; a->is_on_mesh && i < a->rank; i++) {
    both->axes[i] = a->axes[i]->count ? a->axes[i] : b->axes[i];
    if (b->axes[i]->count && !same_or_equal(f->ev, v_object(both->axes[i]), v_object(b->axes[i])))
      return unknown(f, op, a);
  }
  return !a->is_on_mesh || is_possible(f->ev, both) ? both : unknown(f, op, a);
}

// Dimension i of the result is dimension from[i] of the operand; -1: a new one, which is whole.
static Placement *rearranged(const Follow *f, Placement *p, int rank, const int *from) {
  if (p->unknown) return p;
  Placement *to = placement_whole(f->ev, p, rank);
  for (int i = 0; p->is_on_mesh && i < rank; i++)
    if (from[i] >= 0) to->axes[i] = p->axes[from[i]];
  return to;
}

// Of what an operation without a rule makes.
static Placement *made_of(const Follow *f, const IrOp *op, Placement *p, int rank) {
  if (p->unknown) return p;
  return is_split(p) ? unknown(f, op, p) : placement_whole(f->ev, p, rank);
}

static Placement *place_broadcast(const Follow *f, const IrOp *op, Placement *p) {
  const IrType *type = op->results[0]->type, *of_operand = op->operands[0]->type;
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  int from[IR_MAX_RANK];
  for (int i = 0; i < type->rank; i++) from[i] = -1;
  for (size_t i = 0; i < dims.count; i++)
    if (of_operand->dims[i] == type->dims[dims.items[i]]) from[dims.items[i]] = (int)i;
  return rearranged(f, p, type->rank, from);
}

// A run of dimensions that become another run of as many elements: the first of it stays split,
// which are rows of the rest. False: that is not known.
static bool regroup(const Follow *f, Placement *p, const IrType *from, const int *sources,
                    int count, int64_t size, int targets, Tuple **axes) {
  *axes = NULL;
  for (int i = 1; i < count; i++)
    if (p->is_explicit && (p->axes[sources[i]]->count || targets > 1)) return false;
  Tuple *first = p->axes[sources[0]];
  if (!first->count) return true;
  *axes = first;
  if (size >= from->dims[sources[0]]) return size % from->dims[sources[0]] == 0 || !p->is_explicit;
  int64_t shards = call_library(f->ev, "shards", p->like, v_object(first)).i;
  return size % shards == 0;
}

// Dimensions of size 1 come and go; others stay, are joined or parted.
static Placement *place_reshape(const Follow *f, const IrOp *op, Placement *p) {
  const IrType *to = op->results[0]->type, *from = op->operands[0]->type;
  if (p->unknown || !is_split(p)) return made_of(f, op, p, to->rank);
  Placement *made = placement_whole(f->ev, p, to->rank);
  int next = 0;
  for (int i = 0; i < to->rank; i++) {
    if (to->dims[i] == 1) continue;
    int sources[IR_MAX_RANK], count = 0, first = i, targets = 1;
    int64_t taken = 1, given = to->dims[i];
    while (taken != given || !count) {
      if (taken < given) {
        while (next < from->rank && from->dims[next] == 1) next++;
        if (next == from->rank) return unknown(f, op, p);
        taken *= from->dims[next];
        sources[count++] = next++;
      } else {
        if (++i == to->rank) return unknown(f, op, p);
        given *= to->dims[i];
        targets += to->dims[i] != 1;
      }
    }
    Tuple *axes;
    if (!regroup(f, p, from, sources, count, to->dims[first], targets, &axes))
      return unknown(f, op, p);
    if (axes) made->axes[first] = axes;
  }
  return made;
}

static Placement *place_transpose(const Follow *f, const IrOp *op, Placement *p) {
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  int from[IR_MAX_RANK];
  for (size_t i = 0; i < dims.count; i++) from[i] = (int)dims.items[i];
  return rearranged(f, p, (int)dims.count, from);
}

static Placement *place_reduction(const Follow *f, const IrOp *op, Placement *p) {
  IrInts axes = ir_attr_ints(op, ATTR_AXES);
  int from[IR_MAX_RANK], rank = 0;
  for (int i = 0; i < op->operands[0]->type->rank; i++) {
    bool taken = false;
    for (size_t k = 0; k < axes.count; k++) taken |= axes.items[k] == i;
    if (!taken) from[rank++] = i;
  }
  return rearranged(f, p, rank, from);
}

// Of an operation that moves elements along some dimensions: where JAX's types speak, those are
// whole, but for what is laid end to end or turned round; else they stay, unless parts are taken of
// them.
static Placement *place_along(const Follow *f, const IrOp *op, Placement *p, const bool *moved) {
  bool is_joined = op->code == OP_CONCAT || op->code == OP_REV || op->code == OP_PAD;
  bool is_taken = op->code == OP_DYNAMIC_SLICE;
  bool is_known = p->is_explicit ? is_joined : op->code != OP_SLICE;
  Placement *made = placement_made(f->ev, p, p->rank);
  for (int i = 0; !p->unknown && p->is_on_mesh && i < p->rank; i++) {
    if (!moved[i] || !p->axes[i]->count) continue;
    if (!is_known || (op->code == OP_PAD && p->axes[i]->count > 1)) return unknown(f, op, p);
    if (is_taken) made->axes[i] = tuple_new(f->ev, 0);
  }
  return is_taken ? made : p;
}

static Placement *place_moving(const Follow *f, const IrOp *op, Placement *p) {
  const IrType *to = op->results[0]->type, *from = op->operands[0]->type;
  bool moved[IR_MAX_RANK] = {false};
  for (int i = 0; i < to->rank; i++)
    moved[i] = from->rank != to->rank || from->dims[i] != to->dims[i];
  if (op->code == OP_REV) {
    IrInts dims = ir_attr_ints(op, ATTR_DIMS);
    for (size_t i = 0; i < dims.count; i++) moved[dims.items[i]] = true;
  }
  if (ir_attr_find(op, ATTR_DIM)) moved[ir_attr_int(op, ATTR_DIM)] = true;
  return place_along(f, op, p, moved);
}

static Placement *join_operands(const Follow *f, const IrOp *op) {
  Placement *all = NULL;
  for (uint32_t i = 0; i < op->operand_count; i++) all = join(f, op, all, of(f, op->operands[i]));
  return all;
}

// An update is written over part of the operand, which stays where it is.
static Placement *place_update(const Follow *f, const IrOp *op) {
  Placement *all = of(f, op->operands[0]);
  if (!all && op->code == OP_DYNAMIC_UPDATE_SLICE) return of(f, op->operands[1]);
  for (uint32_t i = 1; i < op->operand_count; i++) {
    Placement *p = of(f, op->operands[i]);
    if (p && (p->unknown || is_split(p) || !all || !is_at_same_place(f->ev, p, all)))
      return unknown(f, op, p);
  }
  return all;
}

static Placement *without_axes(const Follow *f, Placement *p, Placement *others) {
  Placement *made = placement_made(f->ev, p, p->rank);
  for (int i = 0; made->is_on_mesh && i < made->rank; i++)
    for (int k = 0; k < made->rank; k++)
      if (k != i && has_axis_of(f->ev, made->axes[i], others->axes[k]))
        made->axes[i] = tuple_new(f->ev, 0);
  return made;
}

// What both operands of a product say; an axis that splits dimensions of both is the first's,
// unless JAX's types are asked.
static Placement *join_sides(const Follow *f, const IrOp *op, Placement *a, Placement *b) {
  bool is_choice = a && b && !a->unknown && !b->unknown && !b->is_explicit && a->is_on_mesh &&
                   is_at_same_place(f->ev, a, b);
  return join(f, op, a, is_choice ? without_axes(f, b, a) : b);
}

// The batch dimensions, then those that each operand has alone; those that are summed over go.
static Placement *place_dot(const Follow *f, const IrOp *op) {
  const DotSides sides = ir_dot_sides(op);
  int rank = op->results[0]->type->rank, next = (int)sides.batch[0].count;
  int summed_axes = 0; // of both sides: JAX's types do not say what becomes of them
  Placement *all = NULL;
  for (int side = 0; side < 2; side++) {
    Placement *p = of(f, op->operands[side]);
    IrInts summed = sides.contract[side], batches = sides.batch[side];
    int from[IR_MAX_RANK];
    for (int i = 0; i < rank; i++) from[i] = i < (int)batches.count ? (int)batches.items[i] : -1;
    for (int i = 0; i < op->operands[side]->type->rank; i++) {
      if (ir_ints_have(batches, i)) continue;
      if (!ir_ints_have(summed, i))
        from[next++] = i;
      else if (p && !p->unknown && p->is_explicit && p->axes[i]->count && summed_axes++)
        return unknown(f, op, p);
    }
    if (p) all = join_sides(f, op, all, rearranged(f, p, rank, from));
  }
  if (op->operand_count > 2) all = join(f, op, all, of(f, op->operands[2]));
  return all;
}

// ---- what has no rule, memory and regions -------------------------------------------------------
// What is used by an operation and in its regions.
typedef struct Meeting {
  Follow *f;
  const IrOp *op;
  Placement *all;
  bool is_put; // memory that is used gets it
} Meeting;

static void meet(const IrOp *op, void *data) {
  Meeting *m = data;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const IrValue *x = op->operands[i];
    if (x->type->is_ref) x = ir_ref_root(x);
    Placement *p = of(m->f, x);
    if (m->is_put && x->type->is_ref)
      map_set(m->f->found, x, m->all);
    else if (!m->is_put && p)
      m->all = join(m->f, m->op, m->all, made_of(m->f, m->op, p, 0));
  }
}

static Placement *met(Follow *f, const IrOp *op) {
  Meeting m = {.f = f, .op = op};
  bool is_on_memory = op->region_count || op_info(op->code)->op_class == CLASS_REF;
  meet(op, &m);
  for (uint32_t i = 0; i < op->region_count; i++) ir_walk_const(op->regions[i], meet, &m);
  if (!m.all || !is_on_memory) return m.all;
  m.is_put = true;
  meet(op, &m);
  for (uint32_t i = 0; i < op->region_count; i++) ir_walk_const(op->regions[i], meet, &m);
  return m.all;
}

// What is known of the results: of what is whole, the rank does not matter.
static Placement *place(Follow *f, const IrOp *op) {
  const OpInfo *info = op_info(op->code);
  if (op_is_elementwise(op->code)) return join_operands(f, op);
  if (op->code == OP_CONCAT || op->code == OP_SORT) {
    Placement *all = join_operands(f, op);
    return all ? place_moving(f, op, all) : NULL;
  }
  if (op->code == OP_DOT) return place_dot(f, op);
  if (op->code == OP_SCATTER || op->code == OP_DYNAMIC_UPDATE_SLICE) return place_update(f, op);
  Placement *p = op->operand_count ? of(f, op->operands[0]) : NULL;
  switch (info->op_class) {
  case CLASS_REDUCE: return p ? place_reduction(f, op, p) : NULL;
  case CLASS_CUMULATIVE: return p ? place_moving(f, op, p) : NULL;
  case CLASS_SHAPE:
    if (!p) return NULL;
    if (op->code == OP_BROADCAST) return place_broadcast(f, op, p);
    if (op->code == OP_RESHAPE) return place_reshape(f, op, p);
    if (op->code == OP_TRANSPOSE) return place_transpose(f, op, p);
    if (op->code != OP_BITCAST_WIDTH) return place_moving(f, op, p);
    return made_of(f, op, p, 0);
  default: return met(f, op);
  }
}

static void follow(const IrOp *op, Follow *f);

static void follow_region(Follow *f, const IrRegion *region) {
  for (const IrOp *op = region->first; op; op = op->next) follow(op, f);
}

// What the regions yield lies as what they are handed does, and as they leave it.
static void join_yields(Follow *f, const IrOp *op, const IrRegion *region, Placement **all) {
  const IrOp *yield = region->last;
  for (uint32_t i = 0; i < op->result_count && i < yield->operand_count; i++)
    all[i] = join(f, op, all[i], of(f, yield->operands[i]));
}

// A loop: twice, since what comes of the first turn goes into the next.
static void follow_loop(Follow *f, const IrOp *op, Placement **all) {
  uint32_t first = op->code == OP_FOR ? 3 : 0, argument = op->code == OP_FOR;
  for (uint32_t i = 0; i < op->result_count; i++) all[i] = of(f, op->operands[first + i]);
  for (int turn = 0; turn < 2; turn++) {
    for (uint32_t r = 0; r < op->region_count; r++) {
      for (uint32_t i = 0; i < op->result_count; i++)
        if (all[i]) map_set(f->found, op->regions[r]->args[argument + i], all[i]);
      follow_region(f, op->regions[r]);
    }
    join_yields(f, op, op->regions[op->region_count - 1], all);
  }
}

static void follow_control(Follow *f, const IrOp *op) {
  Placement **all = ARENA_ARRAY(f->ev->arena, Placement *, op->result_count);
  memset(all, 0, op->result_count * sizeof *all);
  if (op->code == OP_FOR || op->code == OP_WHILE) {
    follow_loop(f, op, all);
  } else {
    for (uint32_t r = 0; r < op->region_count; r++) {
      follow_region(f, op->regions[r]);
      join_yields(f, op, op->regions[r], all);
    }
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    Placement *noted = map_get(f->noted, op->results[i]);
    Placement *own = noted && (!noted->is_default || !all[i]) ? noted : all[i];
    if (own) map_set(f->found, op->results[i], own);
  }
}

static bool is_control(const IrOp *op) {
  return op->code == OP_FOR || op->code == OP_WHILE || op->code == OP_IF || op->code == OP_SWITCH;
}

static void follow(const IrOp *op, Follow *f) {
  if (is_control(op)) {
    follow_control(f, op);
    return;
  }
  Placement *p = place(f, op);
  for (uint32_t i = 0; i < op->result_count; i++) {
    const IrValue *result = op->results[i];
    Placement *noted = map_get(f->noted, result);
    Placement *own = noted && (!noted->is_default || !p) ? noted : p;
    if (!own) continue;
    if (own != noted) own = placement_made(f->ev, own, result->type->rank);
    map_set(f->found, result, own);
    if (noted && op->code == OP_LOAD) map_set(f->found, ir_ref_root(op->operands[0]), own);
  }
}

Value placement_put(Eval *ev, const Array *x, Placement *placement) {
  Array *there = (Array *)array_again(ev, x).o;
  // One array may be put to several places: what is pending would be one value for all.
  if (x->level->kind == LEVEL_RUN && ev->trace->level->kind == LEVEL_RUN) pending_need(ev, there);
  there->placement = placement;
  if (there->host) {
    there->host = nd_view(ev, there->host);
    there->host->readonly = true;
  } else {
    placement_note(ev, there->ir, placement);
  }
  return v_object(there);
}

Value placement_as(Eval *ev, Value made, Value like) {
  if (!value_is_array(ev, like)) return made;
  Array *a = (Array *)like.o;
  if (a->level->kind != LEVEL_RUN || !value_is_array(ev, made)) return made;
  if (ev->trace->placed) pending_need(ev, a);
  return a->placement ? placement_put(ev, (const Array *)made.o, a->placement) : made;
}

void placement_note(Eval *ev, const IrValue *value, Placement *placement) {
  TraceState *t = ev->trace;
  for (const Level *level = t->level; level; level = level->outer)
    if (level->kind == LEVEL_FUNC) return; // another module's
  if (!t->placed) t->placed = map_new(ev->arena);
  if (placement->is_default && map_has(t->placed, value)) return;
  map_set(t->placed, value, placement);
}

void placement_note_beside(Eval *ev, const IrValue *value, const IrValue *other) {
  Placement *p = placement_whole(ev, map_get(ev->trace->placed, other), value->type->rank);
  p->is_default = true;
  placement_note(ev, value, p);
}

Map *placement_follow(Eval *ev, const IrFunc *func) {
  if (!ev->trace->placed) return NULL;
  Follow f = {.ev = ev, .noted = ev->trace->placed, .found = map_new(ev->arena)};
  for (const IrOp *op = func->body->first; op; op = op->next) follow(op, &f);
  return f.found;
}
