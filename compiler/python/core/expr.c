// SPDX-License-Identifier: Apache-2.0
// Expressions. Before an operation that may raise, ev->span is set to the expression's own span
// (its operands have moved it).
#include <string.h>

#include "base/buf.h"
#include "python/values/builtin_state.h"
#include "python/values/evaluator_state.h"
#include "call_expr.h"
#include "comprehension.h"
#include "display.h"
#include "expr.h"
#include "function.h"
#include "generator.h"
#include "name_error.h"
#include "operation.h"
#include "python/modules/module.h"
#include "python/modules/report.h"
#include "python/objects/attribute_at.h"
#include "python/values/dict.h"
#include "python/values/dict_entry.h"
#include "python/objects/fresh.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/numbers/integer.h"

// ---- names --------------------------------------------------------------------------------------
static Env *env_at(const Eval *ev, uint32_t depth) {
  Env *env = ev->frame->env;
  while (depth--) env = env->outer;
  return env;
}

NORETURN static void raise_unbound(Eval *ev, NameRef *ref, Span span) {
  ev->span = span;
  // The body of a class has names of its own, which are not in an Env.
  if (ref->depth == 0 && !ev->frame->body)
    raise_name(ev, ev->types.UnboundLocalError, ref->name,
               "cannot access local variable '%s' where it is not associated with a value",
               ref->name->text);
  raise_name(ev, ev->types.NameError, ref->name,
             "cannot access free variable '%s' where it is not associated with a value in "
             "enclosing scope",
             ref->name->text);
}

static Value find_global(Eval *ev, NameRef *ref, Span span) {
  ModuleObject *module = ev->frame->module;
  Name name = ref->name;
  Value value = global_lookup(ev, module, name);
  const DictEntry *own = dict_entry_at(module->dict, name, &ref->entry);
  ref->absent = 0;
  if (!own) {
    const DictEntry *builtin = dict_entry_at(ev->builtins->dict, name, &ref->entry);
    if (builtin && value_is(builtin->value, value)) ref->absent = module->dict->version;
  }
  if (value.kind != V_UNBOUND) return value;
  // The class that a method belongs to, as the cell behind super() has it.
  if (name == ev->names->class_ && ev->frame->code && ev->frame->code->owner)
    return v_object(ev->frame->code->owner);
  ev->span = span;
  raise_name(ev, ev->types.NameError, name, "name '%s' is not defined", name->text);
}

// Globals first, then builtins: where the name was found last says where to look.
static Value load_global(Eval *ev, NameRef *ref, Span span) {
  const Dict *dict = ev->frame->module->dict;
  if (ref->absent == dict->version) dict = ev->builtins->dict;
  if (ref->entry < dict->used) {
    const DictEntry *entry = &dict->entries[ref->entry];
    if (is_own_key(entry, ref->name)) return entry->value;
  }
  return find_global(ev, ref, span);
}

static Value load_name(Eval *ev, NameRef *ref, Span span) {
  if (ref->where == NAME_LOCAL) {
    Env *env = env_at(ev, ref->depth);
    Value value = env->slots[ref->index];
    slot_read(env, ref->index);
    if (value.kind == V_UNBOUND) raise_unbound(ev, ref, span);
    return value;
  }
  if (ref->where == NAME_CLASS) {
    if (ev->frame->class_dict) {
      Value value = dict_get_name(ev->frame->class_dict, ref->name);
      if (value.kind != V_UNBOUND) return value;
    }
    if (ref->index != NO_SLOT) {
      Env *env = env_at(ev, ref->depth);
      Value value = env->slots[ref->index];
      slot_read(env, ref->index);
      if (value.kind == V_UNBOUND) raise_unbound(ev, ref, span);
      return value;
    }
  }
  return load_global(ev, ref, span);
}

// -D NAME=VALUE holds against what the main module's own statements assign.
static bool is_defined(Eval *ev, Name name) {
  if (!ev->core->defines || ev->frame->module != ev->main || ev->frame->code ||
      dict_get_name(ev->core->defines, name).kind == V_UNBOUND)
    return false;
  dict_set_name(ev, ev->core->defines, name, v_bool(true));
  return true;
}

static void store_global(Eval *ev, NameRef *ref, Value value) {
  Dict *dict = ev->frame->module->dict;
  DictEntry *entry = dict_entry_at(dict, ref->name, &ref->entry);
  ref->absent = 0;
  if (entry)
    entry->value = value;
  else
    dict_append(ev, dict, make_name(ev, ref->name), name_hash(ref->name), value);
}

void store_name(Eval *ev, NameRef *ref, Value value) {
  if (ev->hooks.assigned) ev->hooks.assigned(ev, ref->name, value);
  switch (ref->where) {
  case NAME_LOCAL: slot_write(ev, env_at(ev, ref->depth), ref->index, value, NULL); return;
  case NAME_CLASS: dict_set_name(ev, ev->frame->class_dict, ref->name, value); return;
  default:
    if (!is_defined(ev, ref->name))
      store_global(ev, ref, value);
    else if (is_a(value, ev->types.function))
      eval_warn(ev, WARN_HINT, "-D %s: it takes the place of the function '%s'", ref->name->text,
                ref->name->text);
  }
}

void delete_name(Eval *ev, NameRef *ref, Span span) {
  if (ref->where == NAME_LOCAL) {
    Env *env = env_at(ev, ref->depth);
    if (env->slots[ref->index].kind == V_UNBOUND) raise_unbound(ev, ref, span);
    slot_write(ev, env, ref->index, v_unbound(), NULL);
    return;
  }
  Dict *dict = ref->where == NAME_CLASS ? ev->frame->class_dict : ev->frame->module->dict;
  if (dict_remove(ev, dict, make_name(ev, ref->name))) return;
  ev->span = span;
  raise_name(ev, ev->types.NameError, ref->name, "name '%s' is not defined", ref->name->text);
}

// ---- literals -----------------------------------------------------------------------------------
static Value eval_name(Eval *ev, Expr *e) {
  return e->name.where == NAME_GLOBAL ? load_global(ev, &e->name, e->span)
                                      : load_name(ev, &e->name, e->span);
}

static Value eval_float(Eval *ev UNUSED, Expr *e) { return v_float(e->float_literal); }
static Value eval_bool(Eval *ev UNUSED, Expr *e) { return v_bool(e->boolean); }
static Value eval_none(Eval *ev UNUSED, Expr *e UNUSED) { return v_none(); }
static Value eval_ellipsis(Eval *ev UNUSED, Expr *e UNUSED) { return v_ellipsis(); }

static Value large_int(Eval *ev, Expr *e) {
  if (!e->int_literal.object)
    e->int_literal.object = int_from_digits(ev, e->int_literal.digits, e->int_literal.base).o;
  return v_object(e->int_literal.object);
}

static Value text_literal(Eval *ev, Expr *e) {
  if (!e->object)
    e->object = e->kind == EX_STR ? make_name(ev, name_intern(ev->session->interner, e->string)).o
                                  : make_bytes(ev, e->string).o;
  return v_object(e->object);
}

static Value eval_imaginary(Eval *ev, Expr *e) {
  if (!e->object) e->object = make_complex(ev, 0, e->float_literal).o;
  return v_object(e->object);
}

static Value converted(Eval *ev, char conversion, Value value) {
  switch (conversion) {
  case 'r': return make_str(ev, value_repr(ev, value));
  case 's': return make_str(ev, value_str(ev, value));
  case 'a': return make_str(ev, value_ascii(ev, value));
  default: return value;
  }
}

static Value joined_str(Eval *ev, Expr *e) {
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < e->joined_str.count; i++) {
    const FStringPart *part = &e->joined_str.parts[i];
    buf_str(&buf, part->text);
    if (!part->value) continue;
    Value value = eval_expr(ev, part->value);
    Value spec = part->format ? eval_expr(ev, part->format) : v_none();
    ev->span = part->value->span;
    if (part->conversion == 'r' && !part->format) {
      value_put_repr(ev, value, &buf);
      continue;
    }
    value = converted(ev, part->conversion, value);
    Str text = {0};
    value_as_str(spec, &text);
    if (text.len == 0 && value.kind == V_INT)
      buf_str(&buf, str_of_i64(ev->arena, value.i));
    else if (text.len == 0 && is_a(value, ev->types.string))
      buf_str(&buf, ((const StrObject *)value.o)->text);
    else
      buf_str(&buf, value_format(ev, value, text));
  }
  return make_str_of(ev, buf_view(&buf));
}

// ---- operators ----------------------------------------------------------------------------------
static Value eval_unary(Eval *ev, Expr *e) {
  if (e->unary.op == UN_NOT) return v_bool(!eval_test(ev, e->unary.operand, TRUTH_OPERAND));
  Value operand = eval_expr(ev, e->unary.operand);
  Object *fresh = fresh_object(ev, e->unary.operand, operand);
  ev->span = e->span;
  Value result = value_unary(ev, e->unary.op, operand);
  if (operator_made(ev, operand, operand, result, fresh, NULL))
    take_back(ev, e->unary.operand, operand);
  return result;
}

static Value eval_bool_op(Eval *ev, Expr *e) {
  const ExprList *values = &e->bool_op.values;
  for (size_t i = 0;; i++) {
    Value value = eval_expr(ev, values->items[i]);
    if (i + 1 == values->count) return value;
    if (value.kind == V_BOOL) {
      if ((value.i != 0) != e->bool_op.is_and) return value;
      continue;
    }
    ev->span = values->items[i]->span;
    if (truth_for(ev, value, TRUTH_OPERAND) != e->bool_op.is_and) return value;
  }
}

static Value eval_slice(Eval *ev, Expr *e) {
  Value start = e->slice.lower ? eval_expr(ev, e->slice.lower) : v_none();
  Value stop = e->slice.upper ? eval_expr(ev, e->slice.upper) : v_none();
  Value step = e->slice.step ? eval_expr(ev, e->slice.step) : v_none();
  return make_slice(ev, start, stop, step);
}

// Of a text that is known to be of ASCII alone; unbound: it is not, or the character has not been
// made.
static inline Value character_at(const Eval *ev, const StrObject *str, int64_t i) {
  if (i < 0) i += (int64_t)str->length;
  bool is_there = str->length == str->text.len && i >= 0 && i < (int64_t)str->length;
  return is_there ? ev->builtin->chars[(unsigned char)str->text.data[i]] : v_unbound();
}

static Value eval_subscript(Eval *ev, Expr *e) {
  Value v = eval_expr(ev, e->subscript.value);
  Object *fresh = fresh_object(ev, e->subscript.value, v);
  Value index = eval_expr(ev, e->subscript.index);
  Object *fresh_index = fresh_object(ev, e->subscript.index, index);
  ev->fresh = NULL;
  if (index.kind == V_INT && v.kind == V_OBJECT) {
    if (v.o->type == ev->types.list) {
      const List *list = (const List *)v.o;
      int64_t i = index.i < 0 ? index.i + (int64_t)list->count : index.i;
      if (i >= 0 && i < (int64_t)list->count) return list->items[i];
    } else if (v.o->type == ev->types.tuple) {
      const Tuple *tuple = (const Tuple *)v.o;
      int64_t i = index.i < 0 ? index.i + (int64_t)tuple->count : index.i;
      if (i >= 0 && i < (int64_t)tuple->count) return tuple->items[i];
    } else if (v.o->type == ev->types.string) {
      Value character = character_at(ev, (const StrObject *)v.o, index.i);
      if (character.kind == V_OBJECT) return character;
    }
  }
  ev->span = e->span;
  if (is_a(v, ev->types.dict)) {
    Value found = dict_get(ev, (const Dict *)v.o, index);
    if (found.kind != V_UNBOUND) return found;
  }
  Value item = value_getitem(ev, v, index);
  if (copies_items(v)) take_back(ev, e->subscript.index, index);
  if (item_made(ev, v, item, fresh, fresh_index)) take_back(ev, e->subscript.value, v);
  return item;
}

static Value eval_lambda(Eval *ev, Expr *e) {
  Function *f = function_new(ev, ev->names->lambda, &e->lambda.params, e->lambda.scope, e);
  f->lambda = e->lambda.body;
  f->span = e->span;
  return v_object(f);
}

bool truth_for(Eval *ev, Value value, TruthUse use) {
  ev->truth_use = use;
  return value_truth(ev, value);
}

bool eval_test(Eval *ev, Expr *test, TruthUse use) {
  Value value = eval_expr(ev, test);
  if (value.kind == V_BOOL) return value.i != 0;
  ev->span = test->span;
  return truth_for(ev, value, use);
}

static bool are_numbers(Value v) {
  if (v.kind == V_INT || v.kind == V_BOOL) return true;
  const Tuple *tuple = value_as_tuple(v);
  for (size_t i = 0; tuple && i < tuple->count; i++)
    if (tuple->items[i].kind != V_INT) return false;
  return tuple;
}

// What was fresh goes if it was asked for numbers alone: a shape.
static Value eval_attribute(Eval *ev, Expr *e) {
  Value object = eval_expr(ev, e->attribute.value);
  Object *fresh = fresh_object(ev, e->attribute.value, object);
  ev->span = e->span;
  Value v = value_getattr_at(ev, object, e->attribute.attr, &e->attribute.place);
  bool is_measured = object.kind == V_OBJECT && !object.o->type->is_heap && are_numbers(v);
  if (is_measured) {
    take_back(ev, e->attribute.value, object);
    discard(ev, fresh);
  }
  return v;
}

static Value eval_if_exp(Eval *ev, Expr *e) {
  Expr *chosen = eval_test(ev, e->if_exp.test, TRUTH_TEST) ? e->if_exp.body : e->if_exp.orelse;
  Value value = eval_expr(ev, chosen);
  if (!may_be_fresh(chosen)) ev->fresh = NULL;
  return value;
}

static Value eval_yield(Eval *ev, Expr *e) {
  Value item = e->yielded ? eval_expr(ev, e->yielded) : v_none();
  ev->span = e->span;
  return generator_yield(ev, item);
}

static Value eval_yield_from(Eval *ev, Expr *e) {
  Value iterable = eval_expr(ev, e->yielded);
  ev->span = e->span;
  return generator_delegate(ev, iterable);
}

static Value eval_named(Eval *ev, Expr *e) {
  Value value = eval_expr(ev, e->named.value);
  store_name(ev, &e->named.target->name, value);
  return value;
}

static Value misplaced_star(Eval *ev, Expr *e) {
  eval_raise_at(ev, e->span, ev->types.SyntaxError, "can't use starred expression here");
}

static Value refused(Eval *ev, Expr *e) {
  eval_raise_at(ev, e->span, ev->types.NotImplementedError, "%s", e->refused);
}

static Value invalid(Eval *ev, Expr *e) {
  eval_raise_at(ev, e->span, ev->types.SyntaxError, "invalid expression");
}

Value (*const expr_ways[FORM_COUNT])(Eval *ev, Expr *e) = {
    [EX_INT] = large_int,
    [FORM_LOCAL] = eval_name,
    [EX_FLOAT] = eval_float,
    [EX_IMAGINARY] = eval_imaginary,
    [EX_STR] = text_literal,
    [EX_BYTES] = text_literal,
    [EX_JOINED_STR] = joined_str,
    [EX_BOOL] = eval_bool,
    [EX_NONE] = eval_none,
    [EX_ELLIPSIS] = eval_ellipsis,
    [EX_NAME] = eval_name,
    [EX_ATTRIBUTE] = eval_attribute,
    [EX_SUBSCRIPT] = eval_subscript,
    [EX_SLICE] = eval_slice,
    [EX_CALL] = eval_call,
    [EX_UNARY] = eval_unary,
    [EX_BOOL_OP] = eval_bool_op,
    [EX_COMPARE] = eval_comparisons,
    [EX_IF_EXP] = eval_if_exp,
    [EX_LAMBDA] = eval_lambda,
    [EX_TUPLE] = tuple_display,
    [EX_LIST] = list_display,
    [EX_SET] = set_display,
    [EX_DICT] = dict_display,
    [EX_LIST_COMP] = eval_comprehension,
    [EX_SET_COMP] = eval_comprehension,
    [EX_DICT_COMP] = eval_comprehension,
    [EX_GENERATOR] = eval_comprehension,
    [EX_YIELD] = eval_yield,
    [EX_YIELD_FROM] = eval_yield_from,
    [EX_STARRED] = misplaced_star,
    [EX_NAMED] = eval_named,
    [EX_REFUSED] = refused,
    [EX_ERROR] = invalid,
    [FORM_BINARY + BIN_ADD] = eval_add,
    [FORM_BINARY + BIN_SUB] = eval_sub,
    [FORM_BINARY + BIN_MUL] = eval_mul,
    [FORM_BINARY + BIN_DIV] = eval_div,
    [FORM_BINARY + BIN_FLOOR_DIV] = eval_floor_div,
    [FORM_BINARY + BIN_MOD] = eval_mod,
    [FORM_BINARY + BIN_POW] = eval_binary,
    [FORM_BINARY + BIN_MATMUL] = eval_binary,
    [FORM_BINARY + BIN_SHL] = eval_binary,
    [FORM_BINARY + BIN_SHR] = eval_binary,
    [FORM_BINARY + BIN_AND] = eval_and,
    [FORM_BINARY + BIN_OR] = eval_or,
    [FORM_BINARY + BIN_XOR] = eval_xor,
#define COMPARE(id, text, method) [FORM_COMPARE + CMP_##id] = eval_##method,
#include "syntax/operators.def"
    [FORM_COMPARE + CMP_IS] = eval_is,
    [FORM_COMPARE + CMP_IS_NOT] = eval_is_not,
    [FORM_COMPARE + CMP_IN] = eval_in,
    [FORM_COMPARE + CMP_NOT_IN] = eval_not_in,
};

Value eval_returned(Eval *ev, Expr *e) {
  Value value = eval_expr(ev, e);
  if (value.kind != V_OBJECT)
    ev->fresh = NULL;
  else if (!fresh_object(ev, e, value))
    ev->fresh = is_last_read(ev, e, value) ? value.o : NULL;
  return value;
}
