// SPDX-License-Identifier: Apache-2.0
// Python's text of an expression, with the parentheses that Python's ast.unparse would write.
#include <string.h>

#include "base/buf.h"
#include "base/unicode.h"
#include "ast.h"
#include "literals.h"

// From the loosest binding to the tightest.
typedef enum Precedence {
  PREC_NAMED,
  PREC_TUPLE,
  PREC_YIELD,
  PREC_TEST,
  PREC_OR,
  PREC_AND,
  PREC_NOT,
  PREC_CMP,
  PREC_BOR,
  PREC_BXOR,
  PREC_BAND,
  PREC_SHIFT,
  PREC_ARITH,
  PREC_TERM,
  PREC_FACTOR,
  PREC_POWER,
  PREC_AWAIT,
  PREC_ATOM,
} Precedence;

static void put(Buf *out, const Expr *expr, Precedence outer);

static Precedence tighter(Precedence precedence) {
  return precedence == PREC_ATOM ? PREC_ATOM : (Precedence)(precedence + 1);
}

static void put_commas(Buf *out, ExprList list) {
  for (size_t i = 0; i < list.count; i++) {
    if (i) buf_c(out, ", ");
    put(out, list.items[i], PREC_TEST);
  }
}

// A list of one has a comma after it.
static void put_items(Buf *out, ExprList list) {
  put_commas(out, list);
  if (list.count == 1) buf_char(out, ',');
}

// ---- numbers and strings -----------------------------------------------------------------------
static void put_float(Buf *out, double value, bool is_imaginary) {
  if (value > 0x1.fffffffffffffp1023) {
    buf_c(out, "1e309");
  } else {
    buf_double(out, value);
    if (is_imaginary && str_ends_with(buf_view(out), STR(".0"))) out->len -= 2;
  }
  if (is_imaginary) buf_char(out, 'j');
}

// Literal text of an f-string with its escapes; braces are doubled.
static void put_escaped(Buf *out, Str text) {
  for (size_t at = 0; at < text.len;) {
    size_t begin = at;
    uint32_t code = utf8_decode(text, &at);
    if (code == '{' || code == '}') {
      buf_char(out, (char)code);
      buf_char(out, (char)code);
    } else if (code == '\\' || code == '\n' || code == '\t' || code == '\r') {
      buf_c(out, code == '\\' ? "\\\\" : code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r");
    } else if (code == UTF8_BAD || !unicode_is_printable(code)) {
      if (code == UTF8_BAD) code = (unsigned char)text.data[begin];
      buf_printf(out, code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
    } else {
      buf_str(out, (Str){text.data + begin, at - begin});
    }
  }
}

static void put_field(Buf *out, const FStringPart *part);

static void put_parts(Buf *out, const Expr *joined, bool texts_only) {
  for (size_t i = 0; i < joined->joined_str.count; i++) {
    const FStringPart *part = &joined->joined_str.parts[i];
    put_escaped(out, part->text);
    if (part->value && !texts_only) put_field(out, part);
  }
}

static void put_field(Buf *out, const FStringPart *part) {
  Buf inner;
  buf_init(&inner, out->arena);
  put(&inner, part->value, PREC_OR);
  Str text = buf_view(&inner);
  buf_c(out, text.len && text.data[0] == '{' ? "{ " : "{");
  buf_str(out, text);
  if (part->conversion) buf_printf(out, "!%c", part->conversion);
  if (part->format) {
    buf_char(out, ':');
    put_parts(out, part->format, false);
  }
  buf_char(out, '}');
}

static bool contains(Str text, const char *quote) {
  size_t len = strlen(quote);
  for (size_t i = 0; i + len <= text.len; i++)
    if (memcmp(text.data + i, quote, len) == 0) return true;
  return false;
}

// The first kind of quotes that the literal text neither holds nor ends with.
static void put_joined(Buf *out, const Expr *expr) {
  static const char *const quotes[] = {"'", "\"", "\"\"\"", "'''"};
  Buf texts;
  buf_init(&texts, out->arena);
  put_parts(&texts, expr, true);
  Str text = buf_view(&texts);
  size_t kind = 0;
  while (kind + 1 < COUNT_OF(quotes) &&
         (contains(text, quotes[kind]) ||
          (strlen(quotes[kind]) == 3 && text.len && text.data[text.len - 1] == quotes[kind][0])))
    kind++;
  buf_printf(out, "f%s", quotes[kind]);
  put_parts(out, expr, false);
  buf_c(out, quotes[kind]);
}

// ---- operators ---------------------------------------------------------------------------------
static Precedence precedence_of(const Expr *expr) {
  static const Precedence binary[BIN_COUNT] = {
      [BIN_ADD] = PREC_ARITH, [BIN_SUB] = PREC_ARITH,      [BIN_MUL] = PREC_TERM,
      [BIN_DIV] = PREC_TERM,  [BIN_FLOOR_DIV] = PREC_TERM, [BIN_MOD] = PREC_TERM,
      [BIN_POW] = PREC_POWER, [BIN_MATMUL] = PREC_TERM,    [BIN_SHL] = PREC_SHIFT,
      [BIN_SHR] = PREC_SHIFT, [BIN_AND] = PREC_BAND,       [BIN_OR] = PREC_BOR,
      [BIN_XOR] = PREC_BXOR,
  };
  switch (expr->kind) {
  case EX_BINARY: return binary[expr->binary.op];
  case EX_UNARY: return expr->unary.op == UN_NOT ? PREC_NOT : PREC_FACTOR;
  case EX_BOOL_OP: return expr->bool_op.is_and ? PREC_AND : PREC_OR;
  case EX_COMPARE: return PREC_CMP;
  case EX_IF_EXP:
  case EX_LAMBDA: return PREC_TEST;
  case EX_TUPLE: return expr->elements.count ? PREC_TUPLE : PREC_NAMED;
  case EX_NAMED: return PREC_NAMED;
  case EX_YIELD:
  case EX_YIELD_FROM: return PREC_YIELD;
  default: return PREC_ATOM;
  }
}

static void put_binary(Buf *out, const Expr *expr, Precedence own) {
  bool is_right = expr->binary.op == BIN_POW;
  put(out, expr->binary.left, is_right ? tighter(own) : own);
  buf_printf(out, " %s ", binary_op_text(expr->binary.op));
  put(out, expr->binary.right, is_right ? own : tighter(own));
}

// Each operand binds tighter than the one before: that is how ast.unparse counts.
static void put_bool_op(Buf *out, const Expr *expr, Precedence own) {
  for (size_t i = 0; i < expr->bool_op.values.count; i++) {
    own = tighter(own);
    if (i) buf_c(out, expr->bool_op.is_and ? " and " : " or ");
    put(out, expr->bool_op.values.items[i], own);
  }
}

static void put_operator(Buf *out, const Expr *expr, Precedence own) {
  switch (expr->kind) {
  case EX_BINARY: put_binary(out, expr, own); break;
  case EX_UNARY:
    buf_printf(out, own == PREC_NOT ? "%s " : "%s", unary_op_text(expr->unary.op));
    put(out, expr->unary.operand, own);
    break;
  case EX_BOOL_OP: put_bool_op(out, expr, own); break;
  case EX_COMPARE:
    put(out, expr->compare.left, PREC_BOR);
    for (size_t i = 0; i < expr->compare.count; i++) {
      buf_printf(out, " %s ", compare_op_text(expr->compare.ops[i]));
      put(out, expr->compare.comparators[i], PREC_BOR);
    }
    break;
  case EX_IF_EXP:
    put(out, expr->if_exp.body, PREC_OR);
    buf_c(out, " if ");
    put(out, expr->if_exp.test, PREC_OR);
    buf_c(out, " else ");
    put(out, expr->if_exp.orelse, PREC_TEST);
    break;
  default: // EX_NAMED
    put(out, expr->named.target, PREC_ATOM);
    buf_c(out, " := ");
    put(out, expr->named.value, PREC_ATOM);
  }
}

// ---- lambdas, calls, displays ------------------------------------------------------------------
static void put_lambda(Buf *out, const Expr *expr) {
  const Params *params = &expr->lambda.params;
  buf_c(out, "lambda");
  for (size_t i = 0; i < params->count; i++) {
    const Param *param = &params->items[i];
    bool is_kwargs = params->has_kwargs && i + 1 == params->count;
    buf_c(out, i ? ", " : " ");
    if (i == params->positional && params->has_varargs) buf_char(out, '*');
    if (i == params->positional && !params->has_varargs && !is_kwargs) buf_c(out, "*, ");
    if (is_kwargs) buf_c(out, "**");
    buf_str(out, name_str(param->name));
    if (param->default_value) {
      buf_char(out, '=');
      put(out, param->default_value, PREC_TEST);
    }
    if (i + 1 == params->positional_only) buf_c(out, ", /");
  }
  buf_c(out, ": ");
  put(out, expr->lambda.body, PREC_TEST);
}

static void put_call(Buf *out, const Expr *expr) {
  put(out, expr->call.func, PREC_ATOM);
  buf_char(out, '(');
  put_commas(out, expr->call.args);
  for (size_t i = 0; i < expr->call.keyword_count; i++) {
    const Keyword *keyword = &expr->call.keywords[i];
    if (i || expr->call.args.count) buf_c(out, ", ");
    if (keyword->name)
      buf_printf(out, "%s=", keyword->name->text);
    else
      buf_c(out, "**");
    put(out, keyword->value, PREC_TEST);
  }
  buf_char(out, ')');
}

static void put_comp(Buf *out, const Expr *expr) {
  buf_char(out, expr->kind == EX_LIST_COMP ? '[' : expr->kind == EX_GENERATOR ? '(' : '{');
  put(out, expr->comp.element, PREC_TEST);
  if (expr->comp.value) {
    buf_c(out, ": ");
    put(out, expr->comp.value, PREC_TEST);
  }
  for (size_t i = 0; i < expr->comp.clause_count; i++) {
    const Comprehension *clause = &expr->comp.clauses[i];
    buf_c(out, " for ");
    put(out, clause->target, PREC_TUPLE);
    buf_c(out, " in ");
    put(out, clause->iter, PREC_OR);
    for (size_t k = 0; k < clause->conditions.count; k++) {
      buf_c(out, " if ");
      put(out, clause->conditions.items[k], PREC_OR);
    }
  }
  buf_char(out, expr->kind == EX_LIST_COMP ? ']' : expr->kind == EX_GENERATOR ? ')' : '}');
}

static void put_dict(Buf *out, const Expr *expr) {
  buf_char(out, '{');
  for (size_t i = 0; i < expr->dict.keys.count; i++) {
    if (i) buf_c(out, ", ");
    if (!expr->dict.keys.items[i]) {
      buf_c(out, "**");
      put(out, expr->dict.values.items[i], PREC_BOR);
      continue;
    }
    put(out, expr->dict.keys.items[i], PREC_TEST);
    buf_c(out, ": ");
    put(out, expr->dict.values.items[i], PREC_TEST);
  }
  buf_char(out, '}');
}

static void put_slice(Buf *out, const Expr *expr) {
  if (expr->slice.lower) put(out, expr->slice.lower, PREC_TEST);
  buf_char(out, ':');
  if (expr->slice.upper) put(out, expr->slice.upper, PREC_TEST);
  if (!expr->slice.step) return;
  buf_char(out, ':');
  put(out, expr->slice.step, PREC_TEST);
}

static void put_trailer(Buf *out, const Expr *expr) {
  if (expr->kind == EX_ATTRIBUTE) {
    const Expr *value = expr->attribute.value;
    put(out, value, PREC_ATOM);
    buf_c(out, value->kind == EX_INT || value->kind == EX_BOOL ? " ." : ".");
    buf_str(out, name_str(expr->attribute.attr));
    return;
  }
  put(out, expr->subscript.value, PREC_ATOM);
  buf_char(out, '[');
  const Expr *index = expr->subscript.index;
  if (index->kind == EX_TUPLE && index->elements.count)
    put_items(out, index->elements);
  else
    put(out, index, PREC_TEST);
  buf_char(out, ']');
}

// ---- all kinds ---------------------------------------------------------------------------------
static void put_atom(Buf *out, const Expr *expr) {
  switch (expr->kind) {
  case EX_INT:
    buf_str(out, numbers_decimal(out->arena, expr->int_literal.digits, expr->int_literal.base));
    break;
  case EX_FLOAT:
  case EX_IMAGINARY: put_float(out, expr->float_literal, expr->kind == EX_IMAGINARY); break;
  case EX_STR:
  case EX_BYTES: strings_repr(out, expr->string, expr->kind == EX_BYTES); break;
  case EX_JOINED_STR: put_joined(out, expr); break;
  case EX_BOOL: buf_c(out, expr->boolean ? "True" : "False"); break;
  case EX_NONE: buf_c(out, "None"); break;
  case EX_ELLIPSIS: buf_c(out, "..."); break;
  case EX_NAME: buf_str(out, name_str(expr->name.name)); break;
  default: buf_c(out, "<error>");
  }
}

static void put_inner(Buf *out, const Expr *expr, Precedence own) {
  switch (expr->kind) {
  case EX_BINARY:
  case EX_UNARY:
  case EX_BOOL_OP:
  case EX_COMPARE:
  case EX_IF_EXP:
  case EX_NAMED: put_operator(out, expr, own); break;
  case EX_ATTRIBUTE:
  case EX_SUBSCRIPT: put_trailer(out, expr); break;
  case EX_SLICE: put_slice(out, expr); break;
  case EX_CALL: put_call(out, expr); break;
  case EX_LAMBDA: put_lambda(out, expr); break;
  case EX_TUPLE: put_items(out, expr->elements); break;
  case EX_LIST:
    buf_char(out, '[');
    put_commas(out, expr->elements);
    buf_char(out, ']');
    break;
  case EX_SET:
    buf_char(out, '{');
    put_commas(out, expr->elements);
    buf_char(out, '}');
    break;
  case EX_DICT: put_dict(out, expr); break;
  case EX_LIST_COMP:
  case EX_SET_COMP:
  case EX_DICT_COMP:
  case EX_GENERATOR: put_comp(out, expr); break;
  case EX_STARRED:
    buf_char(out, '*');
    put(out, expr->starred, PREC_BOR);
    break;
  case EX_YIELD:
  case EX_YIELD_FROM:
    buf_c(out, expr->kind == EX_YIELD_FROM ? "yield from " : expr->yielded ? "yield " : "yield");
    if (expr->yielded) put(out, expr->yielded, PREC_ATOM);
    break;
  default: put_atom(out, expr);
  }
}

static void put(Buf *out, const Expr *expr, Precedence outer) {
  Precedence own = precedence_of(expr);
  bool has_parens = outer > own || (expr->kind == EX_TUPLE && !expr->elements.count);
  if (has_parens) buf_char(out, '(');
  put_inner(out, expr, own);
  if (has_parens) buf_char(out, ')');
}

Str expr_text(Arena *arena, const Expr *expr) {
  Buf out;
  buf_init(&out, arena);
  put(&out, expr, PREC_TEST);
  return buf_view(&out);
}
