// SPDX-License-Identifier: Apache-2.0
// import and from … import as statements; finding modules is import.c's.
#include <string.h>

#include "base/buf.h"
#include "python/values/evaluator_state.h"
#include "expr.h"
#include "import_stmt.h"
#include "python/modules/import.h"
#include "python/modules/prelude.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/objects/attribute.h"
#include "python/objects/dir.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/values/values.h"

static Str join_path(Eval *ev, const Name *path, size_t count) {
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < count; i++) {
    if (i) buf_char(&buf, '.');
    buf_str(&buf, name_str(path[i]));
  }
  return buf_view(&buf);
}

static Value imported(Eval *ev, Str dotted) {
  Value found = import_stand_in(ev, dotted);
  return found.kind != V_UNBOUND ? found : v_object(import_dotted(ev, dotted));
}

void eval_import(Eval *ev, Stmt *stmt) {
  for (size_t i = 0; i < stmt->import.count; i++) {
    ImportName *name = &stmt->import.names[i];
    ev->span = name->span;
    Value module = imported(ev, join_path(ev, name->path, name->path_count));
    if (!name->as && name->path_count > 1) {
      ev->span = name->span;
      module = imported(ev, name_str(name->path[0]));
    }
    store_name(ev, &name->bind, module);
  }
}

// The absolute name of what `from … import` imports from.
static Str source_path(Eval *ev, Stmt *stmt) {
  Str path = join_path(ev, stmt->import_from.module, stmt->import_from.module_count), package = {0};
  value_as_str(dict_get_name(ev->frame->module->dict, ev->names->package), &package);
  return import_absolute(ev, package, path, stmt->import_from.level);
}

static void bind_star(Eval *ev, Name name, Value value) {
  NameRef ref = {.name = name, .where = ev->frame->class_dict ? NAME_CLASS : NAME_GLOBAL};
  store_name(ev, &ref, value);
}

static void import_star(Eval *ev, ModuleObject *module) {
  prelude_define_all(ev, module);
  Value all = dict_get_name(module->dict, ev->names->all);
  if (all.kind != V_UNBOUND) {
    const Tuple *names = value_to_tuple(ev, all);
    for (size_t i = 0; i < names->count; i++) {
      Name name =
          name_intern(ev->session->interner, take_str(ev, names->items[i], "item in __all__"));
      bind_star(ev, name, import_from(ev, (Str){0}, module, name));
    }
    return;
  }
  const List *names = value_dir(ev, v_object(module));
  for (size_t i = 0; i < names->count; i++) {
    Str text;
    if (!value_as_str(names->items[i], &text) || text.len == 0 || text.data[0] == '_') continue;
    Name name = name_intern(ev->session->interner, text);
    bind_star(ev, name, import_from(ev, (Str){0}, module, name));
  }
}

// from __future__ import …: what it names is how things are anyway, or does not concern us.
static bool is_future(Stmt *stmt) {
  return stmt->import_from.level == 0 && stmt->import_from.module_count == 1 &&
         strcmp(stmt->import_from.module[0]->text, "__future__") == 0;
}

static void check_future(Eval *ev, ImportName *name) {
  static const char *const features[] = {
      "annotations",    "division",         "print_function", "absolute_import", "generators",
      "with_statement", "unicode_literals", "nested_scopes",  "generator_stop",  "barry_as_FLUFL"};
  for (size_t i = 0; i < COUNT_OF(features); i++)
    if (strcmp(features[i], name->path[0]->text) == 0) return;
  eval_raise_at(ev, name->span, ev->types.SyntaxError, "future feature %s is not defined",
                name->path[0]->text);
}

// from … import, of an object that stands for the module.
static void import_from_stand_in(Eval *ev, Stmt *stmt, Str path, Value object) {
  if (stmt->import_from.is_star) {
    const List *names = value_dir(ev, object);
    for (size_t i = 0; i < names->count; i++) {
      Name name = name_intern(ev->session->interner, take_str(ev, names->items[i], "name"));
      if (name->text[0] != '_') bind_star(ev, name, value_getattr(ev, object, name));
    }
    return;
  }
  for (size_t i = 0; i < stmt->import_from.count; i++) {
    ImportName *name = &stmt->import_from.names[i];
    ev->span = name->span;
    Value found = value_getattr_opt(ev, object, name->path[0]);
    if (found.kind == V_UNBOUND)
      raise_import(ev, ev->types.ImportError, name_intern(ev->session->interner, path), object,
                   (Str){0}, "cannot import name '%s' from '%.*s' (unknown location)",
                   name->path[0]->text, STR_FMT(path));
    store_name(ev, &name->bind, found);
  }
}

void eval_import_from(Eval *ev, Stmt *stmt) {
  if (is_future(stmt)) {
    for (size_t i = 0; i < stmt->import_from.count; i++) {
      check_future(ev, &stmt->import_from.names[i]);
      ev->frame->module->has_postponed |= stmt->import_from.names[i].path[0] ==
                                          name_intern(ev->session->interner, STR("annotations"));
    }
    return;
  }
  ev->span = stmt->span;
  Str path = source_path(ev, stmt);
  Value stand_in = import_stand_in(ev, path);
  if (stand_in.kind != V_UNBOUND) return import_from_stand_in(ev, stmt, path, stand_in);
  ModuleObject *module = import_dotted(ev, path);
  if (stmt->import_from.is_star) {
    ev->span = stmt->span;
    import_star(ev, module);
    return;
  }
  for (size_t i = 0; i < stmt->import_from.count; i++) {
    ImportName *name = &stmt->import_from.names[i];
    ev->span = name->span;
    store_name(ev, &name->bind, import_from(ev, path, module, name->path[0]));
  }
}
