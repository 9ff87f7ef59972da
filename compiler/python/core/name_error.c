// SPDX-License-Identifier: Apache-2.0
// NameError, with the name that was probably meant.
#include <string.h>

#include "python/values/evaluator_state.h"
#include "python/modules/module.h"
#include "name_error.h"
#include "python/values/dict.h"
#include "python/objects/dir.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"

// In a method, an attribute of that name was probably meant.
static Str self_hint(Eval *ev, const Frame *frame, Name name) {
  const Function *code = frame->code;
  if (!code || !code->owner || !code->params->positional || !frame->env) return (Str){0};
  const Env *env = frame->env;
  while (env && env->scope != code->scope) env = env->outer;
  if (!env || env->slots[0].kind == V_UNBOUND) return (Str){0};
  const Dict *own = instance_dict(env->slots[0]); // nothing of the program's is run here
  if (type_lookup(ev, type_of(ev, env->slots[0]), name).kind == V_UNBOUND &&
      (!own || dict_get_name(own, name).kind == V_UNBOUND))
    return (Str){0};
  return str_format(ev->arena, "did you mean '%s.%s'?", env->scope->slots[0]->text, name->text);
}

// What a .pk file has without an import.
static Str import_hint(Eval *ev, const Frame *frame, Name name) {
  if (!frame->module || frame->module->has_customary) return (Str){0};
  Str import = module_customary_import(ev, name);
  if (!import.len) return (Str){0};
  return str_format(ev->arena, "a .pk file has it without an import, a .py file needs '%.*s'",
                    STR_FMT(import));
}

// math where there is no import of it.
static Str module_hint(Eval *ev, Name name) {
  if (name->text[0] == '_' || !module_def(ev, name)) return (Str){0};
  return str_format(ev->arena, "did you forget 'import %s'?", name->text);
}

// The function defined in these statements that has a variable of the name; NULL: none.
static Name function_with(const StmtList *body, Name name) {
  Name found = NULL;
  for (size_t i = 0; i < body->count && !found; i++) {
    const Stmt *stmt = body->items[i];
    if (stmt->kind == ST_IF) {
      found = function_with(&stmt->if_stmt.body, name);
      if (!found) found = function_with(&stmt->if_stmt.orelse, name);
    } else if (stmt->kind == ST_FOR) {
      found = function_with(&stmt->for_loop.body, name);
    } else if (stmt->kind == ST_FUNCTION_DEF) {
      const Scope *scope = stmt->function.scope;
      for (uint32_t k = (uint32_t)stmt->function.params.count; k < scope->slot_count; k++)
        if (scope->slots[k] == name) found = stmt->function.name;
    }
  }
  return found;
}

// A variable of a function inside of the one that runs.
static Str inner_hint(Eval *ev, const Frame *frame, Name name) {
  if (!frame->code || !frame->code->body) return (Str){0};
  Name function = function_with(frame->code->body, name);
  if (!function) return (Str){0};
  Str traced = ev->hooks.assigned_inner ? ev->hooks.assigned_inner(ev, name) : (Str){0};
  return str_format(ev->arena, "'%s' is a variable of the function '%s' alone%.*s", name->text,
                    function->text, STR_FMT(traced));
}

// Whether a parameter list as text has the name.
static bool has_word(Str text, Str word) {
  for (size_t i = 0; i + word.len <= text.len; i++) {
    if (memcmp(text.data + i, word.data, word.len) != 0) continue;
    bool begins = i == 0 || text.data[i - 1] == ' ' || text.data[i - 1] == ',';
    char next = i + word.len < text.len ? text.data[i + word.len] : ',';
    if (begins && (next == ',' || next == ' ' || next == '=')) return true;
  }
  return false;
}

// Where the text from a lambda on ends it, the comma behind its body; 0: it goes on.
static size_t end_of_lambda(Str text, size_t colon) {
  int depth = 0;
  for (size_t i = colon; i < text.len; i++) {
    char c = text.data[i];
    if (c == '(' || c == '[' || c == '{') depth++;
    if ((c == ')' || c == ']' || c == '}') && --depth < 0) return 0;
    if (c == ',' && depth == 0) return i;
  }
  return 0;
}

// A parameter of the lambda before it: in `lambda b, i: b, i` the lambda is over at the second
// comma.
static Str lambda_hint(Eval *ev, Name name) {
  static const char word[] = "lambda ";
  const SourceFile *file = source_get(ev->session, ev->span.file);
  if (!file) return (Str){0};
  LineCol at = source_line_col(file, ev->span.begin);
  Str line = source_line(file, at.line);
  line.len = at.column - 1;
  for (size_t begin = line.len; begin-- > 0;) {
    Str text = {line.data + begin, line.len - begin};
    if (!str_starts_with(text, str_from_c(word))) continue;
    const char *colon = memchr(text.data, ':', text.len);
    if (!colon) return (Str){0};
    Str params = {text.data + sizeof word - 1, (size_t)(colon - text.data) - (sizeof word - 1)};
    size_t end = end_of_lambda(text, (size_t)(colon - text.data));
    if (!end || !has_word(params, name_str(name))) return (Str){0};
    const char *body = colon + 1;
    while (*body == ' ') body++;
    return str_format(ev->arena,
                      "the lambda before it ends at the comma: several values that it gives are in "
                      "parentheses, '%.*s (%.*s, %s)'",
                      (int)(colon + 1 - text.data), text.data, (int)(text.data + end - body), body,
                      name->text);
  }
  return (Str){0};
}

// The names that a running function sees, nearest first.
static Str name_hint(Eval *ev, Name name) {
  Suggestion s;
  suggestion_init(&s, name_str(name));
  const Frame *frame = ev->frame;
  if (!frame) return (Str){0};
  Str of_lambda = lambda_hint(ev, name);
  if (of_lambda.len) return of_lambda;
  Str of_self = self_hint(ev, frame, name);
  if (of_self.len) return of_self;
  Str of_inner = inner_hint(ev, frame, name);
  if (of_inner.len) return of_inner;
  Str of_import = import_hint(ev, frame, name);
  if (of_import.len) return of_import;
  Str of_above = (Str){0};
  if (frame->module && ev->hooks.suggest) of_above = ev->hooks.suggest(ev, frame->module, name);
  if (of_above.len) return of_above;
  for (const Env *env = frame->env; env; env = env->outer)
    for (uint32_t i = 0; i < env->scope->slot_count; i++)
      if (env->slots[i].kind != V_UNBOUND) suggestion_try(&s, name_str(env->scope->slots[i]));
  if (frame->class_dict) suggestion_try_dict(&s, frame->class_dict);
  if (frame->module) suggestion_try_dict(&s, frame->module->dict);
  if (frame->module && frame->module->has_customary) module_suggest_customary(ev, &s);
  const List *builtins =
      value_dir(ev, v_object(ev->builtins)); // those that nobody has used as well
  for (size_t i = 0; i < builtins->count; i++) {
    Str text;
    if (value_as_str(builtins->items[i], &text)) suggestion_try(&s, text);
  }
  Str nearest = suggestion_hint(ev, &s);
  return nearest.len ? nearest : module_hint(ev, name);
}

// A name that the function assigns to somewhere is its own from its first line on.
static Str unbound_hint(Eval *ev, Name name) {
  const Frame *frame = ev->frame;
  const char *around = NULL;
  for (const Env *env = frame->env ? frame->env->outer : NULL; env && !around; env = env->outer)
    for (uint32_t i = 0; i < env->scope->slot_count; i++)
      if (env->scope->slots[i] == name && env->slots[i].kind != V_UNBOUND) around = "nonlocal";
  // A function that uses nothing else of those around it has no Env of theirs: its callers have.
  for (const Frame *f = frame->caller; f && !around && frame->code; f = f->caller) {
    if (!f->code || !f->code->body || !f->env || f->env->scope != f->code->scope ||
        function_with(f->code->body, name) != frame->code->name)
      continue;
    for (uint32_t i = 0; i < f->env->scope->slot_count; i++)
      if (f->env->scope->slots[i] == name && f->env->slots[i].kind != V_UNBOUND)
        around = "nonlocal";
  }
  if (!around && frame->module && dict_get_name(frame->module->dict, name).kind != V_UNBOUND)
    around = "global";
  if (!around) return (Str){0};
  Str traced = ev->hooks.assigned_outer ? ev->hooks.assigned_outer(ev, name) : (Str){0};
  if (traced.len) return traced;
  return str_format(ev->arena,
                    "'%s' is assigned in '%s', which makes it a variable of that function; '%s %s' "
                    "at its head means the one outside",
                    name->text, frame->function->text, around, name->text);
}

void raise_name(Eval *ev, Type *type, Name name, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  ExceptionObject *exception = exception_new(ev, type, str_vformat(ev->arena, fmt, args));
  va_end(args);
  exception->name = name;
  if (type == ev->types.NameError) exception->hint = name_hint(ev, name);
  if (type == ev->types.UnboundLocalError) exception->hint = unbound_hint(ev, name);
  eval_raise_value(ev, v_object(exception));
}
