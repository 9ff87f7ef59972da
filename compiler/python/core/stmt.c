// SPDX-License-Identifier: Apache-2.0
// Statements. Flow says how a block ended; what a return gives is in *result.
#include <string.h>

#include "python/values/frame.h"
#include "python/values/evaluator_state.h"
#include "python/objects/attribute.h"
#include "python/objects/fresh.h"
#include "assertion.h"
#include "assign.h"
#include "class.h"
#include "expr.h"
#include "function.h"
#include "generator.h"
#include "import_stmt.h"
#include "match.h"
#include "stmt.h"
#include "try.h"
#include "type_alias.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/value_call.h"
#include "python/modules/report.h"

// ---- definitions --------------------------------------------------------------------------------
Value decorate(Eval *ev, const ExprList *decorators, const Value *evaluated, Value value) {
  for (size_t i = decorators->count; i-- > 0;) {
    ev->span = decorators->items[i]->span;
    value = value_call_n(ev, evaluated[i], 1, &value);
  }
  return value;
}

Value *eval_decorators(Eval *ev, const ExprList *decorators) {
  if (!decorators->count) return NULL;
  Value *values = ARENA_ARRAY(ev->arena, Value, decorators->count);
  for (size_t i = 0; i < decorators->count; i++) values[i] = eval_expr(ev, decorators->items[i]);
  return values;
}

static void function_def(Eval *ev, Stmt *stmt) {
  const Value *decorators = eval_decorators(ev, &stmt->function.decorators);
  Function *f =
      function_new(ev, stmt->function.name, &stmt->function.params, stmt->function.scope, stmt);
  f->body = &stmt->function.body;
  f->def = stmt;
  if (stmt->function.returns) function_keep_around(ev, f);
  f->span = stmt->span;
  bool is_of_module = !ev->frame->code && !ev->frame->body;
  // Where nothing runs, the mistakes of all entries are reported together, when they are read.
  if (ev->options.run || f->module != ev->main || !is_of_module) function_annotate(ev, f);
  if (ev->hooks.rule && f->module->def && is_of_module)
    f->rule = ev->hooks.rule(ev, f->module, f->name);
  if (stmt->function.has_doc) f->doc = make_str(ev, stmt->function.doc);
  Value value = decorate(ev, &stmt->function.decorators, decorators, v_object(f));
  store_name(ev, &stmt->function.bind, value);
}

// Of a variable of a module or class, whose `__annotations__` have those of names. A function's own
// variables' are never evaluated.
static void annotate(Eval *ev, const Stmt *stmt) {
  const Frame *frame = ev->frame;
  Dict *names = frame->body ? frame->body->names : frame->module ? frame->module->dict : NULL;
  if (!names || (frame->code && !frame->body)) return;
  const Expr *target = stmt->ann_assign.target;
  Expr *annotation = stmt->ann_assign.annotation;
  bool is_generic = stmt->ann_assign.is_generic;
  if (target->kind != EX_NAME) {
    annotation_here(ev, annotation, is_generic);
    return;
  }
  Dict *known = value_as_dict(dict_get_name(names, ev->names->annotations));
  if (!known) {
    known = dict_new(ev);
    dict_set_name(ev, names, ev->names->annotations, v_object(known));
  }
  dict_set_name(ev, known, target->name.name, annotation_here(ev, annotation, is_generic));
}

static void annotated_assign(Eval *ev, Stmt *stmt) {
  Expr *target = stmt->ann_assign.target;
  if (stmt->ann_assign.value) eval_assign(ev, target, eval_expr(ev, stmt->ann_assign.value));
  annotate(ev, stmt);
}

// ---- loops --------------------------------------------------------------------------------------
static Flow loop_over(Eval *ev, Stmt *stmt, Value source, Value *result) {
  Expr *target = stmt->for_loop.target;
  Span place = stmt->for_loop.iter->span;
  Walk walk;
  ev->span = place;
  walk_start(ev, &walk, source);
  for (;;) {
    ev->span = place;
    if (!assign_next(ev, &walk, target)) return eval_block(ev, &stmt->for_loop.orelse, result);
    Flow flow = eval_block(ev, &stmt->for_loop.body, result);
    if (flow == FLOW_BREAK) return FLOW_NEXT;
    if (flow == FLOW_RETURN) return flow;
  }
}

typedef struct Loop {
  Stmt *stmt;
  Value source, *result;
  Flow flow;
} Loop;

static void run_loop(Eval *ev, void *data) {
  Loop *loop = data;
  loop->flow = loop_over(ev, loop->stmt, loop->source, loop->result);
}

// A generator that only the loop knows is closed when the loop is left: in Python its last
// reference goes then.
static Flow loop_over_own(Eval *ev, Generator *own, Loop *loop) {
  Value exception;
  bool ok = eval_try(ev, run_loop, loop, &exception);
  Value pending = *loop->result;
  generator_close(ev, own);
  *loop->result = pending;
  if (!ok) eval_raise_value(ev, exception);
  return loop->flow;
}

static Flow for_loop(Eval *ev, Stmt *stmt, Value *result) {
  Expr *iter = stmt->for_loop.iter;
  Value source = eval_expr(ev, iter);
  Generator *own = iter->kind == EX_CALL ? generator_made_at(ev, source, iter->span) : NULL;
  if (!own) return loop_over(ev, stmt, source, result);
  Loop loop = {.stmt = stmt, .source = source, .result = result};
  return loop_over_own(ev, own, &loop);
}

static Flow while_loop(Eval *ev, Stmt *stmt, Value *result) {
  while (eval_test(ev, stmt->while_loop.test, TRUTH_TEST)) {
    ev->span = stmt->while_loop.test->span;
    count_step(ev);
    Flow flow = eval_block(ev, &stmt->while_loop.body, result);
    if (flow == FLOW_BREAK) return FLOW_NEXT;
    if (flow == FLOW_RETURN) return flow;
  }
  return eval_block(ev, &stmt->while_loop.orelse, result);
}

// ---- the others ---------------------------------------------------------------------------------
static bool is_provided(const ModuleObject *module) {
  return module && (module->def || (module->file && module->file->is_builtin));
}

// Whether f is a closure that the function of this name has made, and not one that was there, as
// getattr(m, n) or cache.pop(key) give it.
static bool is_made_by(const Function *f, const Expr *called) {
  Name name = called->kind == EX_ATTRIBUTE ? called->attribute.attr : called->name.name;
  Str made = name_str(f->qualname);
  if (!f->closure || !str_starts_with(made, name_str(name))) return false;
  return str_starts_with((Str){made.data + name->len, made.len - name->len}, STR(".<locals>."));
}

// A function of a provided module is the statement's value, and nobody calls it: `pl.when(c)`
// alone, which is a decorator, or the bare name of a function or of a method.
static void hint_not_called(Eval *ev, Expr *expr, Value value) {
  if (is_a(value, ev->types.method)) value = ((const BoundMethod *)value.o)->function;
  bool is_native = is_a(value, ev->types.native);
  if (!is_native && !is_a(value, ev->types.function)) return;
  const Function *f = is_native ? NULL : (const Function *)value.o;
  if ((f && !is_provided(f->module)) || is_provided(ev->frame->module)) return;
  Expr *named = expr->kind == EX_CALL ? expr->call.func : expr;
  if (named->kind != EX_ATTRIBUTE && named->kind != EX_NAME) return;
  if (expr->kind == EX_CALL && !(f && is_made_by(f, named))) return;
  const SourceFile *file = source_get(ev->session, named->span.file);
  Str name = {file->text.data + named->span.begin, named->span.end - named->span.begin};
  ev->span = expr->span;
  if (expr->kind == EX_CALL)
    eval_warn(ev, WARN_HINT,
              "this makes a function that nothing calls; as a decorator, @%.*s(...) stands above a "
              "'def'",
              STR_FMT(name));
  else
    eval_warn(ev, WARN_HINT, "the function %.*s is named here, and not called", STR_FMT(name));
}

// x.at[i].set(y) alone: it gives a value that again has an `at`, and leaves x as it was.
static void hint_update_unused(Eval *ev, const Expr *expr, Value value) {
  if (expr->kind != EX_CALL || expr->call.func->kind != EX_ATTRIBUTE) return;
  const Expr *updated = expr->call.func->attribute.value;
  if (updated->kind != EX_SUBSCRIPT || updated->subscript.value->kind != EX_ATTRIBUTE) return;
  Name at = updated->subscript.value->attribute.attr;
  if (!str_equal(name_str(at), STR("at")) || is_provided(ev->frame->module)) return;
  if (str_equal(name_str(expr->call.func->attribute.attr), STR("get"))) return;
  if (v_is_unbound(value_getattr_opt(ev, value, at))) return;
  ev->span = expr->span;
  eval_warn(ev, WARN_HINT,
            "what this gives is not used, and the array stays as it was: x = x.at[...].%s(...)",
            expr->call.func->attribute.attr->text);
}

static void expression(Eval *ev, Expr *expr) {
  Value value = eval_expr(ev, expr);
  if (value.kind == V_OBJECT) {
    hint_not_called(ev, expr, value);
    hint_update_unused(ev, expr, value);
  }
  discard(ev, fresh_object(ev, expr, value));
}

static Flow expression_stmt(Eval *ev, Stmt *stmt, Value *result UNUSED) {
  const Value *show = ev->frame->show;
  if (!show) {
    expression(ev, stmt->value);
    return FLOW_NEXT;
  }
  Value value = eval_expr(ev, stmt->value);
  if (!v_is_none(value)) value_call_n(ev, *show, 1, &value);
  return FLOW_NEXT;
}

// a, b = b, a without a tuple in between, if they are few.
static bool assign_side_by_side(Eval *ev, const Expr *target, const Expr *value) {
  enum { FEW = 4 };
  const ExprList *targets = &target->elements, *values = &value->elements;
  if (target->kind != EX_TUPLE || value->kind != EX_TUPLE || !target->is_plain ||
      !value->is_plain || targets->count != values->count || values->count > FEW)
    return false;
  Value items[FEW];
  for (size_t i = 0; i < values->count; i++) items[i] = eval_expr(ev, values->items[i]);
  ev->fresh = NULL;
  for (size_t i = 0; i < targets->count; i++) eval_assign(ev, targets->items[i], items[i]);
  return true;
}

static Flow assign_stmt(Eval *ev, Stmt *stmt, Value *result UNUSED) {
  const ExprList *targets = &stmt->assign.targets;
  if (targets->count == 1 && assign_side_by_side(ev, targets->items[0], stmt->assign.value))
    return FLOW_NEXT;
  Value value = eval_expr(ev, stmt->assign.value);
  if (targets->count == 1 && targets->items[0]->kind == EX_SUBSCRIPT) {
    assign_item(ev, targets->items[0], value, stmt->assign.value);
    return FLOW_NEXT;
  }
  if (targets->count == 1 && targets->items[0]->form == FORM_LOCAL && !ev->hooks.assigned) {
    slot_write(ev, ev->frame->env, targets->items[0]->name.index, value,
               fresh_object(ev, stmt->assign.value, value));
    return FLOW_NEXT;
  }
  for (size_t i = 0; i < targets->count; i++) eval_assign(ev, targets->items[i], value);
  return FLOW_NEXT;
}

static Flow return_stmt(Eval *ev, Stmt *stmt, Value *result) {
  *result = stmt->value ? eval_returned(ev, stmt->value) : v_none();
  return FLOW_RETURN;
}

Value eval_return(Eval *ev, const Stmt *stmt) {
  stmt_begin(ev, stmt);
  return stmt->value ? eval_returned(ev, stmt->value) : v_none();
}

static Flow if_stmt(Eval *ev, Stmt *stmt, Value *result) {
  return eval_block(ev,
                    eval_test(ev, stmt->if_stmt.test, TRUTH_TEST) ? &stmt->if_stmt.body
                                                                  : &stmt->if_stmt.orelse,
                    result);
}

static Flow break_stmt(Eval *ev UNUSED, Stmt *stmt UNUSED, Value *result UNUSED) {
  return FLOW_BREAK;
}

static Flow continue_stmt(Eval *ev UNUSED, Stmt *stmt UNUSED, Value *result UNUSED) {
  return FLOW_CONTINUE;
}

static Flow nothing(Eval *ev UNUSED, Stmt *stmt UNUSED, Value *result UNUSED) { return FLOW_NEXT; }

// What earlier calls have left where the next ones will have their frames: a collection would take
// it for uses of what has been deleted (the stack is looked through as it is).
__attribute__((noinline)) static void clear_stack(void) {
  enum { DEPTH = 1 << 12 }; // of a call such as gc.collect()
  char left[DEPTH];
  memset(left, 0, sizeof left);
  __asm__ volatile("" : : "r"(left) : "memory");
}

static Flow delete_stmt(Eval *ev, Stmt *stmt, Value *result UNUSED) {
  for (size_t i = 0; i < stmt->targets.count; i++) {
    eval_delete(ev, stmt->targets.items[i]);
    if (stmt->targets.items[i]->kind == EX_NAME) clear_stack();
  }
  return FLOW_NEXT;
}

static Flow raise_stmt(Eval *ev, Stmt *stmt, Value *result UNUSED) { eval_raise_stmt(ev, stmt); }

static Flow type_alias_stmt(Eval *ev, Stmt *stmt, Value *result UNUSED) {
  store_name(ev, &stmt->type_alias.bind, make_type_alias(ev, stmt));
  return FLOW_NEXT;
}

static Flow invalid(Eval *ev, Stmt *stmt, Value *result UNUSED) {
  eval_raise_at(ev, stmt->span, ev->types.SyntaxError, "invalid statement");
}

#define PLAIN(name, function)                                                                      \
  static Flow name(Eval *ev, Stmt *stmt, Value *result UNUSED) {                                   \
    function(ev, stmt);                                                                            \
    return FLOW_NEXT;                                                                              \
  }
PLAIN(aug_assign_stmt, eval_aug_assign)
PLAIN(function_def_stmt, function_def)
PLAIN(class_def_stmt, class_execute)
PLAIN(ann_assign_stmt, annotated_assign)
PLAIN(assert_stmt_plain, assert_stmt)
PLAIN(import_stmt, eval_import)
PLAIN(import_from_stmt, eval_import_from)
#undef PLAIN

// How statements of each kind are run.
Flow (*const stmt_ways[ST_COUNT])(Eval *ev, Stmt *stmt, Value *result) = {
    [ST_EXPR] = expression_stmt,
    [ST_ASSIGN] = assign_stmt,
    [ST_RETURN] = return_stmt,
    [ST_IF] = if_stmt,
    [ST_AUG_ASSIGN] = aug_assign_stmt,
    [ST_FOR] = for_loop,
    [ST_WHILE] = while_loop,
    [ST_BREAK] = break_stmt,
    [ST_CONTINUE] = continue_stmt,
    [ST_FUNCTION_DEF] = function_def_stmt,
    [ST_CLASS_DEF] = class_def_stmt,
    [ST_ANN_ASSIGN] = ann_assign_stmt,
    [ST_TYPE_ALIAS] = type_alias_stmt,
    [ST_WITH] = eval_with,
    [ST_MATCH] = eval_match,
    [ST_RAISE] = raise_stmt,
    [ST_TRY] = eval_try_stmt,
    [ST_ASSERT] = assert_stmt_plain,
    [ST_IMPORT] = import_stmt,
    [ST_IMPORT_FROM] = import_from_stmt,
    [ST_DELETE] = delete_stmt,
    [ST_GLOBAL] = nothing,
    [ST_NONLOCAL] = nothing,
    [ST_PASS] = nothing,
    [ST_ERROR] = invalid,
};
