// SPDX-License-Identifier: Apache-2.0
// What else a file names that is not there: where a NameError ends a program, or an AttributeError
// of a module does, other such mistakes that it has would end it one by one.
#include <string.h>

#include "base/map.h"
#include "python/objects/attribute.h"
#include "python/values/evaluator_state.h"
#include "module.h"
#include "report.h"
#include "unresolved.h"
#include "python/values/dict.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/values/values.h"

typedef struct Unresolved {
  Eval *ev;
  Diag *diag;
  ModuleObject *module;
  Span first; // that the exception is about
  Name wrong; // of a NameError
  VEC(GlobalRead) reads;
  Map *met;        // by name: a Map of its attributes, and of itself for the name alone
  size_t notes;    // that may still be made
  bool is_dynamic; // names come from elsewhere as well
} Unresolved;

static void keep_read(void *data, const GlobalRead *read) {
  static const char *const dynamic[] = {"globals", "exec", "vars", "setattr", "eval"};
  Unresolved *u = data;
  GlobalRead kept = *read;
  Name *own = ARENA_ARRAY(u->ev->arena, Name, read->own_count);
  for (size_t i = 0; i < read->own_count; i++) own[i] = read->own[i];
  kept.own = own;
  VEC_PUSH(u->ev->arena, &u->reads, kept);
  for (size_t i = 0; i < COUNT_OF(dynamic); i++)
    u->is_dynamic |= str_equal(name_str(read->name), str_from_c(dynamic[i]));
}

static Str near_name(Eval *ev, const Unresolved *u, const GlobalRead *read) {
  Suggestion s;
  suggestion_init(&s, name_str(read->name));
  for (size_t i = 0; i < read->own_count; i++) suggestion_try(&s, name_str(read->own[i]));
  suggestion_try_dict(&s, u->module->dict);
  if (u->module->has_customary) module_suggest_customary(ev, &s);
  return suggestion_hint(ev, &s);
}

typedef struct Attribute {
  Value object;
  Name name;
} Attribute;

static void try_attribute(Eval *ev, void *data) {
  const Attribute *a = data;
  value_getattr(ev, a->object, a->name);
}

static void note_attribute(Eval *ev, Unresolved *u, const GlobalRead *read, Value object) {
  Attribute a = {object, read->attr};
  if (!is_a(object, ev->types.module)) return;
  const ModuleObject *module = (const ModuleObject *)object.o;
  bool is_users = module->file && !module->file->is_builtin;
  Value raised;
  if (is_users || module->is_absent || eval_try(ev, try_attribute, &a, &raised)) return;
  if (raised.o->type != ev->types.AttributeError) return;
  u->notes--;
  diag_note(ev->session, u->diag, read->span, "another %.*s",
            STR_FMT(exception_text(ev, (ExceptionObject *)raised.o)));
}

// Whether the name, or the attribute, has been met before.
static bool is_met(Unresolved *u, const GlobalRead *read) {
  Map *attributes = map_get(u->met, read->name);
  if (!attributes) map_set(u->met, read->name, attributes = map_new(u->ev->arena));
  const void *what = read->attr ? (const void *)read->attr : attributes;
  bool is_known = map_has(attributes, what);
  map_set(attributes, what, u);
  return is_known;
}

static void note_read(Eval *ev, Unresolved *u, const GlobalRead *read) {
  if (read->span.begin == u->first.begin || read->name == u->wrong || is_met(u, read) ||
      str_starts_with(name_str(read->name), STR("__")))
    return;
  Value value = global_lookup(ev, u->module, read->name);
  if (value.kind != V_UNBOUND) {
    if (read->attr) note_attribute(ev, u, read, value);
    return;
  }
  if (!read->is_unbound) return; // its line has not been run yet
  u->notes--;
  Str hint = near_name(ev, u, read);
  Span span = read->span;
  span.end = span.begin + (uint32_t)read->name->len;
  diag_note(ev->session, u->diag, span, "name '%s' is not defined, either%s%.*s", read->name->text,
            hint.len ? "; " : "", STR_FMT(hint));
}

static ModuleObject *module_of_file(Eval *ev, uint32_t file) {
  if (ev->main && ev->main->file && ev->main->file->id == file) return ev->main;
  DictEntry *entry;
  for (size_t it = 0; dict_next(ev->modules, &it, &entry);) {
    if (!is_a(entry->value, ev->types.module)) continue;
    ModuleObject *module = (ModuleObject *)entry->value.o;
    if (module->file && module->file->id == file) return module;
  }
  return NULL;
}

void unresolved_report(Eval *ev, Diag *diag, const ExceptionObject *exception) {
  const Type *type = exception->instance.base.type;
  bool is_of_module = type == ev->types.AttributeError && is_a(exception->object, ev->types.module);
  if ((type != ev->types.NameError && !is_of_module) || !exception->name) return;
  Unresolved u = {.ev = ev,
                  .diag = diag,
                  .first = diag->span,
                  .met = map_new(ev->arena),
                  .notes = ev->session->max_errors};
  if (!is_of_module) u.wrong = exception->name;
  u.module = module_of_file(ev, diag->span.file);
  if (!u.module || u.module->file->is_builtin) return;
  Session *session = ev->session;
  bool warning_on[WARN_COUNT];
  memcpy(warning_on, session->warning_on, sizeof warning_on);
  memset(session->warning_on, 0, sizeof warning_on); // of this text they have been given
  syntax_each_global_read(session, u.module->file, ev->arena, keep_read, &u);
  for (size_t i = 0; i < u.reads.count && u.notes && !u.is_dynamic; i++)
    note_read(ev, &u, &u.reads.items[i]);
  memcpy(session->warning_on, warning_on, sizeof warning_on);
}
