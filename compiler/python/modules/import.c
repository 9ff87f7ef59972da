// SPDX-License-Identifier: Apache-2.0
// import: modules that we provide first, then files: in the folders of sys.path (that of the main
// file, then the include directories, as the program leaves them), beside the importing one, then
// among our stand-ins for packages of others; modules of JAX last where it is installed.
#include <string.h>
#include <sys/stat.h>

#include "base/map.h"
#include "import.h"
#include "python/values/builtin_state.h"
#include "python/values/evaluator_state.h"
#include "module.h"
#include "patch.h"
#include "report.h"
#include "python/values/dict.h"
#include "python/objects/dir.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include "syntax/mistake.h"

// ---- names and paths ----------------------------------------------------------------------------
static Str directory_of(Str path) {
  size_t len = path.len;
  while (len && path.data[len - 1] != '/') len--;
  if (len == 0) return STR(".");
  return (Str){path.data, len == 1 ? 1 : len - 1};
}

// "a.b" of "a.b.c"; empty if there is no dot.
static Str parent_of(Str dotted) {
  size_t len = dotted.len;
  while (len && dotted.data[len - 1] != '.') len--;
  return (Str){dotted.data, len ? len - 1 : 0};
}

static Str last_of(Str dotted) {
  size_t skip = parent_of(dotted).len;
  if (skip) skip++;
  return (Str){dotted.data + skip, dotted.len - skip};
}

static Name intern_str(Eval *ev, Str text) { return name_intern(ev->session->interner, text); }

static bool is_file(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static bool is_directory(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

// ---- finding files ------------------------------------------------------------------------------
typedef struct Found {
  Str file;      // empty: a directory without __init__
  Str directory; // of a package; empty: a plain module
} Found;

static bool find_in(Eval *ev, Str root, Str path, Found *found) {
  static const char *const forms[] = {"%.*s/%.*s/__init__.pk", "%.*s/%.*s/__init__.py",
                                      "%.*s/%.*s.pk", "%.*s/%.*s.py"};
  bool here = str_equal(root, STR("."));
  for (size_t i = 0; i < COUNT_OF(forms); i++) {
    Str file = str_format(ev->arena, forms[i], STR_FMT(root), STR_FMT(path));
    if (!is_file(file.data)) continue;
    if (here) file = (Str){file.data + 2, file.len - 2};
    found->file = file;
    found->directory = i < 2 ? directory_of(file) : (Str){0};
    return true;
  }
  Str directory = str_format(ev->arena, "%.*s/%.*s", STR_FMT(root), STR_FMT(path));
  if (found->directory.len == 0 && is_directory(directory.data)) found->directory = directory;
  return false;
}

List *import_path(Eval *ev) {
  List *list = ev->builtin->import_path;
  if (list) return list;
  list = ev->builtin->import_path = list_new(ev, ev->options.include_count + 1);
  if (ev->main && ev->main->file)
    list_push(ev, list, make_str(ev, directory_of(ev->main->file->path)));
  for (size_t i = 0; i < ev->options.include_count; i++)
    list_push(ev, list, make_str(ev, ev->options.include_dirs[i]));
  return list;
}

static bool is_of_installed(Value place) {
  Str root;
  if (!value_as_str(place, &root)) return false;
  while (root.len && root.data[root.len - 1] == '/') root.len--;
  return str_ends_with(root, STR("-packages"));
}

static void push_roots(Eval *ev, List *list, bool of_installed) {
  const List *path = import_path(ev);
  for (size_t i = 0; i < path->count; i++)
    if (is_of_installed(path->items[i]) == of_installed) list_push(ev, list, path->items[i]);
}

// Where modules that belong to no package are looked for: stand-ins come before what is installed
// beside JAX.
static List *roots(Eval *ev) {
  List *list = list_new(ev, import_path(ev)->count + 2);
  const ModuleObject *importer = ev->frame ? ev->frame->module : NULL;
  push_roots(ev, list, false);
  if (importer && importer != ev->main && importer->file && !importer->file->is_builtin &&
      parent_of(name_str(importer->name)).len == 0 &&
      dict_get_name(importer->dict, ev->names->path).kind == V_UNBOUND)
    list_push(ev, list, make_str(ev, directory_of(importer->file->path)));
  if (ev->options.third_party.len) list_push(ev, list, make_str(ev, ev->options.third_party));
  push_roots(ev, list, true);
  return list;
}

// A public module of a package that is not provided, such as a kernel that it ships, is read where
// the package is installed.
static bool may_be_installed(const Eval *ev, Name name) {
  return ev->options.site_packages.len && module_elsewhere(ev, name_str(name)) &&
         !strstr(name->text, "._");
}

// Looks through `places`; a directory without __init__ is taken only if nothing else is found.
static bool find_file(Eval *ev, const List *places, Str path, Found *found) {
  *found = (Found){0};
  for (size_t i = 0; i < places->count; i++) {
    Str root;
    if (value_as_str(places->items[i], &root) && find_in(ev, root, path, found)) return true;
  }
  return found->directory.len != 0;
}

static Str dots_to_slashes(Eval *ev, Str dotted) {
  char *text = arena_dup(ev->arena, dotted.data, dotted.len);
  for (size_t i = 0; i < dotted.len; i++)
    if (text[i] == '.') text[i] = '/';
  return (Str){text, dotted.len};
}

// ---- loading ------------------------------------------------------------------------------------
static ModuleObject *known_module(Eval *ev, Name name) {
  Value found = dict_get_name(ev->modules, name);
  return is_a(found, ev->types.module) ? (ModuleObject *)found.o : NULL;
}

static void set_package(Eval *ev, ModuleObject *module, bool is_package) {
  Str package = is_package ? name_str(module->name) : parent_of(name_str(module->name));
  dict_set_name(ev, module->dict, ev->names->package, make_str(ev, package));
}

// Where a diagnostic stands, as the second argument of a SyntaxError says it.
static Value syntax_error_place(Eval *ev, const Diag *error, const SourceFile *file, Str path) {
  LineCol begin = source_line_col(file, error->span.begin),
          end = source_line_col(file, error->span.end);
  Str line = source_line(file, begin.line);
  Value items[] = {
      make_str(ev, path),  v_int(begin.line),
      v_int(begin.column), make_str(ev, str_format(ev->arena, "%.*s\n", STR_FMT(line))),
      v_int(end.line),     v_int(end.column)};
  return make_tuple(ev, 6, items);
}

// The exception that a diagnostic of a file's is.
static ExceptionObject *syntax_error_of(Eval *ev, const Diag *error, Str path) {
  const SourceFile *file = source_get(ev->session, error->span.file);
  Str message = error->message;
  const char *class = mistake_class(error->message, &message);
  Type *type = ev->types.SyntaxError;
  if (class)
    type = (Type *)dict_get_name(ev->builtins->dict, name_intern_c(ev->session->interner, class)).o;
  ExceptionObject *exception = exception_new(ev, type, message);
  if (!file) return exception;
  Value args[] = {make_str(ev, message), syntax_error_place(ev, error, file, path)};
  exception->args = (Tuple *)make_tuple(ev, 2, args).o;
  return exception;
}

// The text could not be read or parsed: the diagnostics that have been given are reported unless
// the exception is caught. The first of them says who imports.
NORETURN static void raise_reported(Eval *ev, Str path, Name module, const Diag *last_before) {
  Diag *first = diag_set_aside(ev->session, last_before);
  ExceptionObject *exception;
  if (first) {
    eval_frames_of_import(ev, first, module);
    exception = syntax_error_of(ev, first, path);
  } else {
    Str text = str_format(ev->arena, "'%.*s' cannot be read", STR_FMT(path));
    exception = exception_new(ev, ev->types.SyntaxError, text);
  }
  exception->aside = first;
  exception->is_reported = !first;
  eval_raise_value(ev, v_object(exception));
}

typedef struct FileRun {
  ModuleObject *module;
  const Module *tree;
} FileRun;

static void run_file(Eval *ev, void *data) {
  FileRun *run = data;
  module_run(ev, run->module, &run->tree->body);
}

void module_set_file(Eval *ev, ModuleObject *module, const Module *tree) {
  Str path = tree->file->path;
  module->file = tree->file;
  bool is_pk = str_ends_with(path, STR(".pk")) ||
               (module == ev->main && (ev->options.customary || !str_ends_with(path, STR(".py"))));
  module->has_customary = is_pk && !tree->file->is_builtin;
  dict_set_name(ev, module->dict, ev->names->file, make_str(ev, tree->file->absolute));
  dict_set_name(ev, module->dict, ev->names->doc,
                tree->has_doc ? make_str(ev, tree->doc) : v_none());
}

// A stand-in is part of pallasc: messages do not speak of its lines.
static bool is_stand_in(Eval *ev, Str path) {
  Str folder = ev->options.third_party;
  return folder.len && path.len > folder.len && str_starts_with(path, folder) &&
         path.data[folder.len] == '/';
}

static const Module *read_tree(Eval *ev, Name name, Str path) {
  size_t errors = ev->session->error_count;
  const Diag *last = ev->session->last_diag;
  SourceFile *file = source_read(ev->session, path, ev->span);
  if (!file) raise_reported(ev, path, name, last);
  file->is_builtin = is_stand_in(ev, path);
  const Module *tree = syntax_parse_imported(ev->session, file);
  if (ev->session->error_count > errors) raise_reported(ev, path, name, last);
  return tree;
}

const Module *import_parse_text(Eval *ev, Str text, Str path) {
  size_t errors = ev->session->error_count;
  const Diag *last = ev->session->last_diag;
  SourceFile *file = source_add(ev->session, path, text, false);
  const Module *tree = syntax_parse_made(ev->session, file, ev->arena);
  if (ev->session->error_count == errors) return tree;
  Diag *first = diag_set_aside(ev->session, last);
  if (!first) eval_raise(ev, ev->types.SyntaxError, "invalid syntax");
  eval_raise_value(ev, v_object(syntax_error_of(ev, first, path)));
}

static ModuleObject *load_file(Eval *ev, Name name, const Found *found) {
  ModuleObject *module = module_new(ev, name, NULL);
  set_package(ev, module, found->directory.len != 0);
  if (found->directory.len) {
    List *path = list_new(ev, 1);
    list_push(ev, path, make_str(ev, found->directory));
    dict_set_name(ev, module->dict, ev->names->path, v_object(path));
  }
  if (found->file.len == 0) { // a directory
    module->state = 2;
    dict_set_name(ev, ev->modules, name, v_object(module));
    return module;
  }
  FileRun run = {module, read_tree(ev, name, found->file)};
  module_set_file(ev, module, run.tree);
  module->state = 1;
  dict_set_name(ev, ev->modules, name, v_object(module));
  Value exception;
  if (!eval_try(ev, run_file, &run, &exception)) {
    dict_remove(ev, ev->modules, make_name(ev, name));
    eval_raise_value(ev, exception);
  }
  module->state = 2;
  return module;
}

void import_execute(Eval *ev, ModuleObject *module, Str path) {
  const Module *tree = read_tree(ev, module->name, path);
  module_set_file(ev, module, tree);
  module->state = 2;
  module_run(ev, module, &tree->body);
}

static ModuleObject *load_def(Eval *ev, Name name, const ModuleDef *def) {
  if (def->alias_of) {
    ModuleObject *target = import_dotted(ev, str_from_c(def->alias_of));
    dict_set_name(ev, ev->modules, name, v_object(target));
    return target;
  }
  ModuleObject *module = module_new(ev, name, NULL);
  module->def = def;
  set_package(ev, module, true);
  dict_set_name(ev, ev->modules, name, v_object(module));
  if (def->init) def->init(ev, module);
  return module;
}

// Whether some module we provide lies below this name.
static bool has_provided_children(Eval *ev, Name name) {
  module_def(ev, name); // makes the table
  const void *key;
  for (size_t it = 0; map_next(ev->core->defs, &it, &key, NULL);) {
    Name other = key;
    if (other->len > name->len && other->text[name->len] == '.' &&
        memcmp(other->text, name->text, name->len) == 0)
      return true;
  }
  return false;
}

static ModuleObject *load_provided(Eval *ev, Name name) {
  const ModuleDef *def = module_def(ev, name);
  if (def) return load_def(ev, name, def);
  if (!has_provided_children(ev, name)) return NULL;
  ModuleObject *module = module_new(ev, name, NULL);
  set_package(ev, module, true);
  module->state = 2;
  dict_set_name(ev, ev->modules, name, v_object(module));
  return module;
}

static bool find_module_file(Eval *ev, Name name, const ModuleObject *parent, Found *found) {
  const List *places = NULL;
  if (parent && !parent->def) places = value_as_list(dict_get_name(parent->dict, ev->names->path));
  if (places) return find_file(ev, places, last_of(name_str(name)), found);
  if (parent && !parent->def && parent->file) return false;
  List *folders = roots(ev);
  if (parent && may_be_installed(ev, name))
    list_push(ev, folders, make_str(ev, ev->options.site_packages));
  return find_file(ev, folders, dots_to_slashes(ev, name_str(name)), found);
}

// As in Python, a directory without __init__ does not hide a module of the standard library.
static bool find_module(Eval *ev, Name name, const ModuleObject *parent, Found *found) {
  return find_module_file(ev, name, parent, found) &&
         !(found->file.len == 0 && module_is_absent(ev, name));
}

// A module that can be imported and whose use is refused: files import much that a kernel does
// without.
static ModuleObject *load_absent(Eval *ev, Name name, const char *why) {
  ModuleObject *module = module_new(ev, name, NULL);
  set_package(ev, module, true);
  module->is_absent = true;
  module->absence = why;
  module->state = 2;
  dict_set_name(ev, ev->modules, name, v_object(module));
  return module;
}

static ModuleObject *load_missing(Eval *ev, Name name, const ModuleObject *parent) {
  if (parent && parent->is_absent && !module_is_absent(ev, parent->name))
    return load_absent(ev, name, parent->absence);
  const NotSupported *missing =
      parent ? module_not_supported(ev, parent, intern_str(ev, last_of(name_str(name)))) : NULL;
  return missing ? load_absent(ev, name, missing->why) : NULL;
}

static ModuleObject *load_standard(Eval *ev, Name name) {
  if (!module_is_absent(ev, name)) return NULL;
  Str why = str_format(ev->arena, "pallasc does not provide Python's module '%s' yet", name->text);
  return load_absent(ev, name, why.data);
}

static ModuleObject *load_under(Eval *ev, Name name, ModuleObject *parent) {
  ModuleObject *module = known_module(ev, name);
  if (module) return module;
  const ModuleDef *def = module_def(ev, name);
  module = def ? load_def(ev, name, def) : load_missing(ev, name, parent);
  if (!module) module = load_provided(ev, name);
  Found found;
  if (!module && find_module(ev, name, parent, &found)) module = load_file(ev, name, &found);
  if (!module) module = load_standard(ev, name);
  if (module && parent)
    dict_set_name(ev, parent->dict, intern_str(ev, last_of(name_str(name))), v_object(module));
  return module;
}

Name child_module_name(Eval *ev, const ModuleObject *parent, Name name) {
  return intern_str(ev, str_format(ev->arena, "%s.%s", parent->name->text, name->text));
}

ModuleObject *import_child(Eval *ev, ModuleObject *parent, Name name) {
  bool is_package = parent->def || !parent->file ||
                    dict_get_name(parent->dict, ev->names->path).kind != V_UNBOUND;
  return is_package ? load_under(ev, child_module_name(ev, parent, name), parent) : NULL;
}

ModuleObject *import_provided_child(Eval *ev, ModuleObject *parent, Name name) {
  if (is_dunder(name)) return NULL;
  Name full = child_module_name(ev, parent, name);
  ModuleObject *module = known_module(ev, full);
  if (!module) module = load_provided(ev, full);
  if (module) dict_set_name(ev, parent->dict, name, v_object(module));
  return module;
}

static Str last_part(Str dotted) {
  size_t above = parent_of(dotted).len;
  return above ? (Str){dotted.data + above + 1, dotted.len - above - 1} : dotted;
}

// A part of the dotted name begins with an underscore.
static bool is_private(Str dotted) {
  for (size_t i = 0; i < dotted.len; i++)
    if (dotted.data[i] == '_' && (i == 0 || dotted.data[i - 1] == '.')) return true;
  return false;
}

// The module that may be meant: of a like name, in the same package if that is known; or of this
// name in some package.
static Str module_hint(Eval *ev, Name name, const ModuleObject *parent) {
  Suggestion s, whole;
  Str wanted = name_str(name), elsewhere = {0};
  bool has_parent = parent && parent->def;
  suggestion_init(&whole, wanted);
  suggestion_init(&s, has_parent ? last_part(wanted) : wanted);
  const void *key;
  module_def(ev, name);
  for (size_t it = 0; map_next(ev->core->defs, &it, &key, NULL);) {
    Str known = name_str((Name)key), last = last_part(known);
    suggestion_try(has_parent ? &whole : &s, known);
    if (has_parent && str_equal(parent_of(known), name_str(parent->name))) suggestion_try(&s, last);
    bool is_it = !parent && str_equal(last, wanted) && !is_private(known);
    if (is_it && (!elsewhere.len || known.len < elsewhere.len)) elsewhere = known;
  }
  if (elsewhere.len) return str_format(ev->arena, "did you mean '%.*s'?", STR_FMT(elsewhere));
  // A package that there is none of is rarely one of few letters, mistyped: scipy is not copy.
  bool is_near = s.best.len && (s.distance <= 1 || s.distance * 4 <= s.wanted.len);
  if (is_near && has_parent)
    return str_format(ev->arena, "did you mean '%s.%.*s'?", parent->name->text, STR_FMT(s.best));
  if (whole.best.len && whole.distance <= 1) return suggestion_hint(ev, &whole);
  return is_near ? suggestion_hint(ev, &s) : (Str){0};
}

// What a package has and pallasc has not may be there as source.
static Str installed_hint(const Eval *ev, const ModuleObject *parent) {
  bool is_provided = parent && (parent->def || !parent->file); // without a file: of its children
  const char *hint = is_provided ? module_elsewhere(ev, name_str(parent->name)) : NULL;
  return hint ? str_from_c(hint) : (Str){0};
}

// What others call so.
static Str foreign_hint(Eval *ev, Value of, Name name) {
  return ev->hooks.foreign_name ? ev->hooks.foreign_name(ev, of, name) : (Str){0};
}

NORETURN static void raise_not_found(Eval *ev, Name name, ModuleObject *parent) {
  Str hint = {0};
  if (!parent && ev->hooks.foreign_package) hint = ev->hooks.foreign_package(name);
  if (parent) hint = foreign_hint(ev, v_object(parent), intern_str(ev, last_part(name_str(name))));
  if (!hint.len) hint = module_hint(ev, name, parent);
  if (!hint.len) hint = installed_hint(ev, parent);
  if (!hint.len && !parent && !ev->options.third_party.len)
    hint = STR("pallasc's stand-ins for third-party packages were not found: they belong into "
               "share/pallasc/third_party of its installation");
  bool is_plain =
      parent && !parent->is_absent &&
      (parent->def
           ? !has_provided_children(ev, parent->name)
           : parent->file && dict_get_name(parent->dict, ev->names->path).kind == V_UNBOUND);
  if (is_plain)
    raise_import(ev, ev->types.ModuleNotFoundError, name, v_unbound(), hint,
                 "No module named '%s'; '%s' is not a package", name->text, parent->name->text);
  raise_import(ev, ev->types.ModuleNotFoundError, name, v_unbound(), hint, "No module named '%s'",
               name->text);
}

ModuleObject *import_dotted(Eval *ev, Str dotted) {
  Name name = intern_str(ev, dotted);
  ModuleObject *module = known_module(ev, name);
  if (module) return module;
  check_stack(ev);
  Str above = parent_of(dotted);
  ModuleObject *parent = above.len ? import_dotted(ev, above) : NULL;
  module = load_under(ev, name, parent);
  if (!module) raise_not_found(ev, name, parent);
  return module;
}

Value import_stand_in(Eval *ev, Str dotted) {
  Name name = intern_str(ev, dotted);
  Value found = dict_get_name(ev->modules, name);
  if (v_is_none(found))
    raise_import(ev, ev->types.ModuleNotFoundError, name, v_unbound(), (Str){0},
                 "import of %s halted; None in sys.modules", name->text);
  return is_a(found, ev->types.module) ? v_unbound() : found;
}

ModuleObject *import_known(Eval *ev, Str dotted) {
  return known_module(ev, intern_str(ev, dotted));
}

Str import_origin(Eval *ev, Str dotted) {
  Name name = intern_str(ev, dotted);
  const ModuleObject *module = known_module(ev, name);
  if (module) return module->file && !module->def ? module->file->path : STR("built-in");
  if (module_def(ev, name) || has_provided_children(ev, name)) return STR("built-in");
  Str above = parent_of(dotted);
  Found found;
  if (find_module(ev, name, above.len ? import_dotted(ev, above) : NULL, &found))
    return found.file.len ? found.file : found.directory;
  return module_is_absent(ev, name) ? STR("built-in") : (Str){0};
}

ModuleObject *module_import(Eval *ev, Str dotted) { return import_dotted(ev, dotted); }

// ---- statements ---------------------------------------------------------------------------------
// The package that a relative import of so many dots starts from.
static Str base_package(Eval *ev, Str package, size_t level) {
  if (package.len == 0)
    raise_import(ev, ev->types.ImportError, NULL, v_unbound(), (Str){0},
                 "attempted relative import with no known parent package");
  while (--level) {
    package = parent_of(package);
    if (package.len == 0)
      raise_import(ev, ev->types.ImportError, NULL, v_unbound(), (Str){0},
                   "attempted relative import beyond top-level package");
  }
  return package;
}

Str import_absolute(Eval *ev, Str package, Str name, size_t level) {
  if (level == 0) return name;
  Str base = base_package(ev, package, level);
  return name.len ? str_format(ev->arena, "%.*s.%.*s", STR_FMT(base), STR_FMT(name)) : base;
}

NORETURN static void raise_cannot_import(Eval *ev, ModuleObject *module, Name name) {
  Suggestion s;
  suggestion_init(&s, name_str(name));
  const List *names = value_dir(ev, v_object(module));
  for (size_t i = 0; i < names->count; i++) {
    Str text;
    if (value_as_str(names->items[i], &text)) suggestion_try(&s, text);
  }
  module_suggest_children(ev, module, &s);
  Str hint = foreign_hint(ev, v_object(module), name), place = STR("unknown location");
  if (!hint.len) hint = suggestion_hint(ev, &s);
  if (!hint.len) hint = module_elsewhere_hint(ev, module, name);
  if (!hint.len) hint = installed_hint(ev, module);
  if (module->file && !module->def) place = module->file->path;
  bool is_partial = module->state == 1 && !module->def;
  raise_import(ev, ev->types.ImportError, module->name, v_object(module), hint,
               is_partial ? "cannot import name '%s' from partially initialized module '%s' (most "
                            "likely due to a circular import) (%.*s)"
                          : "cannot import name '%s' from '%s' (%.*s)",
               name->text, module->name->text, STR_FMT(place));
}

typedef struct FromImport {
  ModuleObject *module;
  Name name;
  Value result;
} FromImport;

static void get_attribute(Eval *ev, void *data) {
  FromImport *import = data;
  import->result = module_getattr(ev, import->module, import->name);
}

// `from path import name` where `path` names a module that goes by another name: what lies below
// `path`.
static ModuleObject *child_of_alias(Eval *ev, Str path, const ModuleObject *module, Name name) {
  if (path.len == 0 || str_equal(path, name_str(module->name))) return NULL;
  Name full = intern_str(ev, str_format(ev->arena, "%.*s.%s", STR_FMT(path), name->text));
  ModuleObject *found = known_module(ev, full);
  return found ? found : load_provided(ev, full);
}

Value import_from(Eval *ev, Str path, ModuleObject *module, Name name) {
  Value found = patch_find(ev, module, name);
  if (found.kind == V_UNBOUND) found = dict_get_name(module->dict, name);
  if (found.kind != V_UNBOUND) return found;
  const NotSupported *missing = module_not_supported(ev, module, name);
  if (missing) return make_unsupported(ev, module, name, missing->why);
  if (module->is_absent && !module_is_absent(ev, child_module_name(ev, module, name))) {
    ModuleObject *provided = import_provided_child(ev, module, name);
    return provided ? v_object(provided) : make_unsupported(ev, module, name, module->absence);
  }
  FromImport import = {module, name, v_unbound()};
  Value exception;
  if (!eval_try(ev, get_attribute, &import, &exception)) { // of the module's __getattr__
    if (!value_is_instance(ev, exception, ev->types.AttributeError))
      eval_raise_value(ev, exception);
    import.result = v_unbound();
  }
  if (import.result.kind != V_UNBOUND) return import.result;
  ModuleObject *child = import_child(ev, module, name);
  if (!child) child = child_of_alias(ev, path, module, name);
  if (!child) raise_cannot_import(ev, module, name);
  return v_object(child);
}
