// SPDX-License-Identifier: Apache-2.0
// Modules: their attributes and natives. How they are found is in import.c, the preludes are in
// prelude.c.
#include <string.h>

#include "base/map.h"
#include "python/values/evaluator_state.h"
#include "import.h"
#include "module.h"
#include "patch.h"
#include "prelude.h"
#include "python/values/dict.h"
#include "python/values/frame.h"
#include "python/values/new_value.h"
#include "python/objects/dir.h"
#include "python/objects/mapping.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/signature.h"
#include "python/values/suggest.h"
#include "python/objects/type.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/objects/generic.h"

// A module that is written in the language alone has a definition of its name alone.
static void define_library(Eval *ev, Map *defs) {
  for (const LibraryFile *file = library_files; file->module; file++) {
    Name name = intern(ev, file->module);
    if (map_has(defs, name)) continue;
    ModuleDef *def = ARENA_NEW(ev->arena, ModuleDef);
    *def = (ModuleDef){.name = file->module};
    map_set(defs, name, def);
  }
}

// ---- what the floors provide --------------------------------------------------------------------
void modules_register(Eval *ev, const ModuleTable *table) {
  VEC_PUSH(ev->arena, &ev->core->tables, table);
}

const ModuleDef *module_def(Eval *ev, Name name) {
  struct EvalCore *core = ev->core;
  if (!core->defs) {
    core->defs = map_new(ev->arena);
    for (size_t t = 0; t < core->tables.count; t++) {
      const ModuleTable *table = core->tables.items[t];
      for (size_t i = 0; i < table->count; i++)
        map_set(core->defs, intern(ev, table->defs[i]->name), table->defs[i]);
    }
    define_library(ev, core->defs);
  }
  return map_get(core->defs, name);
}

const char *module_elsewhere(const Eval *ev, Str name) {
  Str root = {name.data, 0};
  while (root.len < name.len && name.data[root.len] != '.') root.len++;
  for (size_t t = 0; t < ev->core->tables.count; t++) {
    const ModuleTable *table = ev->core->tables.items[t];
    if (table->facade && str_equal(root, str_from_c(table->facade))) return table->elsewhere;
  }
  return NULL;
}

bool module_is_absent(Eval *ev, Name name) {
  struct EvalCore *core = ev->core;
  if (!core->absent) {
    core->absent = map_new(ev->arena);
    for (size_t t = 0; t < core->tables.count; t++) {
      const ModuleTable *table = core->tables.items[t];
      for (size_t i = 0; i < table->absent_count; i++)
        map_set(core->absent, intern(ev, table->absent[i]), table->absent[i]);
    }
  }
  return map_get(core->absent, name);
}

static const CustomaryName *customary_name(Eval *ev, Name name) {
  struct EvalCore *core = ev->core;
  if (!core->customary) {
    core->customary = map_new(ev->arena);
    for (size_t t = 0; t < core->tables.count; t++) {
      const ModuleTable *table = core->tables.items[t];
      for (size_t i = 0; i < table->customary_count; i++)
        map_set(core->customary, intern(ev, table->customary[i].name), &table->customary[i]);
    }
  }
  return map_get(core->customary, name);
}

Str module_customary_import(Eval *ev, Name name) {
  const CustomaryName *entry = customary_name(ev, name);
  if (!entry) return (Str){0};
  const char *found = entry->attribute ? entry->attribute : entry->module;
  bool same = str_equal(str_from_c(found), str_from_c(entry->name));
  return str_format(ev->arena, "%s%s%s%s%s%s", entry->attribute ? "from " : "",
                    entry->attribute ? entry->module : "",
                    entry->attribute ? " import " : "import ", found, same ? "" : " as ",
                    same ? "" : entry->name);
}

void module_suggest_children(Eval *ev, const ModuleObject *module, Suggestion *s) {
  Str own = name_str(module->name);
  module_def(ev, module->name); // makes the table
  const void *key;
  for (size_t it = 0; map_next(ev->core->defs, &it, &key, NULL);) {
    Str other = name_str((Name)key);
    if (other.len <= own.len || other.data[own.len] != '.' || !str_starts_with(other, own))
      continue;
    Str child = {other.data + own.len + 1, other.len - own.len - 1};
    if (!memchr(child.data, '.', child.len)) suggestion_try(s, child);
  }
}

void module_suggest_customary(Eval *ev, Suggestion *s) {
  for (size_t t = 0; t < ev->core->tables.count; t++) {
    const ModuleTable *table = ev->core->tables.items[t];
    for (size_t i = 0; i < table->customary_count; i++)
      suggestion_try(s, str_from_c(table->customary[i].name));
  }
}

// ---- natives ------------------------------------------------------------------------------------
static Value native_of(Eval *ev, ModuleObject *module, Name name) {
  const NativeDef *def = module->def ? module->def->functions : NULL;
  for (; def && def->signature; def++) {
    if (strncmp(def->signature, name->text, name->len) != 0 || def->signature[name->len] != '(')
      continue;
    Value native = make_native(ev, def);
    ((NativeFunction *)native.o)->attributes = module->def->attributes;
    if (ev->hooks.rule) ((NativeFunction *)native.o)->rule = ev->hooks.rule(ev, module, name);
    dict_set_name(ev, module->dict, name, native);
    return native;
  }
  return v_unbound();
}

// Stand-ins for packages of others say in __not_supported__ which names they know, with why they
// lack them, or None.
static const NotSupported *stand_in_lacks(Eval *ev, const ModuleObject *module, Name name) {
  if (module->def || !module->file || !module->file->is_builtin) return NULL;
  const Dict *names = value_as_dict(dict_get_name(module->dict, intern(ev, "__not_supported__")));
  Value why = names ? dict_get(ev, names, make_name(ev, name)) : v_unbound();
  if (why.kind == V_UNBOUND) return NULL;
  NotSupported *entry = ARENA_NEW(ev->arena, NotSupported);
  Str text;
  *entry = (NotSupported){name->text, value_as_str(why, &text) ? text.data : NULL};
  return entry;
}

const NotSupported *module_not_supported(Eval *ev, const ModuleObject *module, Name name) {
  const NotSupported *entry = module->def ? module->def->not_supported : NULL;
  for (; entry && entry->name; entry++)
    if (strcmp(entry->name, name->text) == 0) return entry;
  return stand_in_lacks(ev, module, name);
}

NORETURN static void raise_not_supported(Eval *ev, const char *module, const char *name,
                                         const char *why) {
  if (why)
    eval_raise(ev, ev->types.NotImplementedError, "'%s.%s' is not supported: %s", module, name,
               why);
  eval_raise(ev, ev->types.NotImplementedError, "'%s.%s' is not yet supported", module, name);
}

// Raises NotImplementedError if the module knows the name as one that is not supported.
static void module_check_supported(Eval *ev, const ModuleObject *module, Name name) {
  const NotSupported *missing = module_not_supported(ev, module, name);
  if (missing) raise_not_supported(ev, module->name->text, name->text, missing->why);
  if (module->is_absent && !is_dunder(name) &&
      !module_is_absent(ev, child_module_name(ev, module, name)))
    raise_not_supported(ev, module->name->text, name->text, module->absence);
}

void module_run(Eval *ev, ModuleObject *module, const StmtList *body) {
  Frame frame = {.function = ev->names->module_frame, .module = module};
  frame_push(ev, &frame);
  Value ignored = v_none();
  ev->core->above.run_block(ev, body, &ignored);
  frame_pop(ev, &frame);
}

// ---- attributes ---------------------------------------------------------------------------------
// Of what was imported: how importlib finds it.
static Value module_spec(Eval *ev, ModuleObject *module) {
  if (module == ev->main || (!module->def && !module->file)) return v_none();
  Value text = make_name(ev, module->name);
  return value_call_n(ev, module_lookup(ev, "importlib.util", "find_spec"), 1, &text);
}

Value module_getattr(Eval *ev, ModuleObject *module, Name name) {
  if (patch_is_deleted(ev, module, name)) return v_unbound();
  Value found = patch_find(ev, module, name);
  if (found.kind != V_UNBOUND) return found;
  found = dict_get_name(module->dict, name);
  if (found.kind != V_UNBOUND) return found;
  found = prelude_define(ev, module, name);
  if (found.kind != V_UNBOUND) return found;
  found = native_of(ev, module, name);
  if (found.kind != V_UNBOUND) return found;
  if (name == ev->names->dict) {
    prelude_define_all(ev, module);
    return v_object(patched_dict(ev, module));
  }
  module_check_supported(ev, module, name);
  if (module->def || !module->file) {
    ModuleObject *child = import_provided_child(ev, module, name);
    if (child) return v_object(child);
  }
  if (name == ev->names->spec) return module_spec(ev, module);
  if (module_load_prelude(ev, module)) {
    found = dict_get_name(module->dict, name);
    if (found.kind == V_UNBOUND) found = prelude_define(ev, module, name);
    if (found.kind != V_UNBOUND) return found;
  }
  if (name == ev->names->doc) return v_none();
  Value hook = dict_get_name(module->dict, ev->names->getattr);
  if (hook.kind == V_UNBOUND) hook = prelude_define(ev, module, ev->names->getattr);
  if (hook.kind == V_UNBOUND || is_dunder(name)) return v_unbound();
  Value text = make_name(ev, name);
  return value_call_n(ev, hook, 1, &text);
}

Value module_lookup(Eval *ev, const char *dotted, const char *name) {
  ModuleObject *module = module_import(ev, str_from_c(dotted));
  Value found = module_getattr(ev, module, intern(ev, name));
  if (found.kind == V_UNBOUND) BUG("no '%s' in the module '%s'", name, dotted);
  return found;
}

static Value module_own(Eval *ev, Value self, Name name) {
  return module_getattr(ev, (ModuleObject *)value_unwrap(self).o, name);
}

// What is defined when it is asked for would be there again.
static bool delete_of_library(Eval *ev, ModuleObject *module, Name name) {
  if (module_getattr(ev, module, name).kind == V_UNBOUND)
    raise_attribute(ev, v_object(module), name, "'module' object has no attribute '%s'",
                    name->text);
  if (!module->deleted) module->deleted = dict_new(ev);
  dict_set_name(ev, module->deleted, name, v_none());
  if (!patch_set(ev, module, name, v_unbound())) dict_remove_name(module->dict, name);
  return true;
}

static bool module_setattr(Eval *ev, Value self, Name name, Value value) {
  ModuleObject *module = (ModuleObject *)value_unwrap(self).o;
  if (module->def && value.kind == V_UNBOUND) return delete_of_library(ev, module, name);
  if (module->deleted) dict_remove_name(module->deleted, name);
  if (patch_set(ev, module, name, value)) return true;
  if (value.kind != V_UNBOUND)
    dict_set_name(ev, module->dict, name, value);
  else if (!dict_remove_name(module->dict, name))
    raise_attribute(ev, self, name, "'module' object has no attribute '%s'", name->text);
  return true;
}

static Str module_repr(Eval *ev, Value self) {
  const ModuleObject *module = (const ModuleObject *)value_unwrap(self).o;
  if (module->file && !module->def)
    return str_format(ev->arena, "<module '%s' from '%.*s'>", module->name->text,
                      STR_FMT(module->file->path));
  return str_format(ev->arena,
                    module->def || module->is_absent ? "<module '%s' (built-in)>" : "<module '%s'>",
                    module->name->text);
}

static uint64_t module_hash(Eval *ev UNUSED, Value self) { return object_identity_hash(self); }

// ---- globals ------------------------------------------------------------------------------------
// ---- names that belong to another module --------------------------------------------------------
typedef struct Elsewhere {
  const char *module;
  Name name;
  bool found;
} Elsewhere;

static void look_elsewhere(Eval *ev, void *data) {
  Elsewhere *e = data;
  ModuleObject *module = module_import(ev, str_from_c(e->module));
  e->found = module_getattr(ev, module, e->name).kind != V_UNBOUND;
}

static bool is_of_family(const ModuleFamily *family, Str module) {
  for (const char *const *parent = family->parents; *parent; parent++)
    if (str_starts_with(module, str_from_c(*parent))) return true;
  return false;
}

Str module_elsewhere_hint(Eval *ev, const ModuleObject *asked, Name name) {
  Str from = name_str(asked->name);
  if (!asked->def || is_dunder(name)) return (Str){0};
  for (size_t t = 0; t < ev->core->tables.count; t++) {
    const ModuleTable *table = ev->core->tables.items[t];
    for (size_t i = 0; i < table->family_count; i++) {
      if (!is_of_family(&table->families[i], from)) continue;
      for (const char *const *module = table->families[i].modules; *module; module++) {
        Elsewhere e = {*module, name, false};
        Value ignored;
        if (str_equal(str_from_c(*module), from)) continue;
        if (eval_try(ev, look_elsewhere, &e, &ignored) && e.found)
          return str_format(ev->arena, "did you mean '%s.%s'?", *module, name->text);
      }
    }
  }
  return (Str){0};
}

typedef struct Near {
  const char *module;
  Suggestion *names;
} Near;

static void look_near(Eval *ev, void *data) {
  Near *near = data;
  const List *names = value_dir(ev, v_object(module_import(ev, str_from_c(near->module))));
  for (size_t i = 0; i < names->count; i++) {
    Str text;
    if (value_as_str(names->items[i], &text)) suggestion_try(near->names, text);
  }
}

Str module_suggest_elsewhere(Eval *ev, const ModuleObject *asked, Suggestion *s) {
  Str from = name_str(asked->name), best = {0};
  for (size_t t = 0; asked->def && t < ev->core->tables.count; t++) {
    const ModuleTable *table = ev->core->tables.items[t];
    for (size_t i = 0; i < table->family_count; i++) {
      if (!is_of_family(&table->families[i], from)) continue;
      for (const char *const *module = table->families[i].modules; *module; module++) {
        size_t before = s->distance;
        Near near = {*module, s};
        Value ignored;
        if (str_equal(str_from_c(*module), from)) continue;
        if (eval_try(ev, look_near, &near, &ignored) && s->distance < before)
          best = str_format(ev->arena, "did you mean '%s.%.*s'?", *module, STR_FMT(s->best));
      }
    }
  }
  return best;
}

// A customary name of a .pk file (np, partial, …): consulted after the module's own globals, before
// builtins. V_UNBOUND if it is none of them.
static Value module_customary(Eval *ev, Name name) {
  struct EvalCore *core = ev->core;
  Value known = dict_get_name(core->customary_values, name);
  if (known.kind != V_UNBOUND) return known;
  const CustomaryName *entry = customary_name(ev, name);
  if (!entry) return v_unbound();
  ModuleObject *module = module_import(ev, str_from_c(entry->module));
  const char *attribute = entry->attribute;
  Value value = v_object(module);
  if (attribute) value = module_getattr(ev, module, intern(ev, attribute));
  if (value.kind != V_UNBOUND) dict_set_name(ev, core->customary_values, name, value);
  return value;
}

Value global_lookup(Eval *ev, ModuleObject *module, Name name) {
  Value found = dict_get_name(module->dict, name);
  if (found.kind != V_UNBOUND) return found;
  if (module->def) {
    found = prelude_define(ev, module, name);
    if (found.kind != V_UNBOUND) return found;
    found = native_of(ev, module, name);
    if (found.kind != V_UNBOUND) return found;
  }
  if (module->has_customary) {
    found = module_customary(ev, name);
    if (found.kind != V_UNBOUND) return found;
  }
  found = dict_get_name(ev->builtins->dict, name);
  if (found.kind != V_UNBOUND || ev->builtins == module) return found;
  found = native_of(ev, ev->builtins, name);
  if (found.kind != V_UNBOUND) return found;
  module_load_prelude(ev, ev->builtins);
  return prelude_define(ev, ev->builtins, name);
}

// ---- names that are known and not supported -----------------------------------------------------
// `from m import name` binds one of these, so that only its use is an error.
typedef struct Unsupported {
  Object base;
  Name module, name;
  const char *why;
} Unsupported;

NORETURN static void refuse(Eval *ev, Value self) {
  const Unsupported *u = (const Unsupported *)self.o;
  raise_not_supported(ev, u->module->text, u->name->text, u->why);
}

static Value refuse_call(Eval *ev, Value self, const Args *args UNUSED) { refuse(ev, self); }

static Value refuse_getattr(Eval *ev, Value self, Name name) {
  if (is_dunder(name)) return v_unbound();
  refuse(ev, self);
}

static Value refuse_getitem(Eval *ev, Value self, Value index UNUSED) { refuse(ev, self); }

static Value refuse_method(Eval *ev, Value *a) { refuse(ev, a[0]); }

static bool refuse_truth(Eval *ev, Value self) { refuse(ev, self); }

// A union is for annotations, which nobody asks anything.
static Value refuse_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  Value made = op == BIN_OR ? make_union(ev, left, right) : v_not_implemented();
  if (made.kind != V_NOT_IMPLEMENTED) return made;
  refuse(ev, is_a(left, ev->core->unsupported) ? left : right);
}

static Str unsupported_repr(Eval *ev, Value self) {
  const Unsupported *u = (const Unsupported *)self.o;
  return str_format(ev->arena, "<%s.%s, not supported>", u->module->text, u->name->text);
}

Value make_unsupported(Eval *ev, const ModuleObject *module, Name name, const char *why) {
  Unsupported *u = ARENA_NEW(ev->arena, Unsupported);
  *u = (Unsupported){{ev->core->unsupported}, module->name, name, why};
  return v_object(u);
}

// What a class statement, isinstance, `with`, `for` and `except` ask.
static const NativeDef refused_methods[] = {
    {"__mro_entries__(self, bases, /)", refuse_method},
    {"__instancecheck__(self, instance, /)", refuse_method},
    {"__subclasscheck__(self, cls, /)", refuse_method},
    {"__enter__(self)", refuse_method},
    {"__exit__(self, kind, value, traceback, /)", refuse_method},
    {"__iter__(self)", refuse_method},
    {"__len__(self)", refuse_method},
    {"__contains__(self, item, /)", refuse_method},
    {0},
};

void module_init(Eval *ev) {
  ev->core->customary_values = dict_new(ev);
  ev->core->unsupported =
      type_new_native(ev, "builtins", "unsupported", NULL, NULL, refused_methods);
  ev->types.module->slots = (TypeSlots){
      .own = module_own, .setattr = module_setattr, .repr = module_repr, .hash = module_hash};
  ev->core->unsupported->slots = (TypeSlots){.call = refuse_call,
                                             .getattr = refuse_getattr,
                                             .getitem = refuse_getitem,
                                             .binary = refuse_binary,
                                             .truth = refuse_truth,
                                             .repr = unsupported_repr,
                                             .hash = module_hash};
}
