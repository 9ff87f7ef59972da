// SPDX-License-Identifier: Apache-2.0
// Class statements: bases, keywords, the body, the metatype.
#include <string.h>

#include "python/values/evaluator_state.h"
#include "class.h"
#include "expr.h"
#include "function.h"
#include "stmt.h"
#include "type_alias.h"
#include "python/modules/module.h"
#include "python/modules/report.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/frame.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"

// ---- bases --------------------------------------------------------------------------------------
// Things in the list of bases that are no classes (Generic[T]) say which classes stand for them.
static Tuple *resolve_bases(Eval *ev, const List *given, bool *changed) {
  List *bases = list_new(ev, given->count);
  Value all = make_tuple(ev, given->count, given->items);
  *changed = false;
  for (size_t i = 0; i < given->count; i++) {
    Value base = given->items[i];
    Value entries = v_unbound();
    if (!is_type(ev, base)) entries = value_getattr_opt(ev, base, ev->names->mro_entries);
    if (entries.kind == V_UNBOUND) {
      list_push(ev, bases, base);
      continue;
    }
    const Tuple *classes = value_as_tuple(value_call_n(ev, entries, 1, &all));
    if (!classes) eval_raise(ev, ev->types.TypeError, "__mro_entries__ must return a tuple");
    for (size_t k = 0; k < classes->count; k++) list_push(ev, bases, classes->items[k]);
    *changed = true;
  }
  return (Tuple *)make_tuple(ev, bases->count, bases->items).o;
}

// Generic[T, *Ts], the last base of a class with type parameters.
static Value generic_of(Eval *ev, const Tuple *variables) {
  Tuple *items = tuple_new(ev, variables->count);
  for (size_t i = 0; i < variables->count; i++) {
    Value v = variables->items[i];
    bool is_several = is_a(v, (Type *)module_lookup(ev, "typing", "TypeVarTuple").o);
    items->items[i] = is_several ? value_getitem(ev, module_lookup(ev, "typing", "Unpack"), v) : v;
  }
  return value_getitem(ev, module_lookup(ev, "typing", "Generic"), v_object(items));
}

static List *eval_bases(Eval *ev, Stmt *stmt, const Tuple *variables) {
  List *bases = list_new(ev, stmt->class_def.bases.count);
  for (size_t i = 0; i < stmt->class_def.bases.count; i++) {
    Expr *e = stmt->class_def.bases.items[i];
    if (e->kind != EX_STARRED) {
      Value base = eval_expr(ev, e);
      if (variables->count) base = value_call_n(ev, base, variables->count, variables->items);
      list_push(ev, bases, base);
      continue;
    }
    const Tuple *more = value_to_tuple(ev, eval_expr(ev, e->starred));
    for (size_t k = 0; k < more->count; k++) list_push(ev, bases, more->items[k]);
  }
  if (variables->count) list_push(ev, bases, generic_of(ev, variables));
  return bases;
}

// Class keywords; `metaclass` is taken out.
static Args eval_keywords(Eval *ev, Stmt *stmt, Value *metaclass) {
  Dict *all = dict_new(ev);
  for (size_t i = 0; i < stmt->class_def.keyword_count; i++) {
    const Keyword *keyword = &stmt->class_def.keywords[i];
    Value value = eval_expr(ev, keyword->value);
    if (keyword->name == ev->names->metaclass)
      *metaclass = value;
    else if (keyword->name)
      dict_set_name(ev, all, keyword->name, value);
    else if (!mapping_update(ev, all, value))
      eval_raise_at(ev, keyword->value->span, ev->types.TypeError,
                    "argument after ** must be a mapping, not %s", value_type_name(ev, value));
  }
  Name *names = ARENA_ARRAY(ev->arena, Name, all->count);
  Value *values = ARENA_ARRAY(ev->arena, Value, all->count);
  Args args = {.kw_names = names, .kw_values = values};
  DictEntry *entry;
  for (size_t it = 0; dict_next(all, &it, &entry); args.kw_count++) {
    names[args.kw_count] = name_intern(ev->session->interner, take_str(ev, entry->key, "keyword"));
    values[args.kw_count] = entry->value;
  }
  return args;
}

// What makes the class: a metatype, or anything else that can be called in its place.
static Value choose_maker(Eval *ev, Value metaclass, const Tuple *bases) {
  if (metaclass.kind != V_UNBOUND && !is_type(ev, metaclass)) return metaclass;
  Type *given = metaclass.kind == V_UNBOUND ? ev->types.type : (Type *)metaclass.o;
  return v_object(winning_metatype(ev, given, bases));
}

static bool is_type_itself(const Eval *ev, Value maker) {
  return maker.kind == V_OBJECT && maker.o == (Object *)ev->types.type;
}

// ---- the body -----------------------------------------------------------------------------------
static void run_body(Eval *ev, Stmt *stmt, ClassBody *body) {
  Frame frame = {.function = stmt->class_def.name,
                 .module = body->module,
                 .env = body->env,
                 .class_dict = body->names,
                 .code = body->code,
                 .body = body};
  frame_push(ev, &frame);
  Value ignored = v_none();
  eval_block(ev, &stmt->class_def.body, &ignored);
  frame_pop(ev, &frame);
}

// Of a part of a module of ours, as `argparse._help`, classes are the module's.
static Value module_of_classes(Eval *ev, const ModuleObject *module) {
  Value name = dict_get_name(module->dict, ev->names->name);
  Str text;
  if (!module->file || !module->file->is_builtin || !value_as_str(name, &text)) return name;
  for (size_t i = 1; i + 1 < text.len; i++)
    if (text.data[i] == '.' && text.data[i + 1] == '_') return make_str(ev, (Str){text.data, i});
  return name;
}

static ClassBody *body_new(Eval *ev, Stmt *stmt, Dict *names) {
  ClassBody *body = ARENA_NEW(ev->arena, ClassBody);
  Frame *frame = ev->frame;
  body->name = stmt->class_def.name;
  body->qualname = scope_qualname(ev, body->name, stmt);
  body->span = stmt_decorated_span(stmt);
  body->env = frame->env;
  env_keep(body->env);
  body->code = frame->code;
  body->module = frame->module;
  body->names = names;
  dict_set_name(ev, names, ev->names->module, module_of_classes(ev, frame->module));
  dict_set_name(ev, names, ev->names->qualname, make_name(ev, body->qualname));
  if (stmt->class_def.has_doc)
    dict_set_name(ev, names, ev->names->doc, make_str(ev, stmt->class_def.doc));
  return body;
}

static Dict *prepare(Eval *ev, Value maker, Value name, Tuple *bases, const Args *keywords) {
  if (is_type_itself(ev, maker)) return dict_new(ev);
  Value items[] = {name, v_object(bases)};
  Args args = *keywords;
  args.count = 2;
  args.items = items;
  Value hook = value_getattr_opt(ev, maker, ev->names->prepare);
  if (hook.kind == V_UNBOUND) return dict_new(ev);
  Value made = value_call(ev, hook, &args);
  Dict *names = value_as_dict(made);
  if (!names)
    eval_raise(ev, ev->types.TypeError, "%s.__prepare__() must return a mapping, not %s",
               is_type(ev, maker) ? ((Type *)maker.o)->name->text : "<metaclass>",
               value_type_name(ev, made));
  return names;
}

static void warn_of_finalizer(Eval *ev, const ClassBody *body) {
  if (dict_get_name(body->names, ev->names->del).kind == V_UNBOUND) return;
  eval_warn(ev, WARN_IGNORED,
            "%s.__del__ has no effect: it is not called when an object is not used any more",
            body->name->text);
}

static Value make_class(Eval *ev, Value maker, Stmt *stmt, Tuple *bases, ClassBody *body,
                        const Args *keywords) {
  Name name = stmt->class_def.name;
  ev->core->pending_body = body;
  warn_of_finalizer(ev, body);
  Value made;
  if (is_type_itself(ev, maker)) {
    made = v_object(type_new_of(ev, ev->types.type, name, bases, body->names, keywords));
  } else {
    Value items[] = {make_name(ev, name), v_object(bases), v_object(body->names)};
    Args args = *keywords;
    args.count = 3;
    args.items = items;
    made = value_call(ev, maker, &args);
    if (is_type(ev, made)) class_set_owner(body, (Type *)made.o);
  }
  ev->core->pending_body = NULL;
  return made;
}

void class_execute(Eval *ev, Stmt *stmt) {
  const Value *decorators = eval_decorators(ev, &stmt->class_def.decorators);
  Value metaclass = v_unbound();
  Tuple *variables = make_type_variables(ev, stmt->class_def.type_params);
  List *given = eval_bases(ev, stmt, variables);
  Args keywords = eval_keywords(ev, stmt, &metaclass);
  bool changed;
  ev->span = stmt->class_def.name_span;
  Tuple *bases = resolve_bases(ev, given, &changed);
  Value maker = choose_maker(ev, metaclass, bases);
  Dict *names = prepare(ev, maker, make_name(ev, stmt->class_def.name), bases, &keywords);
  ClassBody *body = body_new(ev, stmt, names);
  if (variables->count) dict_set_name(ev, names, ev->names->type_params, v_object(variables));
  run_body(ev, stmt, body);
  if (changed)
    dict_set_name(ev, names, ev->names->orig_bases, make_tuple(ev, given->count, given->items));
  ev->span = stmt->class_def.name_span;
  Value made = make_class(ev, maker, stmt, bases, body, &keywords);
  made = decorate(ev, &stmt->class_def.decorators, decorators, made);
  store_name(ev, &stmt->class_def.bind, made);
}
