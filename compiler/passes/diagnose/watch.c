// SPDX-License-Identifier: Apache-2.0
// watch: the operations that make a NaN, or an infinity, of numbers (--nan, jax_debug_nans).
//   takes:  ops as they were recorded
//   makes:  in front of what keeps a value (a store, the end of a region), ops `check` for those it
//           is computed from: the place they are reported at is the operation's that made it
//   breaks: nothing
//   not:    NaNs that are loaded, constants, or bits of integers; those that a select leaves out
//           before anything keeps them; what a function of the library makes on its way
#include "base/buf.h"
#include "base/map.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/pass.h"

// What is looked for.
typedef struct Kind {
  unsigned bit;
  CheckFinding finding;
  const char *text;
} Kind;
static const Kind kinds[] = {{WATCH_NAN, FINDING_NAN, "NaN"}, {WATCH_INF, FINDING_INF, "infinity"}};

typedef struct Watcher {
  IrModule *module;
  Arena *arena;
  const Kind *kind;
  Map *made;        // maker (IrOp *) -> bool scalar: it made one
  Map *where;       // likewise -> of its elements, which
  Map *recorded;    // the ops that were there
  const Map *inner; // ops that a function of the library goes on with
} Watcher;

static bool is_float(const IrValue *value) {
  return !value->type->is_ref && dtype_is_float(value->type->dtype);
}

// Whether the op computes numbers, of which a NaN may come that none of them is.
static bool is_maker(const IrOp *op) {
  if (op->result_count != 1 || !is_float(op->results[0]) || !ir_type_count(op->results[0]->type))
    return false;
  switch (op_info(op->code)->op_class) {
  case CLASS_UNARY:
  case CLASS_BINARY:
  case CLASS_REDUCE:
  case CLASS_CUMULATIVE: return true;
  default:
    return op->code == OP_CONVERT || op->code == OP_DOT || op->code == OP_GATHER ||
           op->code == OP_SCATTER;
  }
}

// ---- what is in a value -------------------------------------------------------------------------
static IrValue *bad_elements(const Watcher *w, IrBuilder *b, IrValue *value) {
  IrValue *x = ir_convert(b, value, DT_F32);
  if (w->kind->bit == WATCH_NAN) return ir_binary(b, OP_NE, x, x);
  return ir_binary(b, OP_EQ, ir_unary(b, OP_ABS, x), ir_const_f64(b, x->type, __builtin_inf()));
}

static IrValue *any_of(IrBuilder *b, IrValue *flags) {
  int64_t axes[IR_MAX_RANK];
  for (int i = 0; i < flags->type->rank; i++) axes[i] = i;
  return flags->type->rank ? ir_reduce(b, OP_REDUCE_OR, flags, flags->type->rank, axes) : flags;
}

static IrValue *without(IrBuilder *b, IrValue *flags, IrValue *others) {
  return ir_binary(b, OP_AND, flags, ir_unary(b, OP_NOT, others));
}

// Whether the maker made one; behind it, once.
static IrValue *made_by(Watcher *w, IrOp *maker) {
  IrValue *known = map_get(w->made, maker);
  if (known) return known;
  IrBuilder b = ir_builder_behind(maker);
  IrValue *where = bad_elements(w, &b, maker->results[0]);
  for (size_t i = 0; i < maker->operand_count && op_is_elementwise(maker->code); i++)
    if (is_float(maker->operands[i]))
      where = without(&b, where, bad_elements(w, &b, maker->operands[i]));
  IrValue *made = any_of(&b, where);
  for (size_t i = 0; i < maker->operand_count && !op_is_elementwise(maker->code); i++)
    if (is_float(maker->operands[i]))
      made = without(&b, made, any_of(&b, bad_elements(w, &b, maker->operands[i])));
  map_set(w->where, maker, where);
  map_set(w->made, maker, made);
  return made;
}

// ---- what is said -------------------------------------------------------------------------------
static IrValue *flat(IrBuilder *b, IrValue *value) {
  int64_t count = ir_type_count(value->type);
  return ir_reshape(b, value, 1, &count);
}

static IrValue *element(IrBuilder *b, IrValue *value, IrValue *at) {
  const int64_t one = 1;
  if (!value->type->rank) return value;
  return ir_reshape(b, ir_dynamic_slice(b, flat(b, value), &at, &one), 0, NULL);
}

typedef struct Words {
  Buf format;
  IrValue *values[1 + IR_MAX_RANK + 4]; // the condition, then what the format's {} stand for
  size_t count;
} Words;

static void say_value(Words *words, const char *before, IrValue *value) {
  buf_printf(&words->format, "%s{}", before);
  words->values[words->count++] = value;
}

static void say_place(IrBuilder *b, Words *words, const IrType *type, IrValue *at) {
  int64_t behind = ir_type_count(type);
  buf_c(&words->format, ", at [");
  for (int i = 0; i < type->rank; i++) {
    behind /= type->dims[i];
    IrValue *size = ir_i32(b, (int32_t)type->dims[i]), *rest = ir_i32(b, (int32_t)behind);
    IrValue *index = ir_binary(b, OP_REM, ir_binary(b, OP_DIV, at, rest), size);
    say_value(words, i ? ", " : "", index);
  }
  buf_c(&words->format, "]");
}

static void say(Watcher *w, IrBuilder *b, const IrOp *maker, Words *words) {
  const IrType *type = maker->results[0]->type;
  buf_init(&words->format, w->module->arena);
  buf_printf(&words->format, "%s is made here, by %s", w->kind->text, op_info(maker->code)->name);
  if (ir_type_count(type) > INT32_MAX) return;
  IrValue *at = NULL;
  if (type->rank) {
    const int64_t axis = 0;
    IrValue *where = map_get(w->where, maker);
    at = ir_reduce(b, OP_ARGMAX, ir_convert(b, flat(b, where), DT_I32), 1, &axis);
  }
  for (size_t i = 0; i < maker->operand_count && op_is_elementwise(maker->code); i++)
    say_value(words, i ? " and " : " of ", element(b, maker->operands[i], at));
  if (type->rank) say_place(b, words, type, at);
}

// In front of `sink`: if what it keeps has one, and the maker made one, that is reported.
static void check_maker(Watcher *w, IrOp *sink, IrValue *kept, IrOp *maker) {
  IrValue *made = made_by(w, maker);
  IrBuilder b = ir_builder_for(maker, sink);
  b.region = sink->parent;
  Words words = {.count = 1};
  IrValue *bad = any_of(&b, bad_elements(w, &b, kept));
  words.values[0] = ir_unary(&b, OP_NOT, ir_binary(&b, OP_AND, bad, made));
  say(w, &b, maker, &words);
  IrOp *check = ir_build(&b, OP_CHECK, words.count, words.values, 0, NULL);
  ir_set_str(w->module, check, ATTR_FORMAT, buf_view(&words.format));
  ir_set_int(w->module, check, ATTR_FINDING, w->kind->finding);
}

// ---- from what keeps a value to what it is computed from ----------------------------------------
typedef struct Origins {
  Watcher *w;
  const IrRegion *region;
  Map *seen;
  VEC(IrOp *) makers;
} Origins;

// Ops with regions are looked into by themselves.
static void find_makers(Origins *o, const IrValue *kept) {
  VEC(IrOp *) open = {0};
  IrOp *op = kept->def;
  while (op) {
    if (op->parent == o->region && map_get(o->w->recorded, op) && !map_has(o->seen, op)) {
      map_set(o->seen, op, op);
      if (is_maker(op)) VEC_PUSH(o->w->arena, &o->makers, op);
      for (size_t i = 0; i < op->operand_count && !op->region_count; i++)
        if (op->operands[i]->def && !op->operands[i]->type->is_ref)
          VEC_PUSH(o->w->arena, &open, op->operands[i]->def);
    }
    op = open.count ? open.items[--open.count] : NULL;
  }
}

static void check_kept(Watcher *w, IrOp *sink, IrValue *kept) {
  if (!is_float(kept)) return;
  Origins o = {.w = w, .region = sink->parent, .seen = map_new(w->arena)};
  find_makers(&o, kept);
  for (size_t i = 0; i < o.makers.count; i++) check_maker(w, sink, kept, o.makers.items[i]);
}

// ---- what the library makes on its way ----------------------------------------------------------
// All that a function of the library records has the place of the program's call.
static void find_inner(IrOp *op, void *inner) {
  for (size_t i = 0; i < op->operand_count && op->span.file; i++) {
    IrOp *maker = op->operands[i]->def;
    bool is_inner = maker && maker->parent == op->parent && span_equal(maker->span, op->span);
    if (is_inner) map_set(inner, maker, maker);
  }
}

// Statements of a module keep all that they make, for who may ask for it: that store has no place.
static bool is_kept(const Watcher *w, const IrOp *store) {
  const IrOp *maker = store->operands[0]->def;
  return store->span.file || !maker || !map_has(w->inner, maker);
}

static void watch_region(Watcher *w, IrRegion *region);

static void watch_op(Watcher *w, IrOp *op) {
  if (op->code == OP_STORE && is_kept(w, op)) check_kept(w, op, op->operands[0]);
  for (size_t i = 0; i < op->operand_count && op->code == OP_YIELD; i++)
    check_kept(w, op, op->operands[i]);
  for (size_t i = 0; i < op->region_count; i++) watch_region(w, op->regions[i]);
}

static void watch_region(Watcher *w, IrRegion *region) {
  VEC(IrOp *) ops = {0}; // those that are put in are not looked at
  for (IrOp *op = region->first; op; op = op->next) {
    VEC_PUSH(w->arena, &ops, op);
    map_set(w->recorded, op, op);
  }
  for (size_t i = 0; i < ops.count; i++) watch_op(w, ops.items[i]);
}

bool pass_watch(PassContext *ctx) {
  if (!(ctx->options->watch | ctx->module->watch)) return true;
  Map *inner = map_new(ctx->arena);
  ir_walk_module(ctx->module, find_inner, inner);
  for (size_t i = 0; i < COUNT_OF(kinds); i++) {
    if (!((ctx->options->watch | ctx->module->watch) & kinds[i].bit)) continue;
    for (IrFunc *func = ctx->module->first; func; func = func->next) {
      Watcher w = {.module = ctx->module,
                   .arena = ctx->arena,
                   .kind = &kinds[i],
                   .made = map_new(ctx->arena),
                   .where = map_new(ctx->arena),
                   .recorded = map_new(ctx->arena),
                   .inner = inner};
      watch_region(&w, func->body);
    }
  }
  return true;
}
