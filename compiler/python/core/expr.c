// SPDX-License-Identifier: Apache-2.0
// Expressions. Before an operation that may raise, ev->span is set to the expression's own span
// (its operands have moved it).
#include <string.h>

#include "python/values/evaluator_state.h"
#include "call.h"
#include "comprehension.h"
#include "expr.h"
#include "function.h"
#include "generator.h"
#include "name_error.h"
#include "python/modules/module.h"
#include "python/modules/report.h"
#include "python/objects/attribute.h"
#include "python/values/dict.h"
#include "python/objects/fresh.h"
#include "python/values/make.h"
#include "python/objects/mapping.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/numbers/integer.h"

#define FEW_ARGUMENTS 16 // calls with more put them into the arena

// ---- names --------------------------------------------------------------------------------------
static Env *env_at(const Eval *ev, uint32_t depth) {
  Env *env = ev->frame->env;
  while (depth--) env = env->outer;
  return env;
}

NORETURN static void raise_unbound(Eval *ev, const NameRef *ref, Span span) {
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

static Value load_global(Eval *ev, Name name, Span span) {
  Value value = global_lookup(ev, ev->frame->module, name);
  if (value.kind != V_UNBOUND) return value;
  // The class that a method belongs to, as the cell behind super() has it.
  if (name == ev->names->class_ && ev->frame->code && ev->frame->code->owner)
    return v_object(ev->frame->code->owner);
  ev->span = span;
  raise_name(ev, ev->types.NameError, name, "name '%s' is not defined", name->text);
}

Value load_name(Eval *ev, const NameRef *ref, Span span) {
  if (ref->where == NAME_LOCAL) {
    Value value = env_at(ev, ref->depth)->slots[ref->index];
    if (value.kind == V_UNBOUND) raise_unbound(ev, ref, span);
    return value;
  }
  if (ref->where == NAME_CLASS) {
    if (ev->frame->class_dict) {
      Value value = dict_get_name(ev->frame->class_dict, ref->name);
      if (value.kind != V_UNBOUND) return value;
    }
    if (ref->index != NO_SLOT) {
      Value value = env_at(ev, ref->depth)->slots[ref->index];
      if (value.kind == V_UNBOUND) raise_unbound(ev, ref, span);
      return value;
    }
  }
  return load_global(ev, ref->name, span);
}

// -D NAME=VALUE holds against what the main module's own statements assign.
static bool is_defined(Eval *ev, Name name) {
  if (!ev->core->defines || ev->frame->module != ev->main || ev->frame->code ||
      dict_get_name(ev->core->defines, name).kind == V_UNBOUND)
    return false;
  dict_set_name(ev, ev->core->defines, name, v_bool(true));
  return true;
}

void store_name(Eval *ev, const NameRef *ref, Value value) {
  if (ev->hooks.assigned) ev->hooks.assigned(ev, ref->name, value);
  switch (ref->where) {
  case NAME_LOCAL: env_at(ev, ref->depth)->slots[ref->index] = value; return;
  case NAME_CLASS: dict_set_name(ev, ev->frame->class_dict, ref->name, value); return;
  default:
    if (!is_defined(ev, ref->name))
      dict_set_name(ev, ev->frame->module->dict, ref->name, value);
    else if (is_a(value, ev->types.function))
      eval_warn(ev, WARN_HINT, "-D %s: it takes the place of the function '%s'", ref->name->text,
                ref->name->text);
  }
}

void delete_name(Eval *ev, const NameRef *ref, Span span) {
  if (ref->where == NAME_LOCAL) {
    Value *slot = &env_at(ev, ref->depth)->slots[ref->index];
    if (slot->kind == V_UNBOUND) raise_unbound(ev, ref, span);
    *slot = v_unbound();
    return;
  }
  Dict *dict = ref->where == NAME_CLASS ? ev->frame->class_dict : ev->frame->module->dict;
  if (dict_remove(ev, dict, make_name(ev, ref->name))) return;
  ev->span = span;
  raise_name(ev, ev->types.NameError, ref->name, "name '%s' is not defined", ref->name->text);
}

// ---- literals -----------------------------------------------------------------------------------
static Value literal(Eval *ev, const Expr *e) {
  Object *known = map_get(ev->core->constants, e);
  if (known) return v_object(known);
  Value made;
  if (e->kind == EX_INT) {
    made = int_from_digits(ev, e->int_literal.digits, e->int_literal.base);
    if (made.kind != V_OBJECT) return made;
  } else if (e->kind == EX_STR) {
    made = make_name(ev, name_intern(ev->session->interner, e->string));
  } else if (e->kind == EX_BYTES) {
    made = make_bytes(ev, e->string);
  } else {
    made = make_complex(ev, 0, e->float_literal);
  }
  map_set(ev->core->constants, e, made.o);
  return made;
}

static Value int_literal(Eval *ev, const Expr *e) {
  Str digits = e->int_literal.digits;
  if (e->int_literal.base != 10 || digits.len > 18) return literal(ev, e);
  int64_t value = 0;
  for (size_t i = 0; i < digits.len; i++) value = value * 10 + (digits.data[i] - '0');
  return v_int(value);
}

static Value converted(Eval *ev, char conversion, Value value) {
  switch (conversion) {
  case 'r': return make_str(ev, value_repr(ev, value));
  case 's': return make_str(ev, value_str(ev, value));
  case 'a': return make_str(ev, value_ascii(ev, value));
  default: return value;
  }
}

static Value joined_str(Eval *ev, const Expr *e) {
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < e->joined_str.count; i++) {
    const FStringPart *part = &e->joined_str.parts[i];
    buf_str(&buf, part->text);
    if (!part->value) continue;
    Value value = eval_expr(ev, part->value);
    Value spec = part->format ? eval_expr(ev, part->format) : v_none();
    ev->span = part->value->span;
    value = converted(ev, part->conversion, value);
    Str text = {0};
    value_as_str(spec, &text);
    if (text.len == 0 && is_a(value, ev->types.string))
      buf_str(&buf, ((const StrObject *)value.o)->text);
    else
      buf_str(&buf, value_format(ev, value, text));
  }
  return make_str(ev, buf_view(&buf));
}

// ---- displays -----------------------------------------------------------------------------------
static bool has_star(const ExprList *list) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i]->kind == EX_STARRED) return true;
  return false;
}

static void push_items(Eval *ev, List *out, const ExprList *list, const char *context) {
  for (size_t i = 0; i < list->count; i++) {
    const Expr *item = list->items[i];
    if (item->kind != EX_STARRED) {
      list_push(ev, out, eval_expr(ev, item));
      continue;
    }
    Value source = eval_expr(ev, item->starred);
    ev->span = item->span;
    if (!value_is_iterable(ev, source))
      eval_raise(ev, ev->types.TypeError, "%s after * must be an iterable, not %s",
                 context ? context : "Value", value_type_name(ev, source));
    Walk walk;
    walk_start(ev, &walk, source);
    for (Value each; walk_next(ev, &walk, &each); count_step(ev)) list_push(ev, out, each);
  }
}

static Value tuple_display(Eval *ev, const Expr *e) {
  const ExprList *list = &e->elements;
  if (has_star(list)) {
    List *items = list_new(ev, list->count);
    push_items(ev, items, list, NULL);
    return make_tuple(ev, items->count, items->items);
  }
  Tuple *tuple = tuple_new(ev, list->count);
  for (size_t i = 0; i < list->count; i++) tuple->items[i] = eval_expr(ev, list->items[i]);
  return v_object(tuple);
}

static Value set_display(Eval *ev, const Expr *e) {
  List *items = list_new(ev, e->elements.count);
  push_items(ev, items, &e->elements, NULL);
  ev->span = e->span;
  Dict *set = set_new(ev, false);
  for (size_t i = 0; i < items->count; i++) dict_set(ev, set, items->items[i], v_none());
  return v_object(set);
}

// Copies a mapping's items; false if it is none.
bool mapping_update(Eval *ev, Dict *into, Value mapping) {
  const Dict *dict = value_as_dict(mapping);
  if (dict && !type_of(ev, mapping)->is_heap) {
    DictEntry *entry;
    for (size_t it = 0; dict_next(dict, &it, &entry);) dict_set(ev, into, entry->key, entry->value);
    return true;
  }
  Value keys = value_getattr_opt(ev, mapping, ev->names->keys);
  if (keys.kind == V_UNBOUND) return false;
  Walk walk;
  walk_start(ev, &walk, value_call_n(ev, keys, 0, NULL));
  for (Value key; walk_next(ev, &walk, &key); count_step(ev))
    dict_set(ev, into, key, value_getitem(ev, mapping, key));
  return true;
}

static Value dict_display(Eval *ev, const Expr *e) {
  Dict *dict = dict_new(ev);
  for (size_t i = 0; i < e->dict.values.count; i++) {
    const Expr *key_expr = e->dict.keys.items[i];
    if (!key_expr) {
      Value mapping = eval_expr(ev, e->dict.values.items[i]);
      ev->span = e->dict.values.items[i]->span;
      if (!mapping_update(ev, dict, mapping))
        eval_raise(ev, ev->types.TypeError, "'%s' object is not a mapping",
                   value_type_name(ev, mapping));
      continue;
    }
    Value key = eval_expr(ev, key_expr);
    Value value = eval_expr(ev, e->dict.values.items[i]);
    ev->span = key_expr->span;
    dict_set(ev, dict, key, value);
  }
  return v_object(dict);
}

// ---- calls --------------------------------------------------------------------------------------
// What a call of v.name calls: a method found on the type goes with self, so that no bound method
// is made.
static Value find_callee(Eval *ev, Value v, Name name, Value *self) {
  Type *type = type_of(ev, v);
  if (v.kind != V_OBJECT || (type != ev->types.module && type != ev->types.super &&
                             !type->has_getattribute && !is_type(ev, v))) {
    Value found = type_lookup(ev, type, name);
    bool is_method = is_a(found, ev->types.function) ||
                     (is_a(found, ev->types.native) &&
                      ((const NativeFunction *)found.o)->binding == NATIVE_METHOD);
    if (is_method) {
      const Dict *dict = instance_dict(v);
      if (!dict || dict_get_name(dict, name).kind == V_UNBOUND) {
        *self = v;
        return found;
      }
    }
  }
  return value_getattr(ev, v, name);
}

// What CPython's errors of unpacking call a function: "__main__.f()", "len()".
static Str callee_name(Eval *ev, Value f) {
  Str name = function_repr_name(ev, f), module;
  bool is_named = is_a(f, ev->types.function) || is_a(f, ev->types.method) || is_type(ev, f);
  if (!is_named || !value_as_str(value_getattr_opt(ev, f, ev->names->module), &module) ||
      str_equal(module, STR("builtins")))
    return name;
  return str_format(ev->arena, "%.*s.%.*s", STR_FMT(module), STR_FMT(name));
}

// The arguments of a call that has ** or repeated names: they are gathered in a dict first.
static void gather_keywords(Eval *ev, const Expr *e, Value f, Args *args) {
  Dict *all = dict_new(ev);
  for (size_t i = 0; i < e->call.keyword_count; i++) {
    const Keyword *keyword = &e->call.keywords[i];
    Value value = eval_expr(ev, keyword->value);
    Dict *more = dict_new(ev);
    ev->span = keyword->value->span;
    if (keyword->name)
      dict_set_name(ev, more, keyword->name, value);
    else if (!mapping_update(ev, more, value))
      eval_raise(ev, ev->types.TypeError, "%.*s argument after ** must be a mapping, not %s",
                 STR_FMT(callee_name(ev, f)), value_type_name(ev, value));
    DictEntry *entry;
    for (size_t it = 0; dict_next(more, &it, &entry);) {
      if (!value_as_str(entry->key, &(Str){0}))
        eval_raise(ev, ev->types.TypeError, "keywords must be strings");
      if (dict_get(ev, all, entry->key).kind != V_UNBOUND)
        eval_raise(ev, ev->types.TypeError, "%.*s got multiple values for keyword argument '%.*s'",
                   STR_FMT(callee_name(ev, f)), STR_FMT(value_str(ev, entry->key)));
      dict_set(ev, all, entry->key, entry->value);
    }
  }
  Name *names = ARENA_ARRAY(ev->arena, Name, all->count);
  Value *values = ARENA_ARRAY(ev->arena, Value, all->count);
  DictEntry *entry;
  for (size_t it = 0; dict_next(all, &it, &entry); args->kw_count++) {
    names[args->kw_count] = name_intern(ev->session->interner, value_str(ev, entry->key));
    values[args->kw_count] = entry->value;
  }
  args->kw_names = names;
  args->kw_values = values;
}

static bool has_unpacking(const Expr *e) {
  for (size_t i = 0; i < e->call.keyword_count; i++)
    if (!e->call.keywords[i].name) return true;
  return has_star(&e->call.args);
}

// A native that made its result has kept none of its arguments. Functions of the program may have,
// whatever they return.
static bool is_native(const Eval *ev, Value f) {
  return is_a(f, ev->types.native) || (f.kind == V_OBJECT && f.o->type->slots.call_keeps_nothing);
}

// A result that is an argument (out=) is as fresh as that was.
static void given_back(Eval *ev, Value f, Value result, Object *const *fresh, size_t count) {
  if (f.kind != V_OBJECT || !f.o->type->slots.call_keeps_nothing || result.kind != V_OBJECT) return;
  for (size_t i = 0; i < count; i++)
    if (fresh[i] == result.o) ev->fresh = result.o;
}

static void drop_arguments(Eval *ev, Value result, Object *const *fresh, size_t count) {
  if (result.kind != V_OBJECT || result.o != ev->fresh) return;
  if (result.o->type->slots.is_own && !result.o->type->slots.is_own(result)) return; // a view
  for (size_t i = 0; i < count; i++)
    if (fresh[i] != result.o) discard(ev, fresh[i]);
}

// float(x), int(x) and bool(x), and methods of x that give a number, do not keep it: they call
// nothing that could.
static void drop_measured(Eval *ev, Value f, Value result, Object *self, Object *only) {
  if (result.kind != V_BOOL && result.kind != V_INT && result.kind != V_FLOAT) return;
  bool is_number_type =
      f.kind == V_OBJECT && (f.o == &ev->types.floating->base || f.o == &ev->types.integer->base ||
                             f.o == &ev->types.boolean->base);
  if (is_number_type) discard(ev, only);
  if (self && is_a(f, ev->types.native)) discard(ev, self);
}

static Value finish_call(Eval *ev, const Expr *e, Value f, Value self, const Args *args) {
  ev->span = e->span;
  ev->fresh = NULL; // not every callee says so
  return self.kind == V_UNBOUND ? value_call(ev, f, args) : call_with_self(ev, f, self, args);
}

static Value call_unpacking(Eval *ev, const Expr *e, Value f, Value self) {
  List *items = list_new(ev, e->call.args.count);
  Args args = {0};
  push_items(ev, items, &e->call.args,
             str_format(ev->arena, "%.*s argument", STR_FMT(callee_name(ev, f))).data);
  if (e->call.keyword_count) gather_keywords(ev, e, f, &args);
  args.count = items->count;
  args.items = items->items;
  return finish_call(ev, e, f, self, &args);
}

static Value eval_call(Eval *ev, const Expr *e) {
  const Expr *callee = e->call.func;
  Value self = v_unbound(), f;
  Object *fresh_self = NULL;
  if (callee->kind == EX_ATTRIBUTE) {
    Value object = eval_expr(ev, callee->attribute.value);
    fresh_self = fresh_object(ev, callee->attribute.value, object);
    ev->span = callee->span;
    f = find_callee(ev, object, callee->attribute.attr, &self);
  } else {
    f = eval_expr(ev, callee);
  }
  if (has_unpacking(e)) return call_unpacking(ev, e, f, self);
  size_t count = e->call.args.count, kw_count = e->call.keyword_count;
  Value few[FEW_ARGUMENTS], *items = few;
  Name few_names[FEW_ARGUMENTS], *names = few_names;
  if (count + kw_count > FEW_ARGUMENTS) {
    items = ARENA_ARRAY(ev->arena, Value, count + kw_count);
    names = ARENA_ARRAY(ev->arena, Name, kw_count);
  }
  bool are_few = count + kw_count <= FEW_ARGUMENTS;
  // Of the callee's self and, if they are few, of the arguments. Cleared: what an earlier frame left
  // there would be found by the collector.
  Object *fresh[FEW_ARGUMENTS + 1] = {fresh_self};
  for (size_t i = 0; i < count; i++) {
    items[i] = eval_expr(ev, e->call.args.items[i]);
    if (are_few) fresh[i + 1] = fresh_object(ev, e->call.args.items[i], items[i]);
  }
  for (size_t i = 0; i < kw_count; i++) {
    names[i] = e->call.keywords[i].name;
    const Expr *value = e->call.keywords[i].value;
    items[count + i] = eval_expr(ev, value);
    if (are_few) fresh[count + i + 1] = fresh_object(ev, value, items[count + i]);
  }
  Args args = {count, items, kw_count, names, items + count};
  Value result = finish_call(ev, e, f, self, &args);
  if (is_native(ev, f) && are_few) {
    given_back(ev, f, result, fresh, count + kw_count + 1);
    drop_arguments(ev, result, fresh, count + kw_count + 1);
  }
  drop_measured(ev, f, result, fresh_self, count == 1 && !kw_count ? fresh[1] : NULL);
  values_leave(items, count + kw_count);
  return result;
}

// ---- operators ----------------------------------------------------------------------------------
static Value eval_binary(Eval *ev, const Expr *e) {
  Value a = eval_expr(ev, e->binary.left);
  Object *fresh_a = fresh_object(ev, e->binary.left, a);
  Value b = eval_expr(ev, e->binary.right);
  Object *fresh_b = fresh_object(ev, e->binary.right, b);
  ev->span = e->span;
  Value result = value_binary(ev, e->binary.op, a, b);
  operator_made(ev, a, b, result, fresh_a, fresh_b);
  return result;
}

static Value eval_unary(Eval *ev, const Expr *e) {
  Value operand = eval_expr(ev, e->unary.operand);
  Object *fresh = fresh_object(ev, e->unary.operand, operand);
  ev->span = e->span;
  Value result = value_unary(ev, e->unary.op, operand);
  operator_made(ev, operand, operand, result, fresh, NULL);
  return result;
}

static Value eval_compare(Eval *ev, const Expr *e) {
  Value a = eval_expr(ev, e->compare.left);
  Object *fresh_a = fresh_object(ev, e->compare.left, a);
  for (size_t i = 0;; i++) {
    Value b = eval_expr(ev, e->compare.comparators[i]);
    Object *fresh_b = fresh_object(ev, e->compare.comparators[i], b);
    ev->span = e->span;
    Value result = value_compare(ev, e->compare.ops[i], a, b);
    ev->fresh = NULL;
    bool is_alone = e->compare.count == 1;
    if (is_alone) operator_made(ev, a, b, result, fresh_a, fresh_b);
    if (i + 1 == e->compare.count || !value_truth(ev, result)) return result;
    a = b;
  }
}

static Value eval_bool_op(Eval *ev, const Expr *e) {
  const ExprList *values = &e->bool_op.values;
  for (size_t i = 0;; i++) {
    Value value = eval_expr(ev, values->items[i]);
    if (i + 1 == values->count) return value;
    ev->span = values->items[i]->span;
    if (value_truth(ev, value) != e->bool_op.is_and) return value;
  }
}

static Value eval_slice(Eval *ev, const Expr *e) {
  Value start = e->slice.lower ? eval_expr(ev, e->slice.lower) : v_none();
  Value stop = e->slice.upper ? eval_expr(ev, e->slice.upper) : v_none();
  Value step = e->slice.step ? eval_expr(ev, e->slice.step) : v_none();
  return make_slice(ev, start, stop, step);
}

static Value eval_subscript(Eval *ev, const Expr *e) {
  Value v = eval_expr(ev, e->subscript.value);
  Object *fresh = fresh_object(ev, e->subscript.value, v);
  Value index = eval_expr(ev, e->subscript.index);
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
    }
  }
  ev->span = e->span;
  Value item = value_getitem(ev, v, index);
  item_made(ev, v, item, fresh);
  return item;
}

static Value eval_lambda(Eval *ev, const Expr *e) {
  Function *f = function_new(ev, ev->names->lambda, &e->lambda.params, e->lambda.scope, e);
  f->lambda = e->lambda.body;
  f->span = e->span;
  return v_object(f);
}

static bool truth_of(Eval *ev, const Expr *test) {
  Value value = eval_expr(ev, test);
  if (value.kind == V_BOOL) return value.i != 0;
  ev->span = test->span;
  return value_truth(ev, value);
}

bool eval_test(Eval *ev, const Expr *test) { return truth_of(ev, test); }

Value eval_expr(Eval *ev, const Expr *e) {
  switch (e->kind) {
  case EX_INT: return int_literal(ev, e);
  case EX_FLOAT: return v_float(e->float_literal);
  case EX_IMAGINARY:
  case EX_STR:
  case EX_BYTES: return literal(ev, e);
  case EX_JOINED_STR: return joined_str(ev, e);
  case EX_BOOL: return v_bool(e->boolean);
  case EX_NONE: return v_none();
  case EX_ELLIPSIS: return v_ellipsis();
  case EX_NAME: return load_name(ev, &e->name, e->span);
  case EX_ATTRIBUTE: {
    Value object = eval_expr(ev, e->attribute.value);
    ev->span = e->span;
    return value_getattr(ev, object, e->attribute.attr);
  }
  case EX_SUBSCRIPT: return eval_subscript(ev, e);
  case EX_SLICE: return eval_slice(ev, e);
  case EX_CALL: return eval_call(ev, e);
  case EX_BINARY: return eval_binary(ev, e);
  case EX_UNARY: return eval_unary(ev, e);
  case EX_BOOL_OP: return eval_bool_op(ev, e);
  case EX_COMPARE: return eval_compare(ev, e);
  case EX_IF_EXP:
    return eval_expr(ev, truth_of(ev, e->if_exp.test) ? e->if_exp.body : e->if_exp.orelse);
  case EX_LAMBDA: return eval_lambda(ev, e);
  case EX_TUPLE: return tuple_display(ev, e);
  case EX_LIST: {
    List *list = list_new(ev, e->elements.count);
    push_items(ev, list, &e->elements, NULL);
    return v_object(list);
  }
  case EX_SET: return set_display(ev, e);
  case EX_DICT: return dict_display(ev, e);
  case EX_LIST_COMP:
  case EX_SET_COMP:
  case EX_DICT_COMP:
  case EX_GENERATOR: return eval_comprehension(ev, e);
  case EX_YIELD: {
    Value item = e->yielded ? eval_expr(ev, e->yielded) : v_none();
    ev->span = e->span;
    return generator_yield(ev, item);
  }
  case EX_YIELD_FROM: {
    Value iterable = eval_expr(ev, e->yielded);
    ev->span = e->span;
    return generator_delegate(ev, iterable);
  }
  case EX_STARRED:
    eval_raise_at(ev, e->span, ev->types.SyntaxError, "can't use starred expression here");
  case EX_NAMED: {
    Value value = eval_expr(ev, e->named.value);
    store_name(ev, &e->named.target->name, value);
    return value;
  }
  case EX_REFUSED: eval_raise_at(ev, e->span, ev->types.NotImplementedError, "%s", e->refused);
  case EX_ERROR:
  case EX_COUNT: break;
  }
  eval_raise_at(ev, e->span, ev->types.SyntaxError, "invalid expression");
}

Value eval_returned(Eval *ev, const Expr *e) {
  Value value = eval_expr(ev, e);
  if (!fresh_object(ev, e, value)) ev->fresh = NULL;
  return value;
}
