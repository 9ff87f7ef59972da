// SPDX-License-Identifier: Apache-2.0
// raise, try and with.
#include "python/values/evaluator_state.h"
#include "python/values/suggest.h"
#include "assign.h"
#include "expr.h"
#include "stmt.h"
#include "try.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/values/exception_context.h"
#include "python/values/exception_frames.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"

// ---- raise --------------------------------------------------------------------------------------
// An exception from what `raise` was given: a class is called.
static Value exception_value(Eval *ev, Value v, const char *fault) {
  if (is_type(ev, v) && ((Type *)v.o)->is_exception) v = value_call_n(ev, v, 0, NULL);
  if (!is_exception(v)) eval_raise(ev, ev->types.TypeError, "%s", fault);
  return v;
}

void eval_raise_stmt(Eval *ev, Stmt *stmt) {
  if (!stmt->raise.exc) {
    ev->span = stmt->span;
    if (ev->exception.kind != V_OBJECT)
      eval_raise(ev, ev->types.RuntimeError, "No active exception to reraise");
    eval_raise_value(ev, ev->exception);
  }
  Value value = eval_expr(ev, stmt->raise.exc);
  ev->span = stmt->span;
  value = exception_value(ev, value, "exceptions must derive from BaseException");
  if (stmt->raise.cause) {
    Value cause = eval_expr(ev, stmt->raise.cause);
    ev->span = stmt->span;
    ExceptionObject *exception = (ExceptionObject *)value.o;
    exception->cause = v_unbound();
    if (!v_is_none(cause))
      exception->cause =
          exception_value(ev, cause, "exception causes must derive from BaseException");
    exception->suppress_context = true;
  }
  exception_set_context((ExceptionObject *)value.o, ev->exception);
  exception_raised_again(ev, (ExceptionObject *)value.o);
  eval_raise_value(ev, value);
}

// ---- blocks under eval_try ----------------------------------------------------------------------
typedef struct Block {
  const StmtList *body;
  Stmt *stmt; // of a try statement that is run as a whole
  Value *result;
  Flow flow;
} Block;

static void run_block(Eval *ev, void *data) {
  Block *block = data;
  block->flow = eval_block(ev, block->body, block->result);
}

void handler_unbind(Eval *ev, ExceptHandler *handler) {
  if (!handler->name) return;
  NameRef *ref = &handler->bind;
  if (ref->where == NAME_LOCAL)
    store_name(ev, ref, v_unbound());
  else
    dict_remove(ev, ref->where == NAME_CLASS ? ev->frame->class_dict : ev->frame->module->dict,
                make_name(ev, ref->name));
}

static Flow run_handler(Eval *ev, ExceptHandler *handler, Value exception, Value *result) {
  if (!handler->name) return eval_block(ev, &handler->body, result);
  store_name(ev, &handler->bind, exception);
  Block block = {.body = &handler->body, .result = result};
  Value raised;
  bool ok = eval_try(ev, run_block, &block, &raised);
  handler_unbind(ev, handler); // however the handler ends
  if (!ok) eval_raise_value(ev, raised);
  return block.flow;
}

ExceptHandler *handler_of(Eval *ev, Stmt *stmt, Value exception) {
  for (size_t i = 0; i < stmt->try_stmt.handler_count; i++) {
    ExceptHandler *handler = &stmt->try_stmt.handlers[i];
    if (!handler->type) return handler;
    Value classes = eval_expr(ev, handler->type);
    ev->span = handler->type->span;
    if (exception_matches(ev, exception, classes)) return handler;
  }
  return NULL;
}

// ---- except* ------------------------------------------------------------------------------------
typedef struct StarBlock {
  ExceptHandler *handler;
  Value exception; // its part of what was raised
  Value *result;
} StarBlock;

static void run_star_handler(Eval *ev, void *data) {
  const StarBlock *block = data;
  run_handler(ev, block->handler, block->exception, block->result);
}

// Each clause handles its part of the exception; what is left of it, and what they raise, is
// raised.
static Flow except_star(Eval *ev, Stmt *stmt, Value exception, Value *result) {
  Value outer = ev->exception;
  Value handling = value_call_n(ev, module_lookup(ev, "builtins", "_StarHandling"), 1, &exception);
  for (size_t i = 0; i < stmt->try_stmt.handler_count; i++) {
    StarBlock block = {.handler = &stmt->try_stmt.handlers[i], .result = result};
    ev->exception = exception;
    Value classes = eval_expr(ev, block.handler->type), raised;
    ev->span = block.handler->type->span;
    block.exception = value_call_method(ev, handling, "take", 1, &classes);
    if (v_is_none(block.exception)) continue;
    ev->exception = block.exception;
    if (!eval_try(ev, run_star_handler, &block, &raised))
      value_call_method(ev, handling, "add_raised", 1, &raised);
  }
  ev->exception = outer;
  Value left = value_call_method(ev, handling, "left", 0, NULL);
  if (!v_is_none(left)) eval_raise_value(ev, left);
  return FLOW_NEXT;
}

static Flow try_except(Eval *ev, Stmt *stmt, Value *result) {
  Block block = {.body = &stmt->try_stmt.body, .result = result};
  Value exception;
  if (!eval_try(ev, run_block, &block, &exception)) {
    if (stmt->try_stmt.handlers[0].is_star) return except_star(ev, stmt, exception, result);
    Value outer = ev->exception;
    ev->exception = exception; // what a new one is raised "while handling"
    ExceptHandler *handler = handler_of(ev, stmt, exception);
    if (!handler) {
      ev->exception = outer;
      eval_raise_value(ev, exception);
    }
    Flow flow = run_handler(ev, handler, exception, result);
    ev->exception = outer;
    return flow;
  }
  return block.flow == FLOW_NEXT ? eval_block(ev, &stmt->try_stmt.orelse, result) : block.flow;
}

static void run_try_except(Eval *ev, void *data) {
  Block *block = data;
  block->flow = try_except(ev, block->stmt, block->result);
}

Flow eval_try_stmt(Eval *ev, Stmt *stmt, Value *result) {
  if (stmt->try_stmt.final.count == 0) return try_except(ev, stmt, result);
  Block block = {.body = &stmt->try_stmt.body, .stmt = stmt, .result = result};
  Value exception, outer = ev->exception;
  bool ok =
      eval_try(ev, stmt->try_stmt.handler_count ? run_try_except : run_block, &block, &exception);
  Value pending = *result; // a return inside `finally` may be left again by break or continue
  if (!ok) ev->exception = exception;
  Flow flow = eval_block(ev, &stmt->try_stmt.final, result);
  ev->exception = outer;
  if (flow != FLOW_NEXT) return flow;
  ev->fresh = NULL; // `finally` may have kept what is returned
  *result = pending;
  if (!ok) eval_raise_value(ev, exception);
  return block.flow;
}

// ---- with ---------------------------------------------------------------------------------------
Value with_enter(Eval *ev, const WithItem *item, WithExit *exit) {
  Value manager = eval_expr(ev, item->context), enter;
  bool enter_bound;
  ev->span = item->context->span;
  const char *name = value_type_name(ev, manager);
  if (!method_lookup(ev, manager, ev->names->enter, &enter, &enter_bound))
    raise_lacking(ev, manager, ev->names->enter,
                  "'%s' object does not support the context manager protocol", name);
  *exit = (WithExit){.manager = manager};
  if (!method_lookup(ev, manager, ev->names->exit, &exit->method, &exit->is_bound))
    eval_raise(ev, ev->types.TypeError,
               "'%s' object does not support the context manager protocol (missed __exit__ method)",
               name);
  return call_special(ev, manager, enter, enter_bound, 0, NULL);
}

static Value call_exit(Eval *ev, const WithItem *item, const WithExit *exit, const Value *about) {
  ev->span = item->context->span;
  return call_special(ev, exit->manager, exit->method, exit->is_bound, 3, about);
}

void with_leave(Eval *ev, const WithItem *item, const WithExit *exit) {
  const Value nothing[] = {v_none(), v_none(), v_none()};
  call_exit(ev, item, exit, nothing);
}

bool with_leave_by(Eval *ev, const WithItem *item, const WithExit *exit, Value exception) {
  Value outer = ev->exception;
  ev->exception = exception;
  const Value about[] = {v_object(type_of(ev, exception)), exception,
                         ev->core->above.traceback(ev, (const ExceptionObject *)exception.o)};
  bool is_swallowed = value_truth(ev, call_exit(ev, item, exit, about));
  ev->exception = outer;
  return is_swallowed;
}

typedef struct WithBlock {
  Stmt *stmt;
  size_t at; // of the item
  Value entered;
  Value *result;
  Flow flow;
} WithBlock;

static Flow with_items(Eval *ev, Stmt *stmt, size_t at, Value *result);

static void run_with(Eval *ev, void *data) {
  WithBlock *block = data;
  Expr *target = block->stmt->with.items[block->at].target;
  if (target) eval_assign(ev, target, block->entered);
  block->flow = with_items(ev, block->stmt, block->at + 1, block->result);
}

static Flow with_items(Eval *ev, Stmt *stmt, size_t at, Value *result) {
  if (at == stmt->with.count) return eval_block(ev, &stmt->with.body, result);
  const WithItem *item = &stmt->with.items[at];
  WithExit exit;
  WithBlock block = {.stmt = stmt, .at = at, .result = result};
  block.entered = with_enter(ev, item, &exit);
  Value exception;
  if (!eval_try(ev, run_with, &block, &exception)) {
    if (with_leave_by(ev, item, &exit, exception)) return FLOW_NEXT;
    eval_raise_value(ev, exception);
  }
  Value pending = *result;
  with_leave(ev, item, &exit);
  *result = pending;
  return block.flow;
}

Flow eval_with(Eval *ev, Stmt *stmt, Value *result) { return with_items(ev, stmt, 0, result); }
