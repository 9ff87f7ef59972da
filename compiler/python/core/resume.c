// SPDX-License-Identifier: Apache-2.0
// Generators of functions that yield between their statements alone (Scope.is_resumable). What is
// around the statement where such a body was left, blocks and loops, is kept in the generator: it
// goes on from there. Statements without a yield are evaluated as in any function.
#include "python/values/evaluator_state.h"
#include "assign.h"
#include "expr.h"
#include "generator.h"
#include "resume.h"
#include "stmt.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/frame.h"

// A block that is being run.
typedef struct Level {
  const StmtList *body;
  size_t at;      // the next statement
  Stmt *loop;     // whose body it is, or NULL
  Walk walk;      // of `for`
  Generator *own; // that only the loop knows, or NULL
} Level;

typedef struct ResumableGenerator {
  Generator base;
  Frame frame;
  Expr *yield; // that gave the last item; NULL: none has
  Stmt *stmt;  // which that is in
  Value item;
  bool has_item;
  size_t depth;
  Level levels[]; // Scope.yield_nesting + 1
} ResumableGenerator;

// ---- blocks -------------------------------------------------------------------------------------
static Level *push(ResumableGenerator *g, const StmtList *body, Stmt *loop) {
  Level *level = &g->levels[g->depth++];
  level->body = body;
  level->at = 0;
  level->loop = loop;
  level->own = NULL;
  return level;
}

// The loop is left: as loop_over_own in stmt.c.
static void pop(Eval *ev, ResumableGenerator *g) {
  Generator *own = g->levels[--g->depth].own;
  if (own) generator_close(ev, own);
}

static void pop_all(Eval *ev, ResumableGenerator *g) {
  while (g->depth) pop(ev, g);
}

static void push_block(ResumableGenerator *g, const StmtList *body) {
  if (body->count) push(g, body, NULL);
}

// A loop begins as if its body had just come to its end.
static void push_loop(Eval *ev, ResumableGenerator *g, Stmt *stmt) {
  if (stmt->kind == ST_WHILE) {
    Level *level = push(g, &stmt->while_loop.body, stmt);
    level->at = level->body->count;
    return;
  }
  Expr *iter = stmt->for_loop.iter;
  Value source = eval_expr(ev, iter);
  Walk walk;
  ev->span = iter->span;
  walk_start(ev, &walk, source);
  Level *level = push(g, &stmt->for_loop.body, stmt);
  level->at = level->body->count;
  level->walk = walk;
  if (iter->kind == EX_CALL) level->own = generator_made_at(ev, source, iter->span);
}

// Whether the loop goes round once more.
static bool has_next(Eval *ev, Level *level) {
  Stmt *loop = level->loop;
  if (loop->kind == ST_WHILE) {
    if (!eval_test(ev, loop->while_loop.test, TRUTH_TEST)) return false;
    ev->span = loop->while_loop.test->span;
    count_step(ev);
    return true;
  }
  Value item;
  ev->span = loop->for_loop.iter->span;
  if (!walk_next(ev, &level->walk, &item)) return false;
  count_step(ev);
  eval_assign(ev, loop->for_loop.target, item);
  return true;
}

static void end_block(Eval *ev, ResumableGenerator *g) {
  Level *level = &g->levels[g->depth - 1];
  Stmt *loop = level->loop;
  if (loop && has_next(ev, level)) {
    level->at = 0;
    return;
  }
  pop(ev, g);
  if (loop) push_block(g, loop->kind == ST_FOR ? &loop->for_loop.orelse : &loop->while_loop.orelse);
}

static void leave_or_continue_loop(Eval *ev, ResumableGenerator *g, Flow flow) {
  while (!g->levels[g->depth - 1].loop) pop(ev, g);
  Level *level = &g->levels[g->depth - 1];
  if (flow == FLOW_BREAK)
    pop(ev, g);
  else
    level->at = level->body->count;
}

// ---- yield --------------------------------------------------------------------------------------
static bool give(ResumableGenerator *g, Value item, Value delegate) {
  g->item = item;
  g->base.delegate = delegate;
  return true;
}

// True: there is an item, and the body is left. Else *out is what the `yield from` gives.
static bool delegate_on(Eval *ev, ResumableGenerator *g, Value iterator, Value sent, Value thrown,
                        Value *out) {
  Value item;
  g->base.delegate = v_unbound();
  if (generator_delegate_next(ev, iterator, sent, thrown, &item)) return give(g, item, iterator);
  Value result = ev->core->stop_value;
  *out = v_is_unbound(result) ? v_none() : result;
  return false;
}

static bool begin_yield(Eval *ev, ResumableGenerator *g, Stmt *stmt, Value *out) {
  Expr *yield = stmt->kind == ST_ASSIGN ? stmt->assign.value : stmt->value;
  Value value = yield->yielded ? eval_expr(ev, yield->yielded) : v_none();
  ev->span = yield->span;
  ev->fresh = NULL;
  g->stmt = stmt;
  g->yield = yield;
  if (yield->kind == EX_YIELD) return give(g, value, v_unbound());
  return delegate_on(ev, g, value_iter(ev, value), v_none(), v_unbound(), out);
}

static bool resume_yield(Eval *ev, ResumableGenerator *g, Value *out) {
  Generator *base = &g->base;
  ev->span = g->yield->span;
  if (!v_is_unbound(base->delegate)) {
    Value thrown = base->thrown;
    base->thrown = v_unbound();
    return delegate_on(ev, g, base->delegate, base->sent, thrown, out);
  }
  if (!v_is_unbound(base->thrown)) generator_raise_thrown(ev, base, false);
  *out = base->sent;
  return false;
}

// The rest of the statement that a yield is in.
static Flow end_yield(Eval *ev, ResumableGenerator *g, Value value) {
  Stmt *stmt = g->stmt;
  if (stmt->kind == ST_RETURN) {
    g->base.result = value;
    return FLOW_RETURN;
  }
  for (size_t i = 0; stmt->kind == ST_ASSIGN && i < stmt->assign.targets.count; i++)
    eval_assign(ev, stmt->assign.targets.items[i], value);
  return FLOW_NEXT;
}

// ---- the body -----------------------------------------------------------------------------------
// Of a statement that has a yield in it. True: it gave an item.
static bool run_yielding(Eval *ev, ResumableGenerator *g, Stmt *stmt, Flow *flow) {
  ev->span = stmt->span;
  count_step(ev);
  begin_step(ev);
  *flow = FLOW_NEXT;
  switch (stmt->kind) {
  case ST_IF:
    push_block(g, eval_test(ev, stmt->if_stmt.test, TRUTH_TEST) ? &stmt->if_stmt.body
                                                                : &stmt->if_stmt.orelse);
    return false;
  case ST_FOR:
  case ST_WHILE: push_loop(ev, g, stmt); return false;
  default: break;
  }
  Value value;
  if (begin_yield(ev, g, stmt, &value)) return true;
  *flow = end_yield(ev, g, value);
  return false;
}

// Goes on to the next item; false at the end.
static bool go_on(Eval *ev, ResumableGenerator *g) {
  Flow flow = FLOW_NEXT;
  if (g->yield) {
    Value value;
    if (resume_yield(ev, g, &value)) return true;
    flow = end_yield(ev, g, value);
  } else if (ev->hooks.hears_calls) {
    ev->hooks.bound(ev, g->base.function, g->frame.env->slots);
  }
  while (flow != FLOW_RETURN && g->depth) {
    Level *level = &g->levels[g->depth - 1];
    if (flow != FLOW_NEXT) {
      leave_or_continue_loop(ev, g, flow);
      flow = FLOW_NEXT;
    } else if (level->at == level->body->count) {
      end_block(ev, g);
    } else {
      Stmt *stmt = level->body->items[level->at++];
      if (!stmt->yields)
        flow = eval_stmt(ev, stmt, &g->base.result);
      else if (run_yielding(ev, g, stmt, &flow))
        return true;
    }
  }
  if (flow != FLOW_RETURN) g->base.result = v_none(); // a return may have been undone by `finally`
  pop_all(ev, g);
  return false;
}

static void run(Eval *ev, void *data) {
  ResumableGenerator *g = data;
  frame_push(ev, &g->frame);
  g->has_item = go_on(ev, g);
  frame_pop(ev, &g->frame);
}

static void leave_loops(Eval *ev, void *data) { pop_all(ev, data); }

static CoroutineEnd step_resumable(Eval *ev, Generator *base, Value *out) {
  ResumableGenerator *g = (ResumableGenerator *)base;
  if (eval_try(ev, run, g, out)) {
    *out = g->item;
    return g->has_item ? COROUTINE_SUSPENDED : COROUTINE_RETURNED;
  }
  // An exception of one that is closed takes the place of the first, as in `finally`.
  while (g->depth) {
    Value raised, outer = ev->exception;
    ev->exception = *out;
    if (!eval_try(ev, leave_loops, g, &raised)) *out = raised;
    ev->exception = outer;
  }
  return COROUTINE_RAISED;
}

Value resumable_new(Eval *ev, Function *f, Env *env) {
  size_t levels = f->scope->yield_nesting + (size_t)1;
  ResumableGenerator *g = arena_alloc(ev->arena, sizeof *g + levels * sizeof(Level));
  generator_start_function(ev, &g->base, f, env, step_resumable);
  g->frame = (Frame){.function = f->name, .module = f->module, .env = env, .code = f};
  push(g, f->body, NULL);
  return v_object(g);
}
