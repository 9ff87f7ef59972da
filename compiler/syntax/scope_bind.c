// SPDX-License-Identifier: Apache-2.0
// The first half of name resolution: which names a scope binds.
#include <string.h>

#include "base/map.h"
#include "mistake.h"
#include "scope_resolver.h"

Name scope_mangle(const Resolver *r, Name name) {
  if (!r->class_name || !name || name->len < 3 || memcmp(name->text, "__", 2) != 0) return name;
  if (str_ends_with(name_str(name), STR("__"))) return name;
  Str owner = name_str(r->class_name);
  while (owner.len && owner.data[0] == '_') owner.data++, owner.len--;
  if (!owner.len) return name;
  Str text = str_format(r->scratch, "_%.*s%s", STR_FMT(owner), name->text);
  return name_intern(r->session->interner, text);
}

Binding *scope_binding(Resolver *r, Frame *frame, Name name) {
  Binding *binding = map_get(frame->names, name);
  if (binding) return binding;
  binding = ARENA_NEW(r->scratch, Binding);
  binding->slot = NO_SLOT;
  map_set(frame->names, name, binding);
  return binding;
}

void scope_bind_name(Resolver *r, Name name) {
  name = scope_mangle(r, name);
  Binding *binding = scope_binding(r, r->frame, name);
  binding->is_bound = true;
  if (!frame_has_slots(r->frame) || binding->slot != NO_SLOT) return;
  if (binding->is_global || binding->is_nonlocal) return;
  binding->slot = (uint32_t)r->frame->slots.count;
  VEC_PUSH(r->scratch, &r->frame->slots, name);
}

void scope_bind_params(Resolver *r, const Params *params) {
  for (size_t i = 0; i < params->count; i++) {
    Name name = scope_mangle(r, params->items[i].name);
    Binding *binding = scope_binding(r, r->frame, name);
    if (binding->is_param)
      mistake_report(r->session, MISTAKE_SYNTAX, params->items[i].span,
                     "parameter '%s' occurs twice", name->text);
    binding->is_param = true;
    scope_bind_name(r, name);
  }
  if (!params->has_varargs) return;
  r->frame->varargs_slot = (uint32_t)params->positional;
  r->frame->keyword_only = (uint32_t)(params->count - params->positional - 1 - params->has_kwargs);
}

// ---- expressions -------------------------------------------------------------------------------
static void each_of(Resolver *r, ExprList list, void (*visit)(Resolver *, Expr *)) {
  for (size_t i = 0; i < list.count; i++)
    if (list.items[i]) visit(r, list.items[i]);
}

static void each_operand(Resolver *r, const Expr *expr, void (*visit)(Resolver *, Expr *)) {
  switch (expr->kind) {
  case EX_BINARY:
    visit(r, expr->binary.left);
    visit(r, expr->binary.right);
    break;
  case EX_UNARY: visit(r, expr->unary.operand); break;
  case EX_BOOL_OP: each_of(r, expr->bool_op.values, visit); break;
  case EX_COMPARE:
    visit(r, expr->compare.left);
    each_of(r, (ExprList){expr->compare.comparators, expr->compare.count}, visit);
    break;
  case EX_IF_EXP:
    visit(r, expr->if_exp.test);
    visit(r, expr->if_exp.body);
    visit(r, expr->if_exp.orelse);
    break;
  case EX_SLICE:
    if (expr->slice.lower) visit(r, expr->slice.lower);
    if (expr->slice.upper) visit(r, expr->slice.upper);
    if (expr->slice.step) visit(r, expr->slice.step);
    break;
  default: break;
  }
}

void scope_each_child(Resolver *r, const Expr *expr, void (*visit)(Resolver *, Expr *)) {
  switch (expr->kind) {
  case EX_JOINED_STR:
    for (size_t i = 0; i < expr->joined_str.count; i++) {
      const FStringPart *part = &expr->joined_str.parts[i];
      if (part->value) visit(r, part->value);
      if (part->format) visit(r, part->format);
    }
    break;
  case EX_ATTRIBUTE: visit(r, expr->attribute.value); break;
  case EX_SUBSCRIPT:
    visit(r, expr->subscript.value);
    visit(r, expr->subscript.index);
    break;
  case EX_CALL:
    visit(r, expr->call.func);
    each_of(r, expr->call.args, visit);
    for (size_t i = 0; i < expr->call.keyword_count; i++) visit(r, expr->call.keywords[i].value);
    break;
  case EX_TUPLE:
  case EX_LIST:
  case EX_SET: each_of(r, expr->elements, visit); break;
  case EX_DICT:
    for (size_t i = 0; i < expr->dict.keys.count; i++) {
      if (expr->dict.keys.items[i]) visit(r, expr->dict.keys.items[i]);
      visit(r, expr->dict.values.items[i]);
    }
    break;
  case EX_STARRED: visit(r, expr->starred); break;
  case EX_YIELD:
  case EX_YIELD_FROM:
    if (expr->yielded) visit(r, expr->yielded);
    break;
  case EX_NAMED:
    visit(r, expr->named.value);
    visit(r, expr->named.target);
    break;
  default: each_operand(r, expr, visit);
  }
}

static void bind_child(Resolver *r, Expr *expr) { scope_bind_expr(r, expr); }

static void bind_opt(Resolver *r, const Expr *expr) {
  if (expr) scope_bind_expr(r, expr);
}

static void bind_list(Resolver *r, ExprList list) {
  for (size_t i = 0; i < list.count; i++) bind_opt(r, list.items[i]);
}

static void bind_defaults(Resolver *r, const Params *params) {
  for (size_t i = 0; i < params->count; i++) {
    bind_opt(r, params->items[i].default_value);
    bind_opt(r, params->items[i].annotation);
  }
}

// A walrus inside a comprehension binds in the scope around it.
static void bind_comp(Resolver *r, const Expr *expr) {
  bool outer = r->in_comp;
  for (size_t i = 0; i < expr->comp.clause_count; i++) {
    scope_bind_expr(r, expr->comp.clauses[i].iter);
    r->in_comp = true;
    bind_list(r, expr->comp.clauses[i].conditions);
  }
  bind_opt(r, expr->comp.element);
  bind_opt(r, expr->comp.value);
  r->in_comp = outer;
}

void scope_bind_expr(Resolver *r, const Expr *expr) {
  switch (expr->kind) {
  case EX_NAME:
    if (!r->in_comp) scope_binding(r, r->frame, scope_mangle(r, expr->name.name))->is_used = true;
    break;
  case EX_NAMED:
    scope_bind_expr(r, expr->named.value);
    scope_bind_name(r, expr->named.target->name.name);
    break;
  case EX_LAMBDA: bind_defaults(r, &expr->lambda.params); break;
  case EX_LIST_COMP:
  case EX_SET_COMP:
  case EX_DICT_COMP:
  case EX_GENERATOR: bind_comp(r, expr); break;
  default: scope_each_child(r, expr, bind_child);
  }
}

void scope_bind_target(Resolver *r, const Expr *target) {
  switch (target->kind) {
  case EX_NAME: scope_bind_name(r, target->name.name); break;
  case EX_TUPLE:
  case EX_LIST:
    for (size_t i = 0; i < target->elements.count; i++)
      scope_bind_target(r, target->elements.items[i]);
    break;
  case EX_STARRED: scope_bind_target(r, target->starred); break;
  default: scope_bind_expr(r, target);
  }
}

static void bind_targets(Resolver *r, ExprList targets) {
  for (size_t i = 0; i < targets.count; i++) scope_bind_target(r, targets.items[i]);
}

// ---- statements --------------------------------------------------------------------------------
static void declare(Resolver *r, const Stmt *stmt) {
  const char *what = stmt->kind == ST_GLOBAL ? "global" : "nonlocal";
  if (stmt->kind == ST_NONLOCAL && r->frame->kind == FRAME_MODULE) {
    mistake_report(r->session, MISTAKE_SYNTAX, stmt->span, "'nonlocal' outside a function");
    return;
  }
  for (size_t i = 0; i < stmt->names.count; i++) {
    Name name = scope_mangle(r, stmt->names.items[i]);
    stmt->names.items[i] = name;
    Binding *binding = scope_binding(r, r->frame, name);
    bool clashes = stmt->kind == ST_GLOBAL ? binding->is_nonlocal : binding->is_global;
    if (binding->is_param)
      mistake_report(r->session, MISTAKE_SYNTAX, stmt->span, "'%s' is a parameter and cannot be %s",
                     name->text, what);
    else if (clashes)
      mistake_report(r->session, MISTAKE_SYNTAX, stmt->span,
                     "'%s' is declared both global and nonlocal", name->text);
    else if (binding->is_bound || binding->is_used)
      mistake_report(r->session, MISTAKE_SYNTAX, stmt->span,
                     "'%s' is used before it is declared %s", name->text, what);
    else if (stmt->kind == ST_GLOBAL)
      binding->is_global = true;
    else
      binding->is_nonlocal = true;
  }
}

static void bind_imports(Resolver *r, const ImportName *names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    scope_bind_name(r, names[i].bind.name);
    scope_binding(r, r->frame, scope_mangle(r, names[i].bind.name))->is_imported = true;
  }
}

static void bind_definition(Resolver *r, const Stmt *stmt) {
  if (stmt->kind == ST_FUNCTION_DEF) {
    bind_list(r, stmt->function.decorators);
    bind_defaults(r, &stmt->function.params);
    bind_opt(r, stmt->function.returns);
    scope_bind_name(r, stmt->function.name);
    return;
  }
  bind_list(r, stmt->class_def.decorators);
  bind_list(r, stmt->class_def.bases);
  for (size_t i = 0; i < stmt->class_def.keyword_count; i++)
    scope_bind_expr(r, stmt->class_def.keywords[i].value);
  scope_bind_name(r, stmt->class_def.name);
}

static void bind_annotated(Resolver *r, const Stmt *stmt) {
  const Expr *target = stmt->ann_assign.target;
  if (target->kind == EX_NAME) {
    Name name = scope_mangle(r, target->name.name);
    const Binding *binding = map_get(r->frame->names, name);
    if (binding && (binding->is_global || binding->is_nonlocal) && r->frame->kind != FRAME_MODULE)
      mistake_report(r->session, MISTAKE_SYNTAX, target->span,
                     "'%s' is declared %s and cannot be annotated here", name->text,
                     binding->is_global ? "global" : "nonlocal");
  }
  scope_bind_expr(r, stmt->ann_assign.annotation);
  bind_opt(r, stmt->ann_assign.value);
  scope_bind_target(r, target);
}

static void bind_try(Resolver *r, const Stmt *stmt) {
  scope_bind_body(r, stmt->try_stmt.body);
  for (size_t i = 0; i < stmt->try_stmt.handler_count; i++) {
    const ExceptHandler *handler = &stmt->try_stmt.handlers[i];
    bind_opt(r, handler->type);
    if (handler->name) scope_bind_name(r, handler->name);
    scope_bind_body(r, handler->body);
  }
  scope_bind_body(r, stmt->try_stmt.orelse);
  scope_bind_body(r, stmt->try_stmt.final);
}

static void bind_simple(Resolver *r, const Stmt *stmt) {
  switch (stmt->kind) {
  case ST_RETURN:
  case ST_EXPR: bind_opt(r, stmt->value); break;
  case ST_DELETE: bind_targets(r, stmt->targets); break;
  case ST_ASSIGN:
    scope_bind_expr(r, stmt->assign.value);
    bind_targets(r, stmt->assign.targets);
    break;
  case ST_AUG_ASSIGN:
    scope_bind_expr(r, stmt->aug_assign.value);
    scope_bind_target(r, stmt->aug_assign.target);
    break;
  case ST_ANN_ASSIGN: bind_annotated(r, stmt); break;
  case ST_TYPE_ALIAS:
    scope_bind_expr(r, stmt->type_alias.value);
    scope_bind_name(r, stmt->type_alias.name);
    break;
  case ST_RAISE:
    bind_opt(r, stmt->raise.exc);
    bind_opt(r, stmt->raise.cause);
    break;
  case ST_ASSERT:
    scope_bind_expr(r, stmt->assert_stmt.test);
    bind_opt(r, stmt->assert_stmt.message);
    break;
  case ST_IMPORT: bind_imports(r, stmt->import.names, stmt->import.count); break;
  case ST_IMPORT_FROM:
    bind_imports(r, stmt->import_from.names, stmt->import_from.count);
    r->has_star |= stmt->import_from.is_star;
    break;
  case ST_GLOBAL:
  case ST_NONLOCAL: declare(r, stmt); break;
  default: break;
  }
}

static void bind_stmt(Resolver *r, const Stmt *stmt) {
  switch (stmt->kind) {
  case ST_FUNCTION_DEF:
  case ST_CLASS_DEF: bind_definition(r, stmt); break;
  case ST_FOR:
    scope_bind_expr(r, stmt->for_loop.iter);
    scope_bind_target(r, stmt->for_loop.target);
    scope_bind_body(r, stmt->for_loop.body);
    scope_bind_body(r, stmt->for_loop.orelse);
    break;
  case ST_WHILE:
    scope_bind_expr(r, stmt->while_loop.test);
    scope_bind_body(r, stmt->while_loop.body);
    scope_bind_body(r, stmt->while_loop.orelse);
    break;
  case ST_IF:
    scope_bind_expr(r, stmt->if_stmt.test);
    scope_bind_body(r, stmt->if_stmt.body);
    scope_bind_body(r, stmt->if_stmt.orelse);
    break;
  case ST_WITH:
    for (size_t i = 0; i < stmt->with.count; i++) {
      scope_bind_expr(r, stmt->with.items[i].context);
      if (stmt->with.items[i].target) scope_bind_target(r, stmt->with.items[i].target);
    }
    scope_bind_body(r, stmt->with.body);
    break;
  case ST_MATCH:
    scope_bind_expr(r, stmt->match.subject);
    for (size_t i = 0; i < stmt->match.count; i++) {
      scope_bind_pattern(r, stmt->match.cases[i].pattern);
      bind_opt(r, stmt->match.cases[i].guard);
      scope_bind_body(r, stmt->match.cases[i].body);
    }
    break;
  case ST_TRY: bind_try(r, stmt); break;
  default: bind_simple(r, stmt);
  }
}

void scope_bind_body(Resolver *r, StmtList body) {
  for (size_t i = 0; i < body.count; i++) bind_stmt(r, body.items[i]);
}
