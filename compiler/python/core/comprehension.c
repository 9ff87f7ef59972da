// SPDX-License-Identifier: Apache-2.0
// Comprehensions, which run at once, and generator expressions, which are iterators.
#include "python/objects/evaluator_state.h"
#include "assign.h"
#include "comprehension.h"
#include "expr.h"
#include "python/objects/dict.h"
#include "python/objects/frame.h"
#include "python/objects/make.h"
#include "python/objects/mapping.h"
#include "python/objects/protocol.h"
#include "python/objects/raise.h"
#include "python/objects/type_lookup.h"

static bool conditions_hold(Eval *ev, const Comprehension *clause) {
  for (size_t i = 0; i < clause->conditions.count; i++)
    if (!eval_test(ev, clause->conditions.items[i])) return false;
  return true;
}

// ---- lists, sets and dicts ----------------------------------------------------------------------
static void emit(Eval *ev, const Expr *e, Object *out) {
  Value item = eval_expr(ev, e->comp.element);
  if (e->kind == EX_LIST_COMP) {
    list_push(ev, (List *)out, item);
    return;
  }
  Value value = e->kind == EX_DICT_COMP ? eval_expr(ev, e->comp.value) : v_none();
  ev->span = e->comp.element->span;
  dict_set(ev, (Dict *)out, item, value);
}

// The clauses from `k` on; `source` is what clause k goes over.
static void run_clauses(Eval *ev, const Expr *e, size_t k, Value source, Object *out) {
  const Comprehension *clause = &e->comp.clauses[k];
  Walk walk;
  ev->span = clause->iter->span;
  walk_start(ev, &walk, source);
  for (;;) {
    Value item;
    ev->span = clause->iter->span;
    if (!walk_next(ev, &walk, &item)) return;
    count_step(ev);
    begin_step(ev);
    eval_assign(ev, clause->target, item);
    if (!conditions_hold(ev, clause)) continue;
    if (k + 1 == e->comp.clause_count)
      emit(ev, e, out);
    else
      run_clauses(ev, e, k + 1, eval_expr(ev, clause[1].iter), out);
  }
}

// ---- generator expressions ----------------------------------------------------------------------
typedef struct Generator {
  Object base;
  const Expr *expr;
  Env *env;
  ModuleObject *module;
  const Function *code;
  Value first;  // the first clause's iterator
  Walk *walks;  // of the clauses that have been entered
  size_t level; // how many have been entered
  bool is_running, is_done;
} Generator;

static Value make_generator(Eval *ev, const Expr *e, Value source) {
  Generator *g = ARENA_NEW(ev->arena, Generator);
  g->base.type = ev->types.generator;
  g->expr = e;
  g->env = env_new(ev, e->comp.scope, ev->frame->env);
  g->env->is_kept = true;
  if (ev->frame->env) ev->frame->env->is_kept = true;
  g->module = ev->frame->module;
  g->code = ev->frame->code;
  g->walks = ARENA_ARRAY(ev->arena, Walk, e->comp.clause_count);
  ev->span = e->comp.clauses[0].iter->span;
  walk_start(ev, &g->walks[0], source);
  g->level = 1;
  return v_object(g);
}

// Goes on from where the last item was given. False at the end.
static bool resume(Eval *ev, Generator *g, Value *out) {
  const Expr *e = g->expr;
  while (g->level > 0) {
    const Comprehension *clause = &e->comp.clauses[g->level - 1];
    Value item;
    ev->span = clause->iter->span;
    if (!walk_next(ev, &g->walks[g->level - 1], &item)) {
      g->level--;
      continue;
    }
    count_step(ev);
    eval_assign(ev, clause->target, item);
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

typedef struct Step {
  Generator *generator;
  Value item;
  bool has_item;
} Step;

static void run_step(Eval *ev, void *data) {
  Step *step = data;
  Generator *g = step->generator;
  Frame frame = {
      .function = ev->names->genexpr, .module = g->module, .env = g->env, .code = g->code};
  frame_push(ev, &frame);
  step->has_item = resume(ev, g, &step->item);
  frame_pop(ev, &frame);
}

// A StopIteration that comes out of the expressions must not look like the end.
NORETURN static void raise_stopped(Eval *ev, Value stop) {
  ExceptionObject *error =
      exception_new(ev, ev->types.RuntimeError, STR("generator raised StopIteration"));
  error->cause = error->context = stop;
  error->suppress_context = true;
  eval_raise_value(ev, v_object(error));
}

static bool generator_next(Eval *ev, Value self, Value *out) {
  Generator *g = (Generator *)self.o;
  if (g->is_running) eval_raise(ev, ev->types.ValueError, "generator already executing");
  if (g->is_done) return false;
  Step step = {.generator = g};
  Value exception;
  g->is_running = true;
  bool ok = eval_try(ev, run_step, &step, &exception);
  g->is_running = false;
  g->is_done = !ok || !step.has_item;
  if (!ok && value_is_instance(ev, exception, ev->types.StopIteration))
    raise_stopped(ev, exception);
  if (!ok) eval_raise_value(ev, exception);
  *out = step.item;
  return step.has_item;
}

static Value generator_iter(Eval *ev, Value self) {
  (void)ev;
  return self;
}

static Str generator_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "<generator object <genexpr> at %p>", (void *)self.o);
}

static Value generator_close(Eval *ev, Value *a) {
  (void)ev;
  ((Generator *)a[0].o)->is_done = true;
  return v_none();
}

static uint64_t generator_hash(Eval *ev, Value self) {
  (void)ev;
  return object_identity_hash(self);
}

void generator_init(Eval *ev) {
  static const NativeDef methods[] = {{"close(self, /)", generator_close}, {NULL, NULL}};
  ev->types.generator->methods = methods;
  ev->types.generator->slots = (TypeSlots){.iter = generator_iter,
                                           .next = generator_next,
                                           .repr = generator_repr,
                                           .hash = generator_hash};
}

// ---- both ---------------------------------------------------------------------------------------
Value eval_comprehension(Eval *ev, const Expr *e) {
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
