// SPDX-License-Identifier: Apache-2.0
// Comprehensions, which run at once, and generator expressions, which are iterators.
#include "python/values/evaluator_state.h"
#include "assign.h"
#include "comprehension.h"
#include "expr.h"
#include "function.h"
#include "generator.h"
#include "python/values/dict.h"
#include "python/values/frame.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"

static bool conditions_hold(Eval *ev, const Comprehension *clause) {
  for (size_t i = 0; i < clause->conditions.count; i++)
    if (!eval_test(ev, clause->conditions.items[i], TRUTH_TEST)) return false;
  return true;
}

// ---- lists, sets and dicts ----------------------------------------------------------------------
static void emit(Eval *ev, Expr *e, Object *out) {
  Value item = eval_expr(ev, e->comp.element);
  if (e->kind == EX_LIST_COMP) {
    list_push(ev, (List *)out, item);
    return;
  }
  Value value = e->kind == EX_DICT_COMP ? eval_expr(ev, e->comp.value) : v_none();
  ev->span = e->comp.element->span;
  dict_set(ev, (Dict *)out, item, value);
}

// Without a condition there is an item for each one of the source, if none raises an exception.
static void make_room(Eval *ev, const Expr *e, const Walk *walk, Object *out) {
  enum { MOST = 4096 };
  if (e->comp.clause_count > 1 || e->comp.clauses[0].conditions.count) return;
  size_t expected = walk_hint(ev, walk);
  if (e->kind == EX_LIST_COMP)
    list_reserve(ev, (List *)out, expected < MOST ? expected : MOST);
  else
    dict_expect(ev, (Dict *)out, expected);
}

// The clauses from `k` on; `source` is what clause k goes over.
static void run_clauses(Eval *ev, Expr *e, size_t k, Value source, Object *out) {
  const Comprehension *clause = &e->comp.clauses[k];
  Walk walk;
  ev->span = clause->iter->span;
  walk_start(ev, &walk, source);
  make_room(ev, e, &walk, out);
  for (;;) {
    ev->span = clause->iter->span;
    if (!assign_next(ev, &walk, clause->target)) return;
    begin_step(ev);
    if (!conditions_hold(ev, clause)) continue;
    if (k + 1 == e->comp.clause_count)
      emit(ev, e, out);
    else
      run_clauses(ev, e, k + 1, eval_expr(ev, clause[1].iter), out);
  }
}

// ---- generator expressions ----------------------------------------------------------------------
typedef struct GeneratorExpression {
  Generator base;
  Expr *expr;
  Env *env;
  ModuleObject *module;
  const Function *code;
  Walk *walks;  // of the clauses that have been entered
  size_t level; // how many have been entered
  Value item;
  bool has_item;
} GeneratorExpression;

// Goes on from where the last item was given. False at the end.
static bool resume(Eval *ev, GeneratorExpression *g, Value *out) {
  Expr *e = g->expr;
  while (g->level > 0) {
    const Comprehension *clause = &e->comp.clauses[g->level - 1];
    ev->span = clause->iter->span;
    if (!assign_next(ev, &g->walks[g->level - 1], clause->target)) {
      g->level--;
      continue;
    }
    if (!conditions_hold(ev, clause)) continue;
    if (g->level == e->comp.clause_count) {
      *out = eval_expr(ev, e->comp.element);
      return true;
    }
    Value source = eval_expr(ev, clause[1].iter);
    ev->span = clause[1].iter->span;
    walk_start(ev, &g->walks[g->level], source);
    g->level++;
  }
  return false;
}

static void run_expression(Eval *ev, void *data) {
  GeneratorExpression *g = data;
  Frame frame = {
      .function = ev->names->genexpr, .module = g->module, .env = g->env, .code = g->code};
  frame_push(ev, &frame);
  g->has_item = resume(ev, g, &g->item);
  frame_pop(ev, &frame);
}

// It has no place where something that was thrown could be caught.
static CoroutineEnd step_expression(Eval *ev, Generator *base, Value *out) {
  GeneratorExpression *g = (GeneratorExpression *)base;
  *out = base->thrown;
  base->thrown = v_unbound();
  if (!v_is_unbound(*out) || !eval_try(ev, run_expression, g, out)) return COROUTINE_RAISED;
  *out = g->item;
  return g->has_item ? COROUTINE_SUSPENDED : COROUTINE_RETURNED;
}

static Value make_generator(Eval *ev, Expr *e, Value source) {
  GeneratorExpression *g = ARENA_NEW(ev->arena, GeneratorExpression);
  generator_start(ev, &g->base, ev->names->genexpr, scope_qualname(ev, ev->names->genexpr, e),
                  step_expression);
  g->expr = e;
  g->env = env_new(ev, e->comp.scope, ev->frame->env);
  env_keep(g->env);
  g->module = ev->frame->module;
  g->code = ev->frame->code;
  g->walks = ARENA_ARRAY(ev->arena, Walk, e->comp.clause_count);
  ev->span = e->comp.clauses[0].iter->span;
  walk_start(ev, &g->walks[0], source);
  g->level = 1;
  return v_object(g);
}

// ---- both ---------------------------------------------------------------------------------------
Value eval_comprehension(Eval *ev, Expr *e) {
  Value source = eval_expr(ev, e->comp.clauses[0].iter);
  if (e->kind == EX_GENERATOR) return make_generator(ev, e, source);
  Object *out;
  if (e->kind == EX_LIST_COMP)
    out = &list_new(ev, 0)->base;
  else
    out = e->kind == EX_SET_COMP ? &set_new(ev, false)->base : &dict_new(ev)->base;
  Frame *frame = ev->frame;
  Env *outer = frame->env, *env = env_new(ev, e->comp.scope, outer);
  frame->env = env; // eval_try puts it back if an exception comes by
  run_clauses(ev, e, 0, source, out);
  frame->env = outer;
  env_release(ev, env);
  return v_object(out);
}
