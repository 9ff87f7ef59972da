// SPDX-License-Identifier: Apache-2.0
// Is a module well-formed? The rules of single ops are in rules.c; here is what holds between them:
// links, dominance, use counts, where launches and yields may stand, and what a launch may see of
// the function around it.
#include <string.h>
#include "base/buf.h"
#include "base/map.h"
#include "ir/text/print.h"
#include "family.h"
#include "rules.h"
#include "verify.h"

// What is known of a value that may be used at the place the walk has reached.
typedef struct Known {
  const IrValue *value;
  const IrOp *launch; // the launch around its definition, or NULL
  uint32_t uses;      // seen so far
} Known;

typedef struct Verifier {
  Arena *arena;
  const IrFunc *func;
  const IrOp *op;          // the one that is looked at
  const IrOp *launch;      // the innermost around it
  Map *known;              // value -> Known; only what is visible
  VEC(Known *) visible;    // the same, as a stack: a region's end takes its own off
  const Known *miscounted; // the first whose uses are not as many as it counts
  Buf why;
} Verifier;

PRINTF_LIKE(2, 3) static bool broken(Verifier *v, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  buf_vprintf(&v->why, fmt, args);
  va_end(args);
  return false;
}

static void make_visible(Verifier *v, const IrValue *value) {
  Known *known = ARENA_NEW(v->arena, Known);
  *known = (Known){.value = value, .launch = v->launch};
  map_set(v->known, value, known);
  VEC_PUSH(v->arena, &v->visible, known);
}

static bool check_use(Verifier *v, const IrOp *op, uint32_t i) {
  const IrValue *value = op->operands[i];
  if (!value) return broken(v, "operand %u is missing", i);
  Known *known = map_get(v->known, value);
  if (!known) return broken(v, "operand %u is not defined before it is used", i);
  known->uses++;
  if (known->launch == v->launch || value->type->is_ref || value->type->rank == 0) return true;
  return broken(v, "operand %u is an array from outside of the launch", i);
}

static bool check_links(Verifier *v, const IrRegion *region, const IrOp *op) {
  bool linked = op->parent == region && (op->prev ? op->prev->next : region->first) == op &&
                (op->next ? op->next->prev : region->last) == op;
  if (!linked) return broken(v, "it is not linked into its region");
  for (uint32_t i = 0; i < op->result_count; i++) {
    const IrValue *value = op->results[i];
    if (!value || !value->type || value->def != op || value->index != i || value->region)
      return broken(v, "result %u does not belong to it", i);
  }
  for (int i = 0; i < op->region_count; i++) {
    const IrRegion *inner = op->regions[i];
    if (!inner || inner->parent != op || inner->func != v->func)
      return broken(v, "region %d does not belong to it", i);
  }
  return true;
}

static bool check_region(Verifier *v, const IrRegion *region);

static bool check_op(Verifier *v, const IrRegion *region, const IrOp *op) {
  v->op = op;
  if (!check_links(v, region, op)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!check_use(v, op, i)) return false;
  if (op->code == OP_YIELD && op->next) return broken(v, "it is not the last of its region");
  if (!ir_op_rules(op, &v->why)) return false;
  const IrOp *outer = v->launch;
  if (op->code == OP_LAUNCH) v->launch = op;
  for (int i = 0; i < op->region_count; i++)
    if (!check_region(v, op->regions[i])) return false;
  v->launch = outer;
  for (uint32_t i = 0; i < op->result_count; i++) make_visible(v, op->results[i]);
  return true;
}

// All uses of a region's values are behind us at its end. A wrong count is reported last: it
// may come from a use where the value is not visible, which says more.
static void close_region(Verifier *v, size_t visible) {
  while (v->visible.count > visible) {
    const Known *known = v->visible.items[--v->visible.count];
    map_remove(v->known, known->value);
    if (known->uses != known->value->use_count && !v->miscounted) v->miscounted = known;
  }
}

static bool check_counts(Verifier *v) {
  const Known *known = v->miscounted;
  if (!known) return true;
  v->op = known->value->def;
  return broken(v, "%s %u has %u uses but counts %u", v->op ? "result" : "argument",
                known->value->index, known->uses, known->value->use_count);
}

static bool check_region(Verifier *v, const IrRegion *region) {
  size_t visible = v->visible.count;
  for (uint32_t i = 0; i < region->arg_count; i++) {
    const IrValue *arg = region->args[i];
    if (!arg || !arg->type || arg->region != region || arg->index != i || arg->def)
      return broken(v, "argument %u does not belong to its region", i);
    make_visible(v, arg);
  }
  for (const IrOp *op = region->first; op; op = op->next)
    if (!check_op(v, region, op)) return false;
  close_region(v, visible);
  return true;
}

static bool check_func(Verifier *v, const IrModule *module, const IrFunc *func) {
  v->func = func;
  v->op = NULL;
  if (func->module != module || !func->body || func->body->func != func || func->body->parent)
    return broken(v, "it is not linked into its module");
  if (func->param_count != func->body->arg_count)
    return broken(v, "%u parameters for %u arguments", func->param_count, func->body->arg_count);
  for (uint32_t i = 0; i < func->param_count; i++) {
    const IrType *type = func->body->args[i]->type;
    if (!type->is_ref || type->space != SPACE_HBM || dtype_is_complex(type->dtype))
      return broken(v, "parameter %u is no ref in hbm", i);
  }
  const IrOp *yield = func->body->last;
  if (!yield || yield->code != OP_YIELD || yield->operand_count)
    return broken(v, "its body does not end with a yield of nothing");
  return check_region(v, func->body) && check_counts(v);
}

// "in @add: 'add %0, %1 : f32[8]': operand 1 is not defined before it is used"
static Str describe(const Verifier *v, Session *session) {
  Buf out;
  buf_init(&out, session->arena);
  buf_printf(&out, "in @%s: ", v->func->name->text);
  if (v->op) {
    buf_char(&out, '\'');
    ir_print_op(v->op, &out);
    buf_c(&out, "': ");
  }
  buf_str(&out, buf_view(&v->why));
  return buf_view(&out);
}

// A function is the first of its family, or stands behind one that agrees with it.
static bool check_family(Verifier *v, const IrFunc *before, const IrFunc *func) {
  const IrFamily *family = func->family;
  v->func = func;
  v->op = NULL;
  if (!family) return true;
  if (!before || before->family != family) {
    if (!ir_family_is_first(func)) return broken(v, "its family stands elsewhere");
    for (const IrFunc *f = func->module->first; f; f = f->next)
      if (f->family != family && ir_family_name(f) == family->name)
        return broken(v, "another function has the name of its family");
    return true;
  }
  Str why;
  if (!ir_family_agrees(v->arena, before, func, &why))
    return broken(v, "it cannot be of one family with @%s: %.*s", before->name->text, STR_FMT(why));
  for (const IrFunc *f = func->module->first; f != func; f = f->next)
    if (f->family == family && !memcmp(f->sizes, func->sizes, family->count * sizeof(int64_t)))
      return broken(v, "it is for the sizes of @%s", f->name->text);
  return true;
}

bool ir_find_violation(const IrModule *module, IrViolation *out) {
  Session *session = module->session;
  Verifier v = {.arena = arena_new_child(session->arena)};
  buf_init(&v.why, v.arena);
  v.known = map_new(v.arena);
  Map *names = map_new(v.arena);
  bool ok = true;
  const IrFunc *before = NULL;
  for (const IrFunc *func = module->first; func && ok; before = func, func = func->next) {
    ok = check_func(&v, module, func) && check_family(&v, before, func);
    if (ok && map_has(names, func->name)) ok = broken(&v, "another function has its name");
    map_set(names, func->name, NULL);
  }
  if (!ok) *out = (IrViolation){.func = v.func, .op = v.op, .what = describe(&v, session)};
  arena_free(v.arena);
  return !ok;
}

bool ir_verify(const IrModule *module, Str *what) {
  IrViolation violation;
  if (!ir_find_violation(module, &violation)) return true;
  if (what) *what = violation.what;
  return false;
}
