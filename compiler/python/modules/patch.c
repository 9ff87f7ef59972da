// SPDX-License-Identifier: Apache-2.0
// What a program puts over the names of a facade (patch.h).
#include <string.h>

#include "patch.h"
#include "module.h"
#include "python/values/dict.h"
#include "python/values/evaluator_state.h"
#include "python/values/frame.h"
#include "python/objects/mapping.h"

static bool is_of_package(const ModuleObject *module, Str root) {
  Str name = name_str(module->name);
  return str_starts_with(name, root) && (name.len == root.len || name.data[root.len] == '.');
}

// The package whose public module this is, if its public modules are facades; else empty.
static Str facade_of(const Eval *ev, const ModuleObject *module) {
  if (!module->def || strstr(module->name->text, "._")) return (Str){0};
  for (size_t t = 0; t < ev->core->tables.count; t++) {
    const char *root = ev->core->tables.items[t]->facade;
    if (root && is_of_package(module, str_from_c(root))) return str_from_c(root);
  }
  return (Str){0};
}

static bool is_inside(const Eval *ev, Str root) {
  const ModuleObject *running = ev->frame ? ev->frame->module : NULL;
  return running && running->def && is_of_package(running, root);
}

bool patch_is_deleted(Eval *ev, const ModuleObject *module, Name name) {
  return module->deleted && !is_inside(ev, facade_of(ev, module)) &&
         !v_is_unbound(dict_get_name(module->deleted, name));
}

Value patch_find(Eval *ev, const ModuleObject *module, Name name) {
  if (!module->patches || is_inside(ev, facade_of(ev, module))) return v_unbound();
  return dict_get_name(module->patches, name);
}

bool patch_set(Eval *ev, ModuleObject *module, Name name, Value value) {
  Str root = facade_of(ev, module);
  if (root.len == 0 || is_inside(ev, root)) return false;
  if (value.kind == V_UNBOUND) return module->patches && dict_remove_name(module->patches, name);
  if (!module->patches) module->patches = dict_new(ev);
  dict_set_name(ev, module->patches, name, value);
  return true;
}

static void add_all(Eval *ev, Dict *to, const Dict *from) {
  DictEntry *entry;
  for (size_t it = 0; dict_next(from, &it, &entry);) dict_set(ev, to, entry->key, entry->value);
}

Dict *patched_dict(Eval *ev, ModuleObject *module) {
  if (!module->patches || is_inside(ev, facade_of(ev, module))) return module->dict;
  Dict *all = dict_new(ev);
  add_all(ev, all, module->dict);
  add_all(ev, all, module->patches);
  return all;
}
