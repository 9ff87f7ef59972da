// SPDX-License-Identifier: Apache-2.0
// Generators of functions whose yields are whole statements (Scope.is_resumable). What is around
// the statement where such a body was left, blocks, loops, `try` and `with`, is kept in the
// generator as levels: it goes on from there. Statements without a yield are evaluated as in any
// function.
#include "python/values/evaluator_state.h"
#include "assign.h"
#include "expr.h"
#include "generator.h"
#include "match.h"
#include "resume.h"
#include "stmt.h"
#include "try.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/exception_frames.h"
#include "python/values/frame.h"

typedef enum LevelKind {
  LEVEL_BLOCK,   // nothing is to be done at its end
  LEVEL_LOOP,    // the body of `for` or `while`
  LEVEL_TRY,     // the block that the clauses of a `try` are for
  LEVEL_HANDLER, // the block of such a clause
  LEVEL_GUARD,   // around both of a `try` that has a `finally`
  LEVEL_FINALLY, // that block
  LEVEL_WITH,    // the rest of a `with` whose item has been entered
} LevelKind;

// A block that is being run.
typedef struct Level {
  LevelKind kind;
  const StmtList *body;
  size_t at; // the next statement
  Stmt *stmt;
  Value handled; // the exception that a clause or a `finally` handles, or V_UNBOUND
  union {
    struct {
      Walk walk;      // of `for`
      Generator *own; // that only the loop knows, or NULL
    };
    ExceptHandler *handler;
    struct {
      Flow flow; // how the guarded block ended, if by no exception, and what it was to return
      Value result;
    };
    struct {
      const WithItem *item;
      WithExit exit;
    };
  };
} Level;

typedef struct ResumableGenerator {
  Generator base;
  Frame frame;
  Expr *yield; // that gave the last item; NULL: none has
  Stmt *stmt;  // which that is in
  Value item;
  Value raised;              // by the body, or what it delegates to: not yet handled
  CoroutineEnd delegate_end; // of step_delegate
  Value entered;             // the exception that the caller was handling
  bool has_item;
  size_t depth;
  Level levels[]; // Scope.yield_nesting + 1
} ResumableGenerator;

static const StmtList nothing;

// ---- levels -------------------------------------------------------------------------------------
static Level *push(ResumableGenerator *g, LevelKind kind, const StmtList *body, Stmt *stmt) {
  Level *level = &g->levels[g->depth++];
  level->kind = kind;
  level->body = body;
  level->at = 0;
  level->stmt = stmt;
  level->handled = v_unbound();
  return level;
}

static void push_block(ResumableGenerator *g, const StmtList *body) {
  if (body->count) push(g, LEVEL_BLOCK, body, NULL);
}

// What is being handled inside of the innermost level.
static Value handled_in(const ResumableGenerator *g) {
  for (size_t i = g->depth; i-- > 0;)
    if (!v_is_unbound(g->levels[i].handled)) return g->levels[i].handled;
  return v_unbound();
}

static void set_handled(Eval *ev, const ResumableGenerator *g) {
  Value handled = handled_in(g);
  ev->exception = v_is_unbound(handled) ? g->entered : handled;
}

static void begin_finally(Eval *ev, ResumableGenerator *g, Stmt *stmt, Flow flow, Value exception) {
  Level *level = push(g, LEVEL_FINALLY, &stmt->try_stmt.final, stmt);
  level->handled = exception;
  level->flow = flow;
  level->result = g->base.result; // a return inside may be left again by break or continue
  set_handled(ev, g);
}

// The level is left, by an exception or not.
static void clear_level(Eval *ev, ResumableGenerator *g, const Level *level) {
  if (level->kind == LEVEL_LOOP && level->own) generator_close(ev, level->own); // stmt.c
  if (level->kind == LEVEL_HANDLER) handler_unbind(ev, level->handler);
  if (!v_is_unbound(level->handled)) set_handled(ev, g);
}

// ---- statements that have blocks ----------------------------------------------------------------
// A loop begins as if its body had just come to its end.
static void begin_loop(Eval *ev, ResumableGenerator *g, Stmt *stmt) {
  if (stmt->kind == ST_WHILE) {
    Level *level = push(g, LEVEL_LOOP, &stmt->while_loop.body, stmt);
    level->at = level->body->count;
    level->own = NULL;
    return;
  }
  Expr *iter = stmt->for_loop.iter;
  Value source = eval_expr(ev, iter);
  Walk walk;
  ev->span = iter->span;
  walk_start(ev, &walk, source);
  Level *level = push(g, LEVEL_LOOP, &stmt->for_loop.body, stmt);
  level->at = level->body->count;
  level->walk = walk;
  level->own = iter->kind == EX_CALL ? generator_made_at(ev, source, iter->span) : NULL;
}

static void begin_with(Eval *ev, ResumableGenerator *g, Stmt *stmt) {
  for (size_t i = 0; i < stmt->with.count; i++) {
    const WithItem *item = &stmt->with.items[i];
    WithExit exit;
    Value entered = with_enter(ev, item, &exit);
    Level *level = push(g, LEVEL_WITH, &nothing, stmt);
    level->item = item;
    level->exit = exit;
    if (item->target) eval_assign(ev, item->target, entered);
  }
  g->levels[g->depth - 1].body = &stmt->with.body;
}

static void begin_blocks(Eval *ev, ResumableGenerator *g, Stmt *stmt) {
  const StmtList *block;
  switch (stmt->kind) {
  case ST_IF:
    push_block(g, eval_test(ev, stmt->if_stmt.test, TRUTH_TEST) ? &stmt->if_stmt.body
                                                                : &stmt->if_stmt.orelse);
    break;
  case ST_FOR:
  case ST_WHILE: begin_loop(ev, g, stmt); break;
  case ST_WITH: begin_with(ev, g, stmt); break;
  case ST_MATCH:
    block = match_block(ev, stmt);
    if (block) push_block(g, block);
    break;
  default: // ST_TRY
    if (stmt->try_stmt.final.count) push(g, LEVEL_GUARD, &nothing, stmt);
    push(g, LEVEL_TRY, &stmt->try_stmt.body, stmt);
  }
}

// ---- levels that end ----------------------------------------------------------------------------
// Whether the loop goes round once more.
static bool has_next(Eval *ev, Level *level) {
  Stmt *loop = level->stmt;
  if (loop->kind == ST_WHILE) {
    if (!eval_test(ev, loop->while_loop.test, TRUTH_TEST)) return false;
    ev->span = loop->while_loop.test->span;
    count_step(ev);
    return true;
  }
  ev->span = loop->for_loop.iter->span;
  return assign_next(ev, &level->walk, loop->for_loop.target);
}

// The guarded block has ended as its `finally` has it in mind.
static Flow end_finally(Eval *ev, ResumableGenerator *g, const Level *level) {
  ev->fresh = NULL; // it may have kept what is returned
  if (!v_is_unbound(level->handled)) eval_raise_value(ev, level->handled);
  g->base.result = level->result;
  return level->flow;
}

// All statements of the innermost level have been run.
static Flow end_level(Eval *ev, ResumableGenerator *g) {
  Level *level = &g->levels[g->depth - 1];
  Stmt *stmt = level->stmt;
  if (level->kind == LEVEL_LOOP && has_next(ev, level)) {
    level->at = 0;
    return FLOW_NEXT;
  }
  g->depth--;
  clear_level(ev, g, level);
  switch (level->kind) {
  case LEVEL_LOOP:
    push_block(g, stmt->kind == ST_FOR ? &stmt->for_loop.orelse : &stmt->while_loop.orelse);
    break;
  case LEVEL_TRY: push_block(g, &stmt->try_stmt.orelse); break;
  case LEVEL_GUARD: begin_finally(ev, g, stmt, FLOW_NEXT, v_unbound()); break;
  case LEVEL_FINALLY: return end_finally(ev, g, level);
  case LEVEL_WITH: with_leave(ev, level->item, &level->exit); break;
  default: break;
  }
  return FLOW_NEXT;
}

// The innermost level is left by `return`, `break` or `continue`. Gives what is left to do.
static Flow leave_level(Eval *ev, ResumableGenerator *g, Flow flow) {
  Level *level = &g->levels[g->depth - 1];
  if (level->kind == LEVEL_LOOP && flow == FLOW_CONTINUE) {
    level->at = level->body->count;
    return FLOW_NEXT;
  }
  g->depth--;
  clear_level(ev, g, level);
  if (level->kind == LEVEL_LOOP && flow == FLOW_BREAK) return FLOW_NEXT;
  if (level->kind == LEVEL_WITH) with_leave(ev, level->item, &level->exit);
  if (level->kind != LEVEL_GUARD) return flow;
  begin_finally(ev, g, level->stmt, flow, v_unbound());
  return FLOW_NEXT;
}

// The level that g->depth has just been taken from is left by an exception. True: it goes no
// further.
static bool is_caught(Eval *ev, ResumableGenerator *g, const Level *level, Value exception) {
  if (level->kind == LEVEL_WITH) {
    bool is_swallowed = with_leave_by(ev, level->item, &level->exit, exception);
    if (is_swallowed) set_handled(ev, g);
    return is_swallowed;
  }
  ev->exception = exception; // what a new one is raised "while handling"
  if (level->kind == LEVEL_GUARD) {
    begin_finally(ev, g, level->stmt, FLOW_NEXT, exception);
    return true;
  }
  if (level->kind == LEVEL_TRY) {
    ExceptHandler *handler = handler_of(ev, level->stmt, exception);
    if (!handler) return false;
    Level *inner = push(g, LEVEL_HANDLER, &handler->body, NULL);
    inner->handled = exception;
    inner->handler = handler;
    if (handler->name) store_name(ev, &handler->bind, exception);
    return true;
  }
  clear_level(ev, g, level);
  return false;
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
  CoroutineEnd end = g->delegate_end;
  if (end != COROUTINE_SUSPENDED) {
    const Generator *inner = (const Generator *)base->delegate.o;
    g->delegate_end = COROUTINE_SUSPENDED;
    base->delegate = v_unbound();
    if (end == COROUTINE_RAISED) generator_raise_end(ev, g->raised);
    *out = inner->result;
    return false;
  }
  if (!v_is_unbound(base->delegate)) {
    Value thrown = base->thrown;
    base->thrown = v_unbound();
    return delegate_on(ev, g, base->delegate, base->sent, thrown, out);
  }
  if (!v_is_unbound(base->thrown)) generator_raise_thrown(ev, base, !v_is_unbound(handled_in(g)));
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
  if (stmt->kind != ST_EXPR && stmt->kind != ST_ASSIGN && stmt->kind != ST_RETURN) {
    begin_blocks(ev, g, stmt);
    return false;
  }
  Value value;
  if (begin_yield(ev, g, stmt, &value)) return true;
  *flow = end_yield(ev, g, value);
  return false;
}

// Goes on to the next item; false at the end.
static bool go_on(Eval *ev, ResumableGenerator *g, Flow flow) {
  while (g->depth) {
    Level *level = &g->levels[g->depth - 1];
    if (flow != FLOW_NEXT) {
      flow = leave_level(ev, g, flow);
    } else if (level->at == level->body->count) {
      flow = end_level(ev, g);
    } else {
      Stmt *stmt = level->body->items[level->at++];
      if (!stmt->yields)
        flow = eval_stmt(ev, stmt, &g->base.result);
      else if (run_yielding(ev, g, stmt, &flow))
        return true;
    }
  }
  if (flow != FLOW_RETURN) g->base.result = v_none(); // a return may have been undone by `finally`
  return false;
}

static void resume(Eval *ev, void *data) {
  ResumableGenerator *g = data;
  Flow flow = FLOW_NEXT;
  frame_check(ev, &g->frame);
  if (g->yield) {
    Value value, handled = handled_in(g);
    if (!v_is_unbound(handled)) ev->exception = handled;
    g->has_item = resume_yield(ev, g, &value);
    if (g->has_item) return;
    flow = end_yield(ev, g, value);
  } else if (ev->hooks.hears_calls) {
    ev->hooks.bound(ev, g->base.function, g->frame.env->slots);
  }
  g->has_item = go_on(ev, g, flow);
}

// Goes on where the exception that the body has raised is handled.
static void recover(Eval *ev, void *data) {
  ResumableGenerator *g = data;
  Value exception = g->raised;
  g->raised = v_unbound();
  while (g->depth) {
    const Level *level = &g->levels[--g->depth];
    if (!is_caught(ev, g, level, exception)) continue;
    g->has_item = go_on(ev, g, FLOW_NEXT);
    return;
  }
  eval_raise_value(ev, exception);
}

// Another generator that `yield from` goes over gives an item: the body of this one need not know.
// False: it has ended, or it is not known.
static bool step_delegate(Eval *ev, ResumableGenerator *g, Value *out) {
  Generator *inner = (Generator *)g->base.delegate.o;
  if (!is_a(g->base.delegate, ev->types.generator) || !v_is_unbound(g->base.thrown) ||
      inner->state != GENERATOR_SUSPENDED)
    return false;
  Value handled = handled_in(g);
  if (!v_is_unbound(handled)) ev->exception = handled;
  ev->span = g->yield->span;
  inner->sent = g->base.sent;
  g->delegate_end = generator_step(ev, inner, out);
  if (g->delegate_end == COROUTINE_RAISED) g->raised = *out;
  return g->delegate_end == COROUTINE_SUSPENDED;
}

static CoroutineEnd step_resumable(Eval *ev, Generator *base, Value *out) {
  ResumableGenerator *g = (ResumableGenerator *)base;
  g->entered = ev->exception;
  frame_link(ev, &g->frame);
  if (!v_is_unbound(base->delegate) && step_delegate(ev, g, out)) {
    frame_pop(ev, &g->frame);
    ev->exception = g->entered;
    return COROUTINE_SUSPENDED;
  }
  bool is_done = eval_try(ev, resume, g, out);
  while (!is_done && g->depth) {
    g->raised = *out;
    is_done = eval_try(ev, recover, g, out);
  }
  if (!is_done) exception_add_frames(ev, (ExceptionObject *)out->o, g->frame.caller);
  frame_pop(ev, &g->frame);
  ev->exception = g->entered;
  if (!is_done) return COROUTINE_RAISED;
  *out = g->item;
  return g->has_item ? COROUTINE_SUSPENDED : COROUTINE_RETURNED;
}

Value resumable_new(Eval *ev, Function *f, Env *env) {
  size_t levels = f->scope->yield_nesting + (size_t)1;
  ResumableGenerator *g = arena_alloc(ev->arena, sizeof *g + levels * sizeof(Level));
  generator_start_function(ev, &g->base, f, env, step_resumable);
  if (f->scope->is_guarded) generator_remember(ev, &g->base);
  g->frame = (Frame){.function = f->name, .module = f->module, .env = env, .code = f};
  push(g, LEVEL_BLOCK, f->body, NULL);
  return v_object(g);
}
