// SPDX-License-Identifier: Apache-2.0
// Preludes: the parts of built-in modules that are written in the language. A prelude is cut at its
// top-level lines. Functions and classes are parsed and run when their name is asked for, all other
// statements, in their order, when the prelude is loaded; so a program pays for what it uses. What
// a definition needs is found by name at that time, hence a prelude defines a name once and at its
// top level only.
#include <string.h>

#include "base/map.h"
#include "python/values/evaluator_state.h"
#include "module.h"
#include "prelude.h"
#include "python/values/dict.h"
#include "python/values/raise.h"

typedef struct Part {
  uint32_t begin, end;
} Part;

static const LibraryFile *find_prelude(const ModuleObject *module) {
  for (const LibraryFile *file = library_files; module->def && file->module; file++)
    if (strcmp(file->module, module->def->name) == 0) return file;
  return NULL;
}

// ---- cutting ------------------------------------------------------------------------------------
// Whether a line is inside of a string in three quotes, after one more line.
static const char *still_open(Str line, const char *open) {
  for (size_t i = 0; i + 2 < line.len; i++) {
    const char *quotes = memcmp(line.data + i, "\"\"\"", 3) == 0 ? "\"\"\""
                         : memcmp(line.data + i, "'''", 3) == 0  ? "'''"
                                                                 : NULL;
    if (!quotes || (open && open != quotes && strcmp(open, quotes) != 0)) continue;
    open = open ? NULL : quotes;
    i += 2;
  }
  return open;
}

// Whether a statement of the top level begins with this line.
static bool begins_part(Str line) {
  if (line.len == 0) return false;
  char c = line.data[0];
  return c == '@' || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The name after `def` or `class`; empty for any other line.
static Str defined_name(Str line) {
  size_t begin = str_starts_with(line, STR("def "))     ? 4
                 : str_starts_with(line, STR("class ")) ? 6
                                                        : 0;
  size_t end = begin;
  while (begin && end < line.len && !strchr("(:", line.data[end])) end++;
  return (Str){line.data + begin, end - begin};
}

typedef struct Cutter {
  Eval *ev;
  ModuleObject *module;
  VEC(Part) now; // statements to run in order
  Part part;     // the one being read
  Str name;      // what it defines
  bool is_decorated;
} Cutter;

static void finish_part(Cutter *c, uint32_t end) {
  c->part.end = end;
  if (c->name.len)
    map_set(c->module->pending, name_intern(c->ev->session->interner, c->name),
            arena_dup(c->ev->arena, &c->part, sizeof c->part));
  else if (end > c->part.begin)
    VEC_PUSH(c->ev->arena, &c->now, c->part);
  c->part.begin = end;
  c->name = (Str){0};
  c->is_decorated = false;
}

static void cut(Cutter *c) {
  Str text = c->module->file->text;
  const char *open = NULL;
  c->module->pending = map_new(c->ev->arena);
  for (size_t at = 0, next; at < text.len; at = next) {
    const char *newline = memchr(text.data + at, '\n', text.len - at);
    next = newline ? (size_t)(newline - text.data) + 1 : text.len;
    Str line = {text.data + at, next - at};
    if (!open && begins_part(line)) {
      Str name = defined_name(line);
      bool joins = !c->name.len && !name.len && !c->is_decorated &&
                   line.data[0] != '@'; // statements in a row are parsed as one
      if (!joins && !c->is_decorated) finish_part(c, (uint32_t)at);
      c->name = name;
      c->is_decorated = line.data[0] == '@';
    }
    if (memchr(line.data, '"', line.len) || memchr(line.data, '\'', line.len))
      open = still_open(line, open);
  }
  finish_part(c, (uint32_t)text.len);
}

// ---- running ------------------------------------------------------------------------------------
typedef struct PartRun {
  ModuleObject *module;
  const Part *part;
} PartRun;

static void run_part(Eval *ev, void *data) {
  const PartRun *run = data;
  ModuleObject *module = run->module;
  size_t errors = ev->session->error_count;
  Module *tree = syntax_parse_part(ev->session, module->file, run->part->begin, run->part->end);
  if (ev->session->error_count > errors)
    eval_raise(ev, ev->types.SyntaxError, "the prelude of '%s' cannot be read", module->def->name);
  module_run(ev, module, &tree->body);
}

// What the program is just handling is no business of the prelude.
static bool run_apart(Eval *ev, PartRun *run, Value *exception) {
  Value handled = ev->exception;
  Span span = ev->span;
  ev->exception = v_unbound();
  bool ok = eval_try(ev, run_part, run, exception);
  ev->exception = handled;
  ev->span = span;
  return ok;
}

// Definitions that a statement's own name would hide: they replace its value here, as they do in a
// file that is run line by line.
static void define_bound(Eval *ev, ModuleObject *module) {
  const void *name;
  for (size_t it = 0; map_next(module->pending, &it, &name, NULL);)
    if (dict_get_name(module->dict, (Name)name).kind != V_UNBOUND)
      prelude_define(ev, module, (Name)name);
}

static bool run_statements(Eval *ev, ModuleObject *module, const Cutter *cutter, Value *exception) {
  for (size_t i = 0; i < cutter->now.count; i++) {
    module->pending_end = cutter->now.items[i].begin;
    define_bound(ev, module);
    PartRun run = {module, &cutter->now.items[i]};
    if (!run_apart(ev, &run, exception)) return false;
  }
  module->pending_end = UINT32_MAX;
  define_bound(ev, module);
  return true;
}

bool module_load_prelude(Eval *ev, ModuleObject *module) {
  if (module->state != 0) return false;
  const LibraryFile *text = find_prelude(module);
  if (!text) return false;
  Str path = str_format(ev->arena, "<%s>", text->module);
  module->file =
      source_add(ev->session, path, (Str){text->text, (size_t)(text->end - text->text)}, true);
  Cutter cutter = {.ev = ev, .module = module};
  cut(&cutter);
  module->state = 1;
  Value exception;
  bool ok = run_statements(ev, module, &cutter, &exception);
  module->state = ok ? 2 : 0;
  if (!ok) eval_raise_value(ev, exception);
  return true;
}

Value prelude_define(Eval *ev, ModuleObject *module, Name name) {
  const Part *part = module->pending ? map_get(module->pending, name) : NULL;
  if (!part || part->begin >= module->pending_end) return v_unbound();
  map_remove(module->pending, name);
  PartRun run = {module, part};
  Value exception;
  if (!run_apart(ev, &run, &exception)) {
    map_set(module->pending, name, part);
    eval_raise_value(ev, exception);
  }
  return dict_get_name(module->dict, name);
}

void prelude_define_all(Eval *ev, ModuleObject *module) {
  module_load_prelude(ev, module);
  const void *name;
  for (size_t it = 0; module->pending && map_next(module->pending, &it, &name, NULL);)
    prelude_define(ev, module, (Name)name);
}
