// SPDX-License-Identifier: Apache-2.0
// The second half of name resolution: every name is looked up, every scope gets its slots.
#include "base/map.h"
#include "mistake.h"
#include "scope_resolver.h"
#include <stdlib.h>
#include <string.h>

static void resolve_expr(Resolver *r, Expr *expr);
static void resolve_body(Resolver *r, StmtList body);

// ---- looking up --------------------------------------------------------------------------------
// Marks the scopes that a closure keeps alive: those passed after the first function or generator
// boundary.
static void mark_captured(Frame *from, const Frame *owner, bool crosses) {
  for (Frame *frame = from; frame; frame = frame->parent) {
    if (frame_has_slots(frame)) {
      if (crosses) frame->is_captured = true;
      if (frame->kind != FRAME_COMP) crosses = true;
    }
    if (frame == owner) return;
  }
}

// Looks for a function scope that binds the name, from `frame` outwards.
static void search(Frame *frame, Name name, uint32_t depth, bool crosses, Binding *out) {
  Frame *from = frame;
  out->where = NAME_GLOBAL;
  out->index = NO_SLOT;
  for (; frame->kind != FRAME_MODULE; frame = frame->parent) {
    if (!frame_has_slots(frame)) continue; // functions do not see the names of a class around them
    Binding *binding = map_get(frame->names, name);
    if (binding && binding->is_global) return;
    if (binding && binding->is_bound && !binding->is_nonlocal) {
      binding->is_read = true;
      out->where = NAME_LOCAL;
      out->depth = depth;
      out->index = binding->slot;
      mark_captured(from, frame, crosses);
      return;
    }
    depth++;
  }
}

// The scopes from `frame` outwards, before the one that binds the name, have it as a free variable.
static void mark_free(Resolver *r, Frame *frame, Name name) {
  for (; frame->kind != FRAME_MODULE; frame = frame->parent) {
    if (!frame_has_slots(frame)) continue;
    const Binding *binding = map_get(frame->names, name);
    if (binding && binding->is_bound && !binding->is_nonlocal) return;
    size_t i = 0;
    while (i < frame->free.count && frame->free.items[i] != name) i++;
    if (i == frame->free.count) VEC_PUSH(r->scratch, &frame->free, name);
  }
}

static void look_up(Frame *frame, Name name, Binding *binding) {
  binding->is_found = true;
  binding->index = NO_SLOT;
  if (frame->kind == FRAME_MODULE || binding->is_global) {
    binding->where = NAME_GLOBAL;
  } else if (frame->kind == FRAME_CLASS) {
    if (!binding->is_bound || binding->is_nonlocal) search(frame->parent, name, 0, false, binding);
    if (!binding->is_nonlocal) binding->where = NAME_CLASS;
  } else if (binding->is_bound && !binding->is_nonlocal) {
    binding->where = NAME_LOCAL;
    binding->index = binding->slot;
  } else {
    search(frame->parent, name, 1, frame->kind != FRAME_COMP, binding);
  }
}

static Binding *resolve_ref(Resolver *r, NameRef *ref) {
  ref->name = scope_mangle(r, ref->name);
  Binding *binding = scope_binding(r, r->frame, ref->name);
  if (!binding->is_found) {
    look_up(r->frame, ref->name, binding);
    if (binding->index != NO_SLOT) mark_free(r, r->frame, ref->name);
  }
  ref->where = binding->where;
  ref->depth = binding->depth;
  ref->index = binding->index;
  return binding;
}

static Binding *module_binding(Resolver *r, Name name) {
  Frame *frame = r->frame;
  while (frame->parent) frame = frame->parent;
  return scope_binding(r, frame, name);
}

// What a function binds by `global` is the module's.
static void note_global(Resolver *r, Expr *expr, bool is_read) {
  if (!is_read)
    module_binding(r, expr->name.name)->is_bound = true;
  else if (!r->frame->guards)
    VEC_PUSH(r->scratch, r->reads,
             ((PlacedRead){{.name = expr->name.name, .span = expr->span}, r->frame}));
}

static void note_attribute(Resolver *r, const Expr *expr) {
  const Expr *value = expr->attribute.value;
  PlacedRead *last = r->reads->count ? &r->reads->items[r->reads->count - 1] : NULL;
  if (value->kind != EX_NAME || !last || last->read.span.begin != value->span.begin) return;
  last->read.attr = expr->attribute.attr;
  last->read.span = expr->span;
}

static void resolve_name(Resolver *r, Expr *expr, bool is_read) {
  Binding *binding = resolve_ref(r, &expr->name);
  if (r->reads && expr->name.where == NAME_GLOBAL) note_global(r, expr, is_read);
  if (expr->name.where == NAME_LOCAL && expr->name.depth == 0) expr->form = FORM_LOCAL;
  if (is_read)
    binding->is_read = true;
  else if (binding->assigned.begin == binding->assigned.end)
    binding->assigned = expr->span;
}

// ---- frames ------------------------------------------------------------------------------------
static Frame *enter(Resolver *r, FrameKind kind, Span span) {
  Frame *frame = ARENA_NEW(r->scratch, Frame);
  frame->kind = kind;
  frame->parent = r->frame;
  frame->names = map_new(r->scratch);
  frame->nesting = r->frame ? r->frame->nesting + 1 : 0;
  if (frame->nesting == SCOPE_MAX_NESTING)
    mistake_report(r->session, MISTAKE_SYNTAX, span,
                   "more than %d functions, classes and comprehensions inside each other",
                   SCOPE_MAX_NESTING);
  r->frame = frame;
  return frame;
}

static bool is_too_nested(const Resolver *r) { return r->frame->nesting >= SCOPE_MAX_NESTING; }

static bool is_variable_around(const Frame *frame, Name name) {
  for (frame = frame->parent; frame; frame = frame->parent) {
    const Binding *binding = frame->kind == FRAME_FUNCTION ? map_get(frame->names, name) : NULL;
    if (binding && binding->is_bound && !binding->is_global) return true;
  }
  return false;
}

static void find_unread(const Frame *frame, Scope *scope) {
  for (size_t i = 0; i < frame->slots.count && frame->kind == FRAME_FUNCTION; i++) {
    Name name = frame->slots.items[i];
    const Binding *binding = map_get(frame->names, name);
    if (binding->is_read || binding->assigned.begin == binding->assigned.end) continue;
    if (!binding->is_param && !is_variable_around(frame, name)) continue;
    scope->unread = name;
    scope->unread_span = binding->assigned;
    return;
  }
}

static int compare_names(const void *a, const void *b) {
  return strcmp((*(const Name *)a)->text, (*(const Name *)b)->text);
}

static Scope *leave(Resolver *r) {
  const Frame *frame = r->frame;
  r->frame = frame->parent;
  if (!frame_has_slots(frame)) return NULL;
  Scope *scope = ARENA_NEW(r->arena, Scope);
  scope->slot_count = (uint32_t)frame->slots.count;
  scope->varargs_slot = frame->varargs_slot;
  scope->keyword_only = frame->keyword_only;
  scope->slots = ARENA_ARRAY(r->arena, Name, frame->slots.count);
  for (size_t i = 0; i < frame->slots.count; i++) scope->slots[i] = frame->slots.items[i];
  scope->free_count = (uint32_t)frame->free.count;
  scope->free = ARENA_ARRAY(r->arena, Name, frame->free.count);
  for (size_t i = 0; i < frame->free.count; i++) scope->free[i] = frame->free.items[i];
  if (scope->free_count) qsort(scope->free, scope->free_count, sizeof(Name), compare_names);
  scope->is_captured = frame->is_captured;
  scope->is_generator = frame->is_generator;
  scope->is_resumable = frame->is_generator && !frame->has_inner_yield;
  scope->yield_nesting = frame->yield_nesting;
  scope->is_guarded = frame->is_guarded;
  find_unread(frame, scope);
  return scope;
}

// Each `nonlocal` name must be bound by a function around this one.
static void check_nonlocal(Resolver *r, const Stmt *stmt) {
  for (size_t i = 0; i < stmt->names.count; i++) {
    Name name = stmt->names.items[i];
    const Binding *declared = map_get(r->frame->names, name);
    if (!declared || !declared->is_nonlocal) continue; // refused already
    Binding found = {0};
    search(r->frame->parent, name, 0, false, &found);
    if (found.where != NAME_LOCAL)
      mistake_report(r->session, MISTAKE_SYNTAX, stmt->span,
                     "no function around this one binds '%s'", name->text);
  }
}

// ---- expressions -------------------------------------------------------------------------------
static void resolve_opt(Resolver *r, Expr *expr) {
  if (expr) resolve_expr(r, expr);
}

static void resolve_list(Resolver *r, ExprList list) {
  for (size_t i = 0; i < list.count; i++) resolve_opt(r, list.items[i]);
}

// Of a whole statement.
static void resolve_targets(Resolver *r, ExprList targets) {
  for (size_t i = 0; i < targets.count; i++)
    if (targets.items[i]->kind == EX_NAME)
      resolve_name(r, targets.items[i], false);
    else
      resolve_expr(r, targets.items[i]);
}

// Defaults and annotations belong to the scope around the function.
static void resolve_params(Resolver *r, const Params *params) {
  for (size_t i = 0; i < params->count; i++) {
    resolve_opt(r, params->items[i].default_value);
    resolve_opt(r, params->items[i].annotation);
    params->items[i].name = scope_mangle(r, params->items[i].name);
  }
}

static void resolve_lambda(Resolver *r, Expr *expr) {
  resolve_params(r, &expr->lambda.params);
  enter(r, FRAME_FUNCTION, expr->span);
  if (!is_too_nested(r)) {
    bool in_clause = r->in_clause, in_comp = r->in_comp;
    r->in_clause = r->in_comp = false;
    scope_bind_params(r, &expr->lambda.params);
    scope_bind_expr(r, expr->lambda.body);
    resolve_expr(r, expr->lambda.body);
    if (r->frame->yields) r->frame->has_inner_yield = true;
    r->in_clause = in_clause;
    r->in_comp = in_comp;
  }
  expr->lambda.scope = leave(r);
}

static void resolve_clause(Resolver *r, const Comprehension *clause, bool is_first) {
  if (!is_first) {
    bool outer = r->in_clause;
    r->in_clause = true;
    resolve_expr(r, clause->iter);
    r->in_clause = outer;
  }
  resolve_expr(r, clause->target);
  resolve_list(r, clause->conditions);
}

static void resolve_comp(Resolver *r, Expr *expr) {
  bool in_clause = r->in_clause;
  r->in_clause = true;
  resolve_expr(r, expr->comp.clauses[0].iter);
  r->in_clause = in_clause;
  enter(r, expr->kind == EX_GENERATOR ? FRAME_GENERATOR : FRAME_COMP, expr->span)->comp = expr;
  if (!is_too_nested(r)) {
    for (size_t i = 0; i < expr->comp.clause_count; i++)
      scope_bind_target(r, expr->comp.clauses[i].target);
    for (size_t i = 0; i < expr->comp.clause_count; i++)
      resolve_clause(r, &expr->comp.clauses[i], i == 0);
    resolve_opt(r, expr->comp.element);
    resolve_opt(r, expr->comp.value);
  }
  expr->comp.scope = leave(r);
}

// Inside comprehensions the name belongs to the scope around them all.
static void resolve_named(Resolver *r, Expr *expr) {
  Expr *target = expr->named.target;
  Name name = scope_mangle(r, target->name.name);
  const Frame *frame = r->frame;
  if (r->in_clause)
    mistake_report(r->session, MISTAKE_SYNTAX, expr->span,
                   "':=' cannot stand in the iterable of a comprehension");
  for (; frame->kind == FRAME_COMP || frame->kind == FRAME_GENERATOR; frame = frame->parent) {
    const Binding *binding = map_get(frame->names, name);
    if (!binding || !binding->is_bound) continue;
    mistake_report(r->session, MISTAKE_SYNTAX, target->span,
                   "':=' cannot assign to '%s', which a comprehension around it iterates with",
                   name->text);
    break;
  }
  if (frame->kind == FRAME_CLASS && frame != r->frame)
    mistake_report(r->session, MISTAKE_SYNTAX, expr->span,
                   "':=' cannot stand in a comprehension of a class body");
  resolve_expr(r, expr->named.value);
  resolve_expr(r, target);
}

static const char *outside_of_functions(const Frame *frame) {
  switch (frame->comp ? frame->comp->kind : EX_NAME) {
  case EX_LIST_COMP: return "inside list comprehension";
  case EX_SET_COMP: return "inside set comprehension";
  case EX_DICT_COMP: return "inside dict comprehension";
  case EX_GENERATOR: return "inside generator expression";
  default: return "outside function";
  }
}

static void resolve_yield(Resolver *r, Expr *expr) {
  Frame *frame = r->frame;
  if (frame->kind == FRAME_FUNCTION) {
    frame->is_generator = true;
    frame->yields++;
    if (frame->yield_nesting < frame->blocks) frame->yield_nesting = frame->blocks;
    if (frame->guards) frame->is_guarded = true;
  } else {
    mistake_report(r->session, MISTAKE_SYNTAX, expr->span, "'yield' %s",
                   outside_of_functions(frame));
  }
  scope_each_child(r, expr, resolve_expr);
}

static void resolve_expr(Resolver *r, Expr *expr) {
  switch (expr->kind) {
  case EX_NAME: resolve_name(r, expr, true); break;
  case EX_ATTRIBUTE:
    expr->attribute.attr = scope_mangle(r, expr->attribute.attr);
    resolve_expr(r, expr->attribute.value);
    if (r->reads) note_attribute(r, expr);
    break;
  case EX_LAMBDA: resolve_lambda(r, expr); break;
  case EX_LIST_COMP:
  case EX_SET_COMP:
  case EX_DICT_COMP:
  case EX_GENERATOR: resolve_comp(r, expr); break;
  case EX_NAMED: resolve_named(r, expr); break;
  case EX_YIELD:
  case EX_YIELD_FROM: resolve_yield(r, expr); break;
  default: scope_each_child(r, expr, resolve_expr);
  }
}

// ---- patterns ----------------------------------------------------------------------------------
static void resolve_pattern(Resolver *r, Pattern *pattern) {
  switch (pattern->kind) {
  case PT_VALUE: resolve_expr(r, pattern->value); break;
  case PT_SEQUENCE:
  case PT_OR:
    for (size_t i = 0; i < pattern->sub.count; i++) resolve_pattern(r, pattern->sub.items[i]);
    break;
  case PT_STAR:
    if (!pattern->star.is_wildcard) resolve_ref(r, &pattern->star.bind);
    break;
  case PT_AS:
    if (pattern->as.pattern) resolve_pattern(r, pattern->as.pattern);
    if (!pattern->as.is_wildcard) resolve_ref(r, &pattern->as.bind);
    break;
  case PT_MAPPING:
    for (size_t i = 0; i < pattern->mapping.count; i++) {
      resolve_expr(r, pattern->mapping.keys[i]);
      resolve_pattern(r, pattern->mapping.patterns[i]);
    }
    if (pattern->mapping.has_rest) resolve_ref(r, &pattern->mapping.rest);
    break;
  case PT_CLASS:
    resolve_expr(r, pattern->cls.cls);
    for (size_t i = 0; i < pattern->cls.count; i++) resolve_pattern(r, pattern->cls.patterns[i]);
    for (size_t i = 0; i < pattern->cls.kwd_count; i++)
      resolve_pattern(r, pattern->cls.kwd_patterns[i]);
    break;
  default: break;
  }
}

// ---- definitions -------------------------------------------------------------------------------
static void resolve_function(Resolver *r, Stmt *stmt) {
  resolve_list(r, stmt->function.decorators);
  PlacedReads *reads = r->reads;
  if (stmt->function.is_generic) r->reads = NULL; // type parameters are no names
  resolve_params(r, &stmt->function.params);
  resolve_opt(r, stmt->function.returns);
  r->reads = reads;
  resolve_ref(r, &stmt->function.bind);
  unsigned loops = r->loops, star = r->star;
  r->loops = r->star = 0;
  enter(r, FRAME_FUNCTION, stmt->function.name_span);
  if (!is_too_nested(r)) {
    scope_bind_params(r, &stmt->function.params);
    scope_bind_body(r, stmt->function.body);
    resolve_body(r, stmt->function.body);
  }
  stmt->function.scope = leave(r);
  r->loops = loops;
  r->star = star;
}

static void resolve_class(Resolver *r, Stmt *stmt) {
  resolve_list(r, stmt->class_def.decorators);
  resolve_list(r, stmt->class_def.bases);
  for (size_t i = 0; i < stmt->class_def.keyword_count; i++)
    resolve_expr(r, stmt->class_def.keywords[i].value);
  resolve_ref(r, &stmt->class_def.bind);
  unsigned loops = r->loops, star = r->star;
  Name class_name = r->class_name;
  r->loops = r->star = 0;
  r->class_name = stmt->class_def.name;
  enter(r, FRAME_CLASS, stmt->class_def.name_span);
  if (!is_too_nested(r)) {
    scope_bind_body(r, stmt->class_def.body);
    resolve_body(r, stmt->class_def.body);
  }
  leave(r);
  r->class_name = class_name;
  r->loops = loops;
  r->star = star;
}

// ---- statements --------------------------------------------------------------------------------
static void resolve_imports(Resolver *r, Stmt *stmt) {
  if (stmt->kind == ST_IMPORT) {
    for (size_t i = 0; i < stmt->import.count; i++) resolve_ref(r, &stmt->import.names[i].bind);
    return;
  }
  if (stmt->import_from.is_star && r->frame->kind != FRAME_MODULE)
    mistake_report(r->session, MISTAKE_SYNTAX, stmt->span,
                   "'import *' can only stand at the top of a module");
  for (size_t i = 0; i < stmt->import_from.count; i++)
    resolve_ref(r, &stmt->import_from.names[i].bind);
}

static void check_place(Resolver *r, const Stmt *stmt) {
  if (stmt->kind == ST_RETURN && r->frame->kind != FRAME_FUNCTION)
    mistake_report(r->session, MISTAKE_SYNTAX, stmt->span, "'return' outside function");
  bool leaves_loop = stmt->kind == ST_BREAK || stmt->kind == ST_CONTINUE;
  if (r->star && (leaves_loop ? r->loops < r->star : stmt->kind == ST_RETURN))
    mistake_report(r->session, MISTAKE_SYNTAX, stmt->span,
                   "'break', 'continue' and 'return' cannot appear in an 'except*' block");
  if (stmt->kind == ST_BREAK && !r->loops)
    mistake_report(r->session, MISTAKE_SYNTAX, stmt->span, "'break' outside a loop");
  if (stmt->kind == ST_CONTINUE && !r->loops)
    mistake_report(r->session, MISTAKE_SYNTAX, stmt->span, "'continue' outside a loop");
}

static void resolve_simple(Resolver *r, Stmt *stmt) {
  switch (stmt->kind) {
  case ST_RETURN:
  case ST_EXPR: resolve_opt(r, stmt->value); break;
  case ST_DELETE: resolve_list(r, stmt->targets); break;
  case ST_ASSIGN:
    resolve_expr(r, stmt->assign.value);
    resolve_targets(r, stmt->assign.targets);
    break;
  case ST_AUG_ASSIGN:
    resolve_expr(r, stmt->aug_assign.target);
    resolve_expr(r, stmt->aug_assign.value);
    break;
  case ST_ANN_ASSIGN:
    resolve_expr(r, stmt->ann_assign.annotation);
    resolve_opt(r, stmt->ann_assign.value);
    resolve_expr(r, stmt->ann_assign.target);
    break;
  case ST_TYPE_ALIAS:
    resolve_expr(r, stmt->type_alias.value);
    resolve_ref(r, &stmt->type_alias.bind);
    break;
  case ST_RAISE:
    resolve_opt(r, stmt->raise.exc);
    resolve_opt(r, stmt->raise.cause);
    break;
  case ST_ASSERT:
    resolve_expr(r, stmt->assert_stmt.test);
    resolve_opt(r, stmt->assert_stmt.message);
    break;
  case ST_IMPORT:
  case ST_IMPORT_FROM: resolve_imports(r, stmt); break;
  case ST_NONLOCAL: check_nonlocal(r, stmt); break;
  default: break;
  }
}

static bool is_yield(const Expr *expr) {
  return expr && (expr->kind == EX_YIELD || expr->kind == EX_YIELD_FROM);
}

// How many yields of a statement are where Scope.is_resumable has them; `nested` are in its blocks.
static unsigned count_whole_yields(const Stmt *stmt, unsigned nested) {
  switch (stmt->kind) {
  case ST_EXPR:
  case ST_RETURN: return is_yield(stmt->value);
  case ST_ASSIGN: return is_yield(stmt->assign.value);
  case ST_TRY:
    return stmt->try_stmt.handler_count && stmt->try_stmt.handlers[0].is_star ? 0 : nested;
  case ST_IF:
  case ST_FOR:
  case ST_WHILE:
  case ST_WITH:
  case ST_MATCH: return nested;
  default: return 0;
  }
}

// A block of a statement that `levels` are kept of while it runs (resume.c). Gives how many yields
// there are in it.
static unsigned resolve_block(Resolver *r, StmtList body, unsigned levels) {
  Frame *frame = r->frame;
  unsigned before = frame->yields;
  frame->blocks += levels;
  resolve_body(r, body);
  frame->blocks -= levels;
  return frame->yields - before;
}

static unsigned resolve_loop(Resolver *r, StmtList body, StmtList orelse) {
  r->loops++;
  unsigned yields = resolve_block(r, body, 1);
  r->loops--;
  return yields + resolve_block(r, orelse, 1);
}

static unsigned resolve_with(Resolver *r, Stmt *stmt) {
  for (size_t i = 0; i < stmt->with.count; i++) {
    resolve_expr(r, stmt->with.items[i].context);
    resolve_opt(r, stmt->with.items[i].target);
  }
  r->frame->guards++;
  unsigned yields = resolve_block(r, stmt->with.body, (unsigned)stmt->with.count);
  r->frame->guards--;
  return yields;
}

static unsigned resolve_try(Resolver *r, Stmt *stmt) {
  unsigned levels = stmt->try_stmt.final.count ? 2 : 1, yields = 0;
  r->frame->guards++;
  yields += resolve_block(r, stmt->try_stmt.body, levels);
  for (size_t i = 0; i < stmt->try_stmt.handler_count; i++) {
    ExceptHandler *handler = &stmt->try_stmt.handlers[i];
    resolve_opt(r, handler->type);
    if (handler->name) {
      resolve_ref(r, &handler->bind);
      handler->name = handler->bind.name;
    }
    unsigned star = r->star;
    if (handler->is_star) r->star = 1 + r->loops;
    yields += resolve_block(r, handler->body, levels);
    r->star = star;
  }
  yields += resolve_block(r, stmt->try_stmt.orelse, levels);
  yields += resolve_block(r, stmt->try_stmt.final, 1);
  r->frame->guards--;
  return yields;
}

static unsigned resolve_match(Resolver *r, Stmt *stmt) {
  scope_check_match(r, stmt);
  resolve_expr(r, stmt->match.subject);
  unsigned yields = 0;
  for (size_t i = 0; i < stmt->match.count; i++) {
    MatchCase *one = &stmt->match.cases[i];
    resolve_pattern(r, one->pattern);
    resolve_opt(r, one->guard);
    yields += resolve_block(r, one->body, 1);
  }
  return yields;
}

// Gives how many yields there are in its blocks.
static unsigned resolve_by_kind(Resolver *r, Stmt *stmt) {
  switch (stmt->kind) {
  case ST_FUNCTION_DEF: resolve_function(r, stmt); break;
  case ST_CLASS_DEF: resolve_class(r, stmt); break;
  case ST_FOR:
    resolve_expr(r, stmt->for_loop.iter);
    resolve_expr(r, stmt->for_loop.target);
    return resolve_loop(r, stmt->for_loop.body, stmt->for_loop.orelse);
  case ST_WHILE:
    resolve_expr(r, stmt->while_loop.test);
    return resolve_loop(r, stmt->while_loop.body, stmt->while_loop.orelse);
  case ST_IF:
    resolve_expr(r, stmt->if_stmt.test);
    return resolve_block(r, stmt->if_stmt.body, 1) + resolve_block(r, stmt->if_stmt.orelse, 1);
  case ST_WITH: return resolve_with(r, stmt);
  case ST_MATCH: return resolve_match(r, stmt);
  case ST_TRY: return resolve_try(r, stmt);
  default: resolve_simple(r, stmt);
  }
  return 0;
}

static void resolve_stmt(Resolver *r, Stmt *stmt) {
  check_place(r, stmt);
  Frame *frame = r->frame;
  unsigned before = frame->yields, nested = resolve_by_kind(r, stmt);
  unsigned count = frame->yields - before;
  stmt->yields = count > 0;
  if (count > count_whole_yields(stmt, nested)) frame->has_inner_yield = true;
}

static void resolve_body(Resolver *r, StmtList body) {
  for (size_t i = 0; i < body.count; i++) resolve_stmt(r, body.items[i]);
}

void scope_resolve(Session *session, Module *module) {
  Resolver r = {.session = session, .arena = module->arena};
  r.scratch = session_scratch(session);
  ArenaMark mark = arena_mark(r.scratch);
  enter(&r, FRAME_MODULE, (Span){0});
  scope_bind_body(&r, module->body);
  resolve_body(&r, module->body);
  leave(&r);
  arena_release(r.scratch, mark);
}

void syntax_each_global(Session *session, const Module *module,
                        void (*found)(void *data, Name name, bool is_imported), void *data) {
  Resolver r = {.session = session, .arena = module->arena};
  r.scratch = session_scratch(session);
  ArenaMark mark = arena_mark(r.scratch);
  enter(&r, FRAME_MODULE, (Span){0});
  scope_bind_body(&r, module->body);
  const void *name;
  void *binding;
  for (size_t it = 0; map_next(r.frame->names, &it, &name, &binding);)
    if (((const Binding *)binding)->is_bound)
      found(data, name, ((const Binding *)binding)->is_imported);
  if (r.has_star) found(data, NULL, true);
  leave(&r);
  arena_release(r.scratch, mark);
}

// The tree is one of its own, for a tree that runs keeps what was looked up.
void syntax_each_global_read(Session *session, SourceFile *file, Arena *arena,
                             void (*found)(void *data, const GlobalRead *read), void *data) {
  Module *module = syntax_parse_made(session, file, arena);
  Resolver r = {.session = session, .arena = arena, .reads = &(PlacedReads){0}};
  r.scratch = session_scratch(session);
  ArenaMark mark = arena_mark(r.scratch);
  enter(&r, FRAME_MODULE, (Span){0});
  scope_bind_body(&r, module->body);
  resolve_body(&r, module->body);
  for (size_t i = 0; i < r.reads->count && !r.has_star; i++) {
    PlacedRead *placed = &r.reads->items[i];
    placed->read.is_unbound = !module_binding(&r, placed->read.name)->is_bound;
    if (!placed->read.attr && !placed->read.is_unbound) continue;
    const Frame *around = placed->frame;
    while (around->kind != FRAME_FUNCTION && around->parent) around = around->parent;
    placed->read.own = around->slots.items;
    placed->read.own_count = around->slots.count;
    found(data, &placed->read);
  }
  leave(&r);
  arena_release(r.scratch, mark);
}
