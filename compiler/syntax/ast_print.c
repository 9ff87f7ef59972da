// SPDX-License-Identifier: Apache-2.0
// The tree as text, one node a line:
//   Return 2:3-2:15
//     value: BinOp 2:10-2:15 +
//       left: Name 2:10-2:11 'x' @0.0
//       right: Int 2:14-2:15 1
// Fields are labelled as in Python's ast module. After a name: @depth.index of its slot, @global or
// @class.
#include "base/buf.h"
#include "ast.h"
#include "literals.h"

static const char *const expr_names[] = {
#define EXPR(id, text, fields) text,
#define STMT(id, text, fields)
#define PATTERN(id, text, fields)
#include "ast.def"
#undef EXPR
#undef STMT
};
static const char *const stmt_names[] = {
#define EXPR(id, text, fields)
#define STMT(id, text, fields) text,
#include "ast.def"
#undef STMT
#undef PATTERN
};
static const char *const pattern_names[] = {
#define STMT(id, text, fields)
#define PATTERN(id, text, fields) text,
#include "ast.def"
#undef EXPR
#undef STMT
#undef PATTERN
};

const char *binary_op_text(BinaryOp op) {
  static const char *const texts[] = {
#define BINARY(id, text, method, function) text,
#include "operators.def"
  };
  return texts[op];
}

const char *unary_op_text(UnaryOp op) {
  static const char *const texts[UN_COUNT] = {"-", "+", "~", "not"};
  return texts[op];
}

const char *compare_op_text(CompareOp op) {
  static const char *const texts[] = {
#define COMPARE(id, text, method) text,
#define COMPARE_WITHOUT(id, text) text,
#include "operators.def"
  };
  return texts[op];
}

// ---- lines -------------------------------------------------------------------------------------
typedef struct Printer {
  const SourceFile *file;
  Buf *out;
  unsigned level;
} Printer;

static void put_expr(Printer *p, const char *label, const Expr *expr);
static void put_stmt(Printer *p, const char *label, const Stmt *stmt);
static void put_pattern(Printer *p, const char *label, const Pattern *pattern);

static void begin(Printer *p, const char *label, const char *kind) {
  buf_pad(p->out, ' ', (size_t)p->level * 2);
  if (label) buf_printf(p->out, "%s: ", label);
  buf_c(p->out, kind);
}

static void put_begin(Printer *p, Span span) {
  LineCol at = source_line_col(p->file, span.begin);
  buf_printf(p->out, " %u:%u", at.line, at.column);
}

static void put_span(Printer *p, Span span) {
  put_begin(p, span);
  LineCol at = source_line_col(p->file, span.end);
  buf_printf(p->out, "-%u:%u", at.line, at.column);
}

static void put_name(Printer *p, Name name) { buf_printf(p->out, " '%s'", name->text); }

static void put_ref(Printer *p, const NameRef *ref) {
  put_name(p, ref->name);
  if (ref->where == NAME_GLOBAL) buf_c(p->out, " @global");
  if (ref->where == NAME_CLASS) buf_c(p->out, " @class");
  if (ref->where == NAME_LOCAL || (ref->where == NAME_CLASS && ref->index != NO_SLOT))
    buf_printf(p->out, "%s%u.%u", ref->where == NAME_CLASS ? ":" : " @", ref->depth, ref->index);
}

static void end(Printer *p) { buf_char(p->out, '\n'); }

static void put_list(Printer *p, const char *label, ExprList list) {
  for (size_t i = 0; i < list.count; i++) put_expr(p, label, list.items[i]);
}

static void put_body(Printer *p, const char *label, StmtList list) {
  for (size_t i = 0; i < list.count; i++) put_stmt(p, label, list.items[i]);
}

static void put_opt(Printer *p, const char *label, const Expr *expr) {
  if (expr) put_expr(p, label, expr);
}

static void put_scope(Printer *p, const Scope *scope) {
  if (!scope || !scope->slot_count) return;
  begin(p, "slots", scope->is_captured ? "captured" : "own");
  for (uint32_t i = 0; i < scope->slot_count; i++) put_name(p, scope->slots[i]);
  end(p);
}

// ---- parts -------------------------------------------------------------------------------------
static void put_params(Printer *p, const Params *params) {
  for (size_t i = 0; i < params->count; i++) {
    const Param *param = &params->items[i];
    bool is_kwargs = params->has_kwargs && i + 1 == params->count;
    bool is_varargs = params->has_varargs && i == params->positional;
    const char *label = i < params->positional_only ? "posonlyargs"
                        : i < params->positional    ? "args"
                        : is_varargs                ? "vararg"
                        : is_kwargs                 ? "kwarg"
                                                    : "kwonlyargs";
    begin(p, label, "arg");
    put_span(p, param->span);
    put_name(p, param->name);
    end(p);
    p->level++;
    put_opt(p, "annotation", param->annotation);
    put_opt(p, "default", param->default_value);
    p->level--;
  }
}

static void put_keywords(Printer *p, const Keyword *keywords, size_t count) {
  for (size_t i = 0; i < count; i++) {
    begin(p, "keywords", "keyword");
    put_begin(p, keywords[i].span);
    if (keywords[i].name) put_name(p, keywords[i].name);
    end(p);
    p->level++;
    put_expr(p, "value", keywords[i].value);
    p->level--;
  }
}

static void put_clauses(Printer *p, const Expr *expr) {
  put_expr(p, expr->kind == EX_DICT_COMP ? "key" : "elt", expr->comp.element);
  put_opt(p, "value", expr->comp.value);
  for (size_t i = 0; i < expr->comp.clause_count; i++) {
    const Comprehension *clause = &expr->comp.clauses[i];
    begin(p, "generators", "comprehension");
    end(p);
    p->level++;
    put_expr(p, "target", clause->target);
    put_expr(p, "iter", clause->iter);
    put_list(p, "ifs", clause->conditions);
    p->level--;
  }
  put_scope(p, expr->comp.scope);
}

// Text before a field and the text of {x=} are one literal, as in Python's tree.
static void put_parts(Printer *p, const Expr *expr) {
  Buf text;
  buf_init(&text, p->out->arena);
  for (size_t i = 0; i <= expr->joined_str.count; i++) {
    const FStringPart *part = i < expr->joined_str.count ? &expr->joined_str.parts[i] : NULL;
    if (part) buf_str(&text, part->text);
    if (part && !part->value) continue;
    if (text.len) {
      begin(p, "values", "Str ");
      strings_repr(p->out, buf_view(&text), false);
      end(p);
      text.len = 0;
    }
    if (!part) break;
    begin(p, "values", "FormattedValue");
    if (part->conversion) buf_printf(p->out, " !%c", part->conversion);
    end(p);
    p->level++;
    put_expr(p, "value", part->value);
    put_opt(p, "format_spec", part->format);
    p->level--;
  }
}

static void put_dict(Printer *p, const Expr *expr) {
  for (size_t i = 0; i < expr->dict.keys.count; i++) {
    if (expr->dict.keys.items[i]) {
      put_expr(p, "keys", expr->dict.keys.items[i]);
    } else {
      begin(p, "keys", "**");
      end(p);
    }
    put_expr(p, "values", expr->dict.values.items[i]);
  }
}

// ---- expressions -------------------------------------------------------------------------------
// What stands on the node's own line.
static void put_scalars(Printer *p, const Expr *expr) {
  switch (expr->kind) {
  case EX_INT:
    buf_char(p->out, ' ');
    buf_str(p->out,
            numbers_decimal(p->out->arena, expr->int_literal.digits, expr->int_literal.base));
    break;
  case EX_FLOAT:
  case EX_IMAGINARY:
    buf_char(p->out, ' ');
    buf_double(p->out, expr->float_literal);
    break;
  case EX_STR:
  case EX_BYTES:
    buf_char(p->out, ' ');
    strings_repr(p->out, expr->string, expr->kind == EX_BYTES);
    break;
  case EX_BOOL: buf_c(p->out, expr->boolean ? " True" : " False"); break;
  case EX_NAME: put_ref(p, &expr->name); break;
  case EX_ATTRIBUTE: put_name(p, expr->attribute.attr); break;
  case EX_BINARY: buf_printf(p->out, " %s", binary_op_text(expr->binary.op)); break;
  case EX_UNARY: buf_printf(p->out, " %s", unary_op_text(expr->unary.op)); break;
  case EX_BOOL_OP: buf_c(p->out, expr->bool_op.is_and ? " and" : " or"); break;
  case EX_COMPARE:
    for (size_t i = 0; i < expr->compare.count; i++)
      buf_printf(p->out, " %s", compare_op_text(expr->compare.ops[i]));
    break;
  default: break;
  }
}

static void put_operands(Printer *p, const Expr *expr) {
  switch (expr->kind) {
  case EX_BINARY:
    put_expr(p, "left", expr->binary.left);
    put_expr(p, "right", expr->binary.right);
    break;
  case EX_UNARY: put_expr(p, "operand", expr->unary.operand); break;
  case EX_BOOL_OP: put_list(p, "values", expr->bool_op.values); break;
  case EX_COMPARE:
    put_expr(p, "left", expr->compare.left);
    put_list(p, "comparators", (ExprList){expr->compare.comparators, expr->compare.count});
    break;
  case EX_IF_EXP:
    put_expr(p, "test", expr->if_exp.test);
    put_expr(p, "body", expr->if_exp.body);
    put_expr(p, "orelse", expr->if_exp.orelse);
    break;
  default: break;
  }
}

static void put_children(Printer *p, const Expr *expr) {
  switch (expr->kind) {
  case EX_JOINED_STR: put_parts(p, expr); break;
  case EX_ATTRIBUTE: put_expr(p, "value", expr->attribute.value); break;
  case EX_SUBSCRIPT:
    put_expr(p, "value", expr->subscript.value);
    put_expr(p, "slice", expr->subscript.index);
    break;
  case EX_SLICE:
    put_opt(p, "lower", expr->slice.lower);
    put_opt(p, "upper", expr->slice.upper);
    put_opt(p, "step", expr->slice.step);
    break;
  case EX_CALL:
    put_expr(p, "func", expr->call.func);
    put_list(p, "args", expr->call.args);
    put_keywords(p, expr->call.keywords, expr->call.keyword_count);
    break;
  case EX_LAMBDA:
    put_params(p, &expr->lambda.params);
    put_expr(p, "body", expr->lambda.body);
    put_scope(p, expr->lambda.scope);
    break;
  case EX_TUPLE:
  case EX_LIST:
  case EX_SET: put_list(p, "elts", expr->elements); break;
  case EX_DICT: put_dict(p, expr); break;
  case EX_LIST_COMP:
  case EX_SET_COMP:
  case EX_DICT_COMP:
  case EX_GENERATOR: put_clauses(p, expr); break;
  case EX_STARRED: put_expr(p, "value", expr->starred); break;
  case EX_YIELD:
  case EX_YIELD_FROM: put_opt(p, "value", expr->yielded); break;
  case EX_NAMED:
    put_expr(p, "target", expr->named.target);
    put_expr(p, "value", expr->named.value);
    break;
  default: put_operands(p, expr);
  }
}

static void put_expr(Printer *p, const char *label, const Expr *expr) {
  begin(p, label, expr_names[expr->kind]);
  put_span(p, expr->span);
  put_scalars(p, expr);
  end(p);
  p->level++;
  put_children(p, expr);
  p->level--;
}

// ---- patterns ----------------------------------------------------------------------------------
static void put_pattern_children(Printer *p, const Pattern *pattern) {
  switch (pattern->kind) {
  case PT_VALUE: put_expr(p, "value", pattern->value); break;
  case PT_SEQUENCE:
  case PT_OR:
    for (size_t i = 0; i < pattern->sub.count; i++)
      put_pattern(p, "patterns", pattern->sub.items[i]);
    break;
  case PT_AS:
    if (pattern->as.pattern) put_pattern(p, "pattern", pattern->as.pattern);
    break;
  case PT_MAPPING:
    for (size_t i = 0; i < pattern->mapping.count; i++) {
      put_expr(p, "keys", pattern->mapping.keys[i]);
      put_pattern(p, "patterns", pattern->mapping.patterns[i]);
    }
    break;
  case PT_CLASS:
    put_expr(p, "cls", pattern->cls.cls);
    for (size_t i = 0; i < pattern->cls.count; i++)
      put_pattern(p, "patterns", pattern->cls.patterns[i]);
    for (size_t i = 0; i < pattern->cls.kwd_count; i++)
      put_pattern(p, pattern->cls.kwd_names[i]->text, pattern->cls.kwd_patterns[i]);
    break;
  default: break;
  }
}

static void put_pattern(Printer *p, const char *label, const Pattern *pattern) {
  begin(p, label, pattern_names[pattern->kind]);
  put_span(p, pattern->span);
  if (pattern->kind == PT_STAR && !pattern->star.is_wildcard) put_ref(p, &pattern->star.bind);
  if (pattern->kind == PT_AS && !pattern->as.is_wildcard) put_ref(p, &pattern->as.bind);
  if (pattern->kind == PT_MAPPING && pattern->mapping.has_rest) put_ref(p, &pattern->mapping.rest);
  end(p);
  p->level++;
  put_pattern_children(p, pattern);
  p->level--;
}

// ---- statements --------------------------------------------------------------------------------
static void put_path(Printer *p, Name const *path, size_t count) {
  buf_c(p->out, " '");
  for (size_t i = 0; i < count; i++) buf_printf(p->out, "%s%s", i ? "." : "", path[i]->text);
  buf_char(p->out, '\'');
}

static void put_aliases(Printer *p, const ImportName *names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    begin(p, "names", "alias");
    put_span(p, names[i].span);
    put_path(p, names[i].path, names[i].path_count);
    if (names[i].as) {
      buf_c(p->out, " as");
      put_name(p, names[i].as);
    }
    NameRef bind = names[i].bind;
    if (bind.where != NAME_UNRESOLVED) {
      buf_c(p->out, " binds");
      put_ref(p, &bind);
    }
    end(p);
  }
}

static void put_stmt_scalars(Printer *p, const Stmt *stmt) {
  switch (stmt->kind) {
  case ST_FUNCTION_DEF: put_ref(p, &stmt->function.bind); break;
  case ST_CLASS_DEF: put_ref(p, &stmt->class_def.bind); break;
  case ST_TYPE_ALIAS: put_ref(p, &stmt->type_alias.bind); break;
  case ST_AUG_ASSIGN: buf_printf(p->out, " %s", binary_op_text(stmt->aug_assign.op)); break;
  case ST_IMPORT_FROM:
    buf_printf(p->out, " %u", stmt->import_from.level);
    if (stmt->import_from.module_count)
      put_path(p, stmt->import_from.module, stmt->import_from.module_count);
    if (stmt->import_from.is_star) buf_c(p->out, " *");
    break;
  case ST_GLOBAL:
  case ST_NONLOCAL:
    for (size_t i = 0; i < stmt->names.count; i++) put_name(p, stmt->names.items[i]);
    break;
  default: break;
  }
}

static void put_try(Printer *p, const Stmt *stmt) {
  put_body(p, "body", stmt->try_stmt.body);
  for (size_t i = 0; i < stmt->try_stmt.handler_count; i++) {
    const ExceptHandler *handler = &stmt->try_stmt.handlers[i];
    begin(p, "handlers", "ExceptHandler");
    put_span(p, handler->span);
    if (handler->name) put_ref(p, &handler->bind);
    end(p);
    p->level++;
    put_opt(p, "type", handler->type);
    put_body(p, "body", handler->body);
    p->level--;
  }
  put_body(p, "orelse", stmt->try_stmt.orelse);
  put_body(p, "finalbody", stmt->try_stmt.final);
}

static void put_with(Printer *p, const Stmt *stmt) {
  for (size_t i = 0; i < stmt->with.count; i++) {
    begin(p, "items", "withitem");
    end(p);
    p->level++;
    put_expr(p, "context_expr", stmt->with.items[i].context);
    put_opt(p, "optional_vars", stmt->with.items[i].target);
    p->level--;
  }
  put_body(p, "body", stmt->with.body);
}

static void put_match(Printer *p, const Stmt *stmt) {
  put_expr(p, "subject", stmt->match.subject);
  for (size_t i = 0; i < stmt->match.count; i++) {
    const MatchCase *one = &stmt->match.cases[i];
    begin(p, "cases", "match_case");
    end(p);
    p->level++;
    put_pattern(p, "pattern", one->pattern);
    put_opt(p, "guard", one->guard);
    put_body(p, "body", one->body);
    p->level--;
  }
}

static void put_definition(Printer *p, const Stmt *stmt) {
  if (stmt->kind == ST_FUNCTION_DEF) {
    put_params(p, &stmt->function.params);
    put_body(p, "body", stmt->function.body);
    put_list(p, "decorator_list", stmt->function.decorators);
    put_opt(p, "returns", stmt->function.returns);
    put_scope(p, stmt->function.scope);
  } else {
    put_list(p, "bases", stmt->class_def.bases);
    put_keywords(p, stmt->class_def.keywords, stmt->class_def.keyword_count);
    put_body(p, "body", stmt->class_def.body);
    put_list(p, "decorator_list", stmt->class_def.decorators);
  }
}

static void put_simple_children(Printer *p, const Stmt *stmt) {
  switch (stmt->kind) {
  case ST_RETURN:
  case ST_EXPR: put_opt(p, "value", stmt->value); break;
  case ST_DELETE: put_list(p, "targets", stmt->targets); break;
  case ST_ASSIGN:
    put_list(p, "targets", stmt->assign.targets);
    put_expr(p, "value", stmt->assign.value);
    break;
  case ST_AUG_ASSIGN:
    put_expr(p, "target", stmt->aug_assign.target);
    put_expr(p, "value", stmt->aug_assign.value);
    break;
  case ST_ANN_ASSIGN:
    put_expr(p, "target", stmt->ann_assign.target);
    put_expr(p, "annotation", stmt->ann_assign.annotation);
    put_opt(p, "value", stmt->ann_assign.value);
    break;
  case ST_TYPE_ALIAS: put_expr(p, "value", stmt->type_alias.value); break;
  case ST_RAISE:
    put_opt(p, "exc", stmt->raise.exc);
    put_opt(p, "cause", stmt->raise.cause);
    break;
  case ST_ASSERT:
    put_expr(p, "test", stmt->assert_stmt.test);
    put_opt(p, "msg", stmt->assert_stmt.message);
    break;
  case ST_IMPORT: put_aliases(p, stmt->import.names, stmt->import.count); break;
  case ST_IMPORT_FROM: put_aliases(p, stmt->import_from.names, stmt->import_from.count); break;
  default: break;
  }
}

static void put_stmt_children(Printer *p, const Stmt *stmt) {
  switch (stmt->kind) {
  case ST_FUNCTION_DEF:
  case ST_CLASS_DEF: put_definition(p, stmt); break;
  case ST_FOR:
    put_expr(p, "target", stmt->for_loop.target);
    put_expr(p, "iter", stmt->for_loop.iter);
    put_body(p, "body", stmt->for_loop.body);
    put_body(p, "orelse", stmt->for_loop.orelse);
    break;
  case ST_WHILE:
    put_expr(p, "test", stmt->while_loop.test);
    put_body(p, "body", stmt->while_loop.body);
    put_body(p, "orelse", stmt->while_loop.orelse);
    break;
  case ST_IF:
    put_expr(p, "test", stmt->if_stmt.test);
    put_body(p, "body", stmt->if_stmt.body);
    put_body(p, "orelse", stmt->if_stmt.orelse);
    break;
  case ST_WITH: put_with(p, stmt); break;
  case ST_MATCH: put_match(p, stmt); break;
  case ST_TRY: put_try(p, stmt); break;
  default: put_simple_children(p, stmt);
  }
}

static bool has_star(const Stmt *stmt) {
  return stmt->kind == ST_TRY && stmt->try_stmt.handler_count && stmt->try_stmt.handlers[0].is_star;
}

static void put_stmt(Printer *p, const char *label, const Stmt *stmt) {
  begin(p, label, has_star(stmt) ? "TryStar" : stmt_names[stmt->kind]);
  put_span(p, stmt->span);
  put_stmt_scalars(p, stmt);
  end(p);
  p->level++;
  put_stmt_children(p, stmt);
  p->level--;
}

void ast_print(const Module *module, Buf *out) {
  Printer printer = {module->file, out, 1};
  buf_c(out, "Module\n");
  put_body(&printer, "body", module->body);
}
