// SPDX-License-Identifier: Apache-2.0
// Along which axes of the mesh of devices the values of a program may differ, for shard_map's check
// of out_specs. It is read off the ops when it is asked for: what a value is computed from is
// followed back to the coordinates of the device. Collectives say of their results along which axes
// they are replicated again.
//
// Where it is not known, a value counts as replicated: what a kernel that reaches other devices
// writes, and what differs because a branch was chosen. JAX has no more of the latter.
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "varying.h"
#include <string.h>
#include "ir/analysis/effects.h"
#include "python/modules/module.h"
#include "ir/vmap/batch.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "array.h"

// What a program said of a value: it varies as `source` does, but not along `without`, and along
// `with`.
typedef struct Said {
  const IrValue *source;
  uint32_t without, with;
  // Nothing is said of it; it is what a scan puts its results into, which the program does not see.
  bool is_room;
  bool is_asked; // while the source is being looked at: a loop that comes round to it adds nothing
} Said;

typedef struct Search {
  Arena *arena;
  Map *said, *seen;
  VEC(const IrValue *) next; // seen, but not looked at
  const IrRegion *devices;   // the program of a device
  uint32_t axes;             // found
} Search;

static void visit(Search *s, const IrValue *value) {
  if (map_has(s->seen, value)) return;
  map_set(s->seen, value, value);
  VEC_PUSH(s->arena, &s->next, value);
}

static void visit_operands(Search *s, const IrOp *op, uint32_t first) {
  for (uint32_t i = first; i < op->operand_count; i++) visit(s, op->operands[i]);
}

// ---- regions ------------------------------------------------------------------------------------
// Result k of a loop, or what is carried in its place.
static void visit_carry(Search *s, const IrOp *loop, uint32_t k) {
  uint32_t first = loop->code == OP_FOR ? 3 : 0;
  if (first + k >= loop->operand_count) return;
  visit(s, loop->operands[first + k]);
  const IrOp *yield = loop->region_count ? loop->regions[loop->region_count - 1]->last : NULL;
  if (yield && yield->code == OP_YIELD && k < yield->operand_count) visit(s, yield->operands[k]);
}

static void visit_result(Search *s, const IrOp *op, uint32_t k) {
  switch (op->code) {
  case OP_FOR:
  case OP_WHILE: visit_carry(s, op, k); return;
  case OP_IF:
  case OP_SWITCH:
    for (int i = 0; i < op->region_count; i++) visit(s, op->regions[i]->last->operands[k]);
    return;
  default: visit_operands(s, op, 0);
  }
}

static void visit_argument(Search *s, const IrValue *arg) {
  const IrOp *around = arg->region->parent;
  if (arg->region == s->devices) {
    for (uint32_t i = 0; i < arg->region->arg_count; i++)
      if (arg->region->args[i] == arg) s->axes |= 1u << i;
  } else if (around && around->code == OP_FOR) {
    if (arg->index == 0)
      visit_operands(s, around, 0);
    else
      visit_carry(s, around, arg->index - 1);
  } else if (around && around->code == OP_WHILE) {
    visit_carry(s, around, arg->index);
  }
}

// ---- memory -------------------------------------------------------------------------------------
static bool reaches_devices(const IrOp *op) {
  if (effects_written(op) && effects_targets(op, TARGET_DEVICE)) return true;
  for (int i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      if (reaches_devices(inner)) return true;
  return false;
}

static void visit_all(Search *s, const IrOp *op) {
  visit_operands(s, op, 0);
  for (int i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next) visit_all(s, inner);
}

typedef struct Writes {
  const IrValue *memory;
  bool found;
} Writes;

static void is_memory(IrValue *ref, void *data) {
  Writes *w = data;
  w->found |= ir_ref_root(ref) == w->memory;
}

static bool writes(const IrOp *op, const IrValue *memory) {
  Writes w = {.memory = memory};
  effects_visit_written(op, is_memory, &w);
  return w.found;
}

// What the ops of a region write to the memory.
static void visit_writers(Search *s, const IrRegion *region, const IrValue *memory) {
  for (const IrOp *op = region->first; op; op = op->next) {
    bool is_control = op->region_count && op->code != OP_LAUNCH && op->code != OP_CORES;
    if (!is_control && reaches_devices(op)) continue;
    if (writes(op, memory)) visit_all(s, op);
    if (op->code == OP_LAUNCH) continue;
    for (int i = 0; i < op->region_count; i++) visit_writers(s, op->regions[i], memory);
  }
}

// ---- all values ---------------------------------------------------------------------------------
static uint32_t search(Arena *arena, Map *said, const IrRegion *devices, const IrValue *value);

static void look(Search *s, const IrValue *value) {
  Said *said = map_get(s->said, value);
  if (said) {
    if (said->is_asked) return;
    said->is_asked = true;
    s->axes |= (search(s->arena, s->said, s->devices, said->source) & ~said->without) | said->with;
    said->is_asked = false;
  } else if (!value->def) {
    visit_argument(s, value);
  } else if (value->def->code == OP_ALLOC) {
    if (ir_region_is_in(value->def->parent, s->devices)) visit_writers(s, s->devices, value);
  } else {
    visit_result(s, value->def, value->index);
  }
}

static uint32_t search(Arena *arena, Map *said, const IrRegion *devices, const IrValue *value) {
  Search s = {.arena = arena, .said = said, .seen = map_new(arena), .devices = devices};
  visit(&s, value);
  while (s.next.count) look(&s, s.next.items[--s.next.count]);
  return s.axes;
}

// ---- what the prelude calls (module _varying) ---------------------------------------------------
static uint32_t take_names(Eval *ev, const IrOp *devices, Value names) {
  uint32_t axes = 0;
  const IrRegion *program = devices->regions[0];
  for (int64_t k = 0, count = value_len(ev, names); k < count; k++) {
    Str name = value_str(ev, value_getitem(ev, names, v_int(k)));
    for (uint32_t i = 0; i < program->arg_count; i++)
      if (str_equal(name_str(program->args[i]->name), name)) axes |= 1u << i;
  }
  return axes;
}

static Map *sayings(Eval *ev) {
  if (!ev->trace->varying) ev->trace->varying = map_new(ev->arena);
  return ev->trace->varying;
}

static Value native_axes(Eval *ev, Value *a) { // x: the names of the axes along which it varies
  List *names = list_new(ev, 2);
  const IrOp *devices = level_devices(ev->trace->level);
  if (!devices || !value_is_traced(ev, a[0])) return v_object(names);
  const IrRegion *program = devices->regions[0];
  uint32_t axes = search(ev->arena, sayings(ev), program, ((const Array *)a[0].o)->ir);
  for (size_t i = 0; i < program->arg_count; i++)
    if (axes >> i & 1) list_push(ev, names, make_str(ev, name_str(program->args[i]->name)));
  return v_object(names);
}

// x, of which it is said that it varies as `source`, but not along the axes `without`, and along
// `with`.
static Value native_say(Eval *ev, Value *a) { // x, source, without, with
  const IrOp *devices = level_devices(ev->trace->level);
  if (!devices) return a[0];
  IrValue *x = array_ir(ev, a[0], DT_COUNT);
  // It may be another value as well.
  IrOp *same = ir_build(trace_builder(ev), OP_RESHAPE, 1, &x, 1, &x->type);
  Said *said = ARENA_NEW(ev->arena, Said);
  *said = (Said){.source = array_ir(ev, a[1], DT_COUNT),
                 .without = take_names(ev, devices, a[2]),
                 .with = take_names(ev, devices, a[3])};
  map_set(sayings(ev), same->results[0], said);
  return array_new(ev, same->results[0], false);
}

// ---- control flow -------------------------------------------------------------------------------
typedef struct Check {
  Eval *ev;
  const IrRegion *devices;
  uint32_t wide; // the axes that have more than one device
} Check;

static uint32_t axes_in(const Check *c, const IrValue *value) {
  return search(c->ev->arena, sayings(c->ev), c->devices, value) & c->wide;
}

static Str axes_words(const Check *c, uint32_t axes) {
  Buf buf;
  buf_init(&buf, c->ev->arena);
  for (uint32_t i = 0; i < c->devices->arg_count; i++)
    if (axes >> i & 1)
      buf_printf(&buf, "%s'%s'", buf.len ? ", " : "", c->devices->args[i]->name->text);
  return buf_view(&buf);
}

static const char *type_words(const Check *c, const IrValue *value) {
  Aval aval = aval_of(value, false);
  return str_format(c->ev->arena, "%.*s", STR_FMT(aval_text(c->ev->arena, &aval))).data;
}

static void check_carry(const Check *c, const IrOp *loop, uint32_t k) {
  const IrValue *given = loop->operands[(loop->code == OP_FOR ? 3 : 0) + k];
  const Said *said = map_get(sayings(c->ev), given);
  if (given->type->is_ref || (said && said->is_room)) return;
  uint32_t more = axes_in(c, loop->results[k]) & ~axes_in(c, given);
  if (!more) return;
  Str words = axes_words(c, more);
  eval_raise_at(c->ev, loop->span, c->ev->types.TypeError,
                "the carry of a loop must keep its type: a value of %s goes in that is the same on "
                "all devices, and one comes out that may vary "
                "over the mesh axis %.*s. Make the first one vary as well, jax.lax.pcast(x, "
                "(%.*s,), to='varying'), or give check_vma=False to "
                "jax.shard_map",
                type_words(c, given), STR_FMT(words), STR_FMT(words));
}

static void check_control_flow(const Check *c, const IrRegion *region) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_FOR || op->code == OP_WHILE)
      for (uint32_t k = 0; k < op->result_count; k++) check_carry(c, op, k);
    if (op->code == OP_LAUNCH || op->code == OP_CORES) continue;
    for (int i = 0; i < op->region_count; i++) check_control_flow(c, op->regions[i]);
  }
}

// What loops carry must not begin to vary in them. `wide`: the names of the axes of more than one
// device.
static Value native_check_carries(Eval *ev, Value *a) {
  const IrOp *devices = level_devices(ev->trace->level);
  if (!devices) return v_none();
  Check check = {ev, devices->regions[0], take_names(ev, devices, a[0])};
  check_control_flow(&check, check.devices);
  return v_none();
}

void varying_room(Eval *ev, const IrValue *value) {
  if (!level_devices(ev->trace->level)) return;
  Said *said = ARENA_NEW(ev->arena, Said);
  *said = (Said){.source = value, .is_room = true};
  map_set(sayings(ev), value, said);
}

// `made` was made like another array, and varies as that does.
Value array_varying_as(Eval *ev, Value made, Value like) {
  if (!value_is_array(ev, like) || !level_devices(ev->trace->level)) return made;
  Value args[] = {made, like, make_tuple(ev, 0, NULL), make_tuple(ev, 0, NULL)};
  return native_say(ev, args);
}

static const NativeDef varying_natives[] = {
    {"check_carries(wide)", native_check_carries},
    {"axes(x)", native_axes},
    {"say(x, source, without, with_)", native_say},
    {NULL, NULL},
};

const ModuleDef module_varying = {.name = "_varying", .functions = varying_natives};
