// SPDX-License-Identifier: Apache-2.0
// The evaluator's life: making it, running the main module, exceptions that nobody catches.
#include <string.h>

#include "base/collected.h"
#include "base/map.h"
#include "python/values/evaluator_state.h"
#include "python/core/call.h"
#include "python/core/class.h"
#include "python/core/generator.h"
#include "python/core/expr.h"
#include "python/core/closure_cell.h"
#include "python/core/function.h"
#include "python/core/stmt.h"
#include "python/core/type_alias.h"
#include "eval.h"
#include "python/modules/import.h"
#include "python/modules/module.h"
#include "python/modules/report.h"
#include "python/modules/unresolved.h"
#include "python/values/dict.h"
#include "python/objects/attribute.h"
#include "python/objects/exception.h"
#include "python/values/frame.h"
#include "python/values/new_value.h"
#include "python/objects/object_type.h"
#include "python/objects/partial.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/slot_wrapper.h"
#include "python/values/stack.h"
#include "python/values/suggest.h"
#include "python/objects/super.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/builtins/builtins.h"

// ---- making -------------------------------------------------------------------------------------
static Type *base_of(const EvalTypes *types, Type *const *field) {
  return field == &types->boolean ? types->integer : types->object;
}

static void make_types(Eval *ev) {
  EvalTypes *types = &ev->types;
  Name builtins = intern(ev, "builtins");
  types->type = ARENA_NEW(ev->arena, Type); // so that the first types have their metatype
  types->dict = ARENA_NEW(ev->arena, Type);
  types->object = type_make_bare(ev, intern(ev, "object"), builtins, NULL);
#define X(field, text)                                                                             \
  if (!types->field || types->field == types->type || types->field == types->dict) {               \
    Type *made = type_make_bare(ev, intern(ev, text), builtins, base_of(types, &types->field));    \
    if (types->field) {                                                                            \
      *types->field = *made;                                                                       \
      types->field->mro[0] = types->field;                                                         \
      types->object->subclasses[types->object->subclass_count - 1]->object = types->field;         \
    } else {                                                                                       \
      types->field = made;                                                                         \
    }                                                                                              \
  }
  EVAL_TYPES(X)
#undef X
  types->partial->module = intern(ev, "functools");
  types->union_type->module = types->generic_alias->module = intern(ev, "types");
  types->string->layout = LAYOUT_STR;
  types->tuple->layout = LAYOUT_TUPLE;
  types->list->layout = LAYOUT_LIST;
  types->dict->layout = LAYOUT_DICT;
  types->set->layout = types->frozenset->layout = LAYOUT_SET;
  Type *const final[] = {types->boolean,         types->none,         types->ellipsis,
                         types->not_implemented, types->function,     types->method,
                         types->native,          types->slice,        types->range,
                         types->generator,       types->mapping_proxy};
  for (size_t i = 0; i < COUNT_OF(final); i++) final[i]->is_final = true;
}

static void make_exceptions(Eval *ev) {
  EvalTypes *types = &ev->types;
#define X(id, base_id)                                                                             \
  types->id =                                                                                      \
      type_new_exception(ev, "builtins", #id, types->base_id ? types->base_id : types->object);
  EVAL_EXCEPTIONS(X)
#undef X
}

static void make_core(Eval *ev) {
  struct EvalCore *core = ev->core;
  const EvalTypes *types = &ev->types;
  Type *const kinds[V_OBJECT] = {[V_UNBOUND] = types->object,
                                 [V_NONE] = types->none,
                                 [V_BOOL] = types->boolean,
                                 [V_INT] = types->integer,
                                 [V_FLOAT] = types->floating,
                                 [V_ELLIPSIS] = types->ellipsis,
                                 [V_NOT_IMPLEMENTED] = types->not_implemented};
  memcpy(core->kinds, kinds, sizeof kinds);
  core->slot_wrapper = type_new_native(ev, "builtins", "wrapper_descriptor", NULL, NULL, NULL);
  core->member = type_new_native(ev, "builtins", "member_descriptor", NULL, NULL, NULL);
  core->code = type_new_native(ev, "builtins", "code", NULL, NULL, NULL);
  core->code->instances_have_dict = true;
  core->type_alias = type_new_native(ev, "typing", "TypeAliasType", NULL, NULL, NULL);
  call_init(ev);
  core->above.run_block = eval_block;
  slots_init(ev);
  protocol_init(ev);
  object_type_init(ev);
  function_init(ev);
  cells_init(ev);
  exception_init(ev);
  super_init(ev);
  generator_init(ev);
  partial_init(ev);
  type_alias_init(ev);
  module_init(ev);
}

static void fill_builtins(Eval *ev) {
  Dict *dict = ev->builtins->dict;
  const EvalTypes *types = &ev->types;
#define X(field, text) dict_set_name(ev, dict, intern(ev, text), v_object(types->field));
// clang-format off
#define BUILTIN_CLASSES(X)                                                                         \
  X(object, "object") X(type, "type") X(boolean, "bool") X(integer, "int") X(floating, "float")    \
  X(complex, "complex") X(string, "str") X(bytes, "bytes") X(tuple, "tuple") X(list, "list")       \
  X(dict, "dict") X(set, "set") X(frozenset, "frozenset") X(slice, "slice") X(range, "range")      \
  X(property, "property") X(class_method, "classmethod") X(static_method, "staticmethod")          \
  X(super, "super") X(bytearray, "bytearray") X(memoryview, "memoryview")
  // clang-format on
  BUILTIN_CLASSES(X)
#undef X
#define X(id, base_id) dict_set_name(ev, dict, types->id->name, v_object(types->id));
  EVAL_EXCEPTIONS(X)
#undef X
  dict_set_name(ev, dict, intern(ev, "EnvironmentError"), v_object(types->OSError));
  dict_set_name(ev, dict, intern(ev, "IOError"), v_object(types->OSError));
  dict_set_name(ev, dict, intern(ev, "NotImplemented"), v_not_implemented());
  dict_set_name(ev, dict, intern(ev, "Ellipsis"), v_ellipsis());
  dict_set_name(ev, dict, intern(ev, "True"), v_bool(true)); // keywords that are names here, too
  dict_set_name(ev, dict, intern(ev, "False"), v_bool(false));
  dict_set_name(ev, dict, intern(ev, "None"), v_none());
  dict_set_name(ev, dict, intern(ev, "__debug__"), v_bool(true));
}

Eval *eval_new(Session *session, const EvalOptions *options) {
  Arena *arena = options->stack_end ? arena_new_collected(session->arena, options->stack_end)
                                    : arena_new_child(session->arena);
  Eval *ev = ARENA_NEW(arena, Eval);
  interner_own_objects(session->interner, ev);
  if (options->stack_end) interner_collect(session->interner, arena);
  ev->session = session;
  ev->arena = arena;
  ev->options = *options;
  if (!ev->options.max_steps) ev->options.max_steps = EVAL_DEFAULT_MAX_STEPS;
  ev->step_limit = ev->options.max_steps;
  if (ev->options.max_depth <= 0) ev->options.max_depth = EVAL_DEFAULT_MAX_DEPTH;
  ev->out = session->out;
  ev->names = names_new(arena, session->interner);
  struct EvalCore *core = ev->core = ARENA_NEW(arena, struct EvalCore);
  core->qualnames = map_new(arena);
  make_types(ev);
  make_exceptions(ev);
  make_core(ev);
  ev->modules = dict_new(ev);
  ev->builtins = module_new(ev, intern(ev, "builtins"), NULL);
  dict_set_name(ev, ev->modules, ev->builtins->name, v_object(ev->builtins));
  fill_builtins(ev);
  builtins_init(ev);
  std_register(ev);
  return ev;
}

// ---- running ------------------------------------------------------------------------------------
typedef struct Protected {
  void (*body)(Eval *, void *);
  void *data;
  bool ok;
} Protected;

// The status that SystemExit's argument means; a message goes to standard error.
static void exit_program(Eval *ev, Value exception) {
  const Tuple *args = ((const ExceptionObject *)exception.o)->args;
  Value code = value_unwrap(args->count ? args->items[0] : v_none());
  ev->has_exited = true;
  ev->exit_status = 0;
  if (code.kind == V_INT || code.kind == V_BOOL) {
    ev->exit_status = (int)(code.i & 0xff);
  } else if (!v_is_none(code)) {
    Str text = value_str(ev, code);
    fflush(ev->out);
    fprintf(ev->session->diag_out, "%.*s\n", STR_FMT(text));
    ev->exit_status = 1;
  }
}

typedef struct Uncaught {
  Value exception, hook;
} Uncaught;

static void call_hook(Eval *ev, void *data) {
  const Uncaught *u = data;
  Value args[] = {v_object(u->exception.o->type), u->exception,
                  value_getattr(ev, u->exception, ev->names->traceback)};
  Frame frame = {.function = ev->names->module_frame, .module = ev->main};
  frame_push(ev, &frame);
  value_call_n(ev, u->hook, COUNT_OF(args), args);
  frame_pop(ev, &frame);
}

// The program's own sys.excepthook, if it has set one.
static Value own_hook(Eval *ev) {
  const ModuleObject *sys = ev->main ? import_known(ev, STR("sys")) : NULL;
  if (!sys) return v_unbound();
  Value hook = dict_get_name(sys->dict, name_intern_c(ev->session->interner, "excepthook"));
  Value first = dict_get_name(sys->dict, name_intern_c(ev->session->interner, "__excepthook__"));
  return value_is(hook, first) ? v_unbound() : hook;
}

// An error in the hook is reported before the one that it was called for.
static void report_uncaught(Eval *ev, Value exception) {
  const ExceptionObject *uncaught = (const ExceptionObject *)exception.o;
  Uncaught u = {exception, own_hook(ev)};
  Value wrong;
  if (!uncaught->is_reported && !uncaught->aside && !v_is_unbound(u.hook)) {
    if (eval_try(ev, call_hook, &u, &wrong)) return;
    exception_report(ev, wrong);
  }
  bool is_first = !ev->session->error_count;
  exception_report(ev, exception);
  // Each function that is compiled reports its own mistakes; what they have in common is said once.
  if (is_first && ev->session->error_count) unresolved_report(ev, ev->session->last_diag, uncaught);
}

static void run_protected(Eval *ev, void *data) {
  Protected *p = data;
  Value exception;
  p->ok = eval_try(ev, p->body, p->data, &exception);
  if (p->ok) return;
  if (type_is_subtype(exception.o->type, ev->types.SystemExit)) {
    exit_program(ev, exception);
    p->ok = ev->exit_status == 0;
  } else {
    ev->was_stopped |= type_is_subtype(exception.o->type, ev->types.KeyboardInterrupt);
    report_uncaught(ev, exception);
  }
}

bool eval_protect(Eval *ev, void (*body)(Eval *, void *), void *data) {
  Protected p = {body, data, false};
  Session *session = ev->session;
  if (!interner_is_owned_by(session->interner, ev))
    BUG("an evaluator runs after the session's next one has begun");
  Span (*outer)(const void *) = session->place;
  const void *outer_data = session->place_data;
  session->place = eval_place;
  session->place_data = ev;
  stack_run(ev, run_protected, &p);
  session->place = outer;
  session->place_data = outer_data;
  return p.ok;
}

// ---- the main module ----------------------------------------------------------------------------
// "kernel" of "dir/kernel.pk".
static Name module_stem(Eval *ev, Str path) {
  size_t begin = path.len, end = path.len;
  while (begin && path.data[begin - 1] != '/') begin--;
  Str stem = {path.data + begin, end - begin};
  if (str_ends_with(stem, STR(".pk")) || str_ends_with(stem, STR(".py"))) stem.len -= 3;
  return name_intern(ev->session->interner, stem);
}

static void define_names(Eval *ev, const Frame *frame) {
  for (size_t i = 0; i < ev->options.define_count; i++) {
    Str name = ev->options.define_names[i];
    Str path = str_format(ev->arena, "-D %.*s", STR_FMT(name));
    SourceFile *file = source_add(ev->session, path, ev->options.define_values[i], false);
    Expr *expr = syntax_parse_expression(ev->session, file);
    if (!expr) {
      ExceptionObject *bad = exception_new(ev, ev->types.SyntaxError, path);
      bad->is_reported = true;
      eval_raise_value(ev, v_object(bad));
    }
    Name key = name_intern(ev->session->interner, name);
    dict_set_name(ev, frame->module->dict, key, eval_expr(ev, expr));
    if (!ev->core->defines) ev->core->defines = dict_new(ev);
    const bool *others = ev->options.define_is_others;
    dict_set_name(ev, ev->core->defines, key, v_bool(others && others[i]));
  }
}

// "; did you mean 'x'?", of what the module has, or nothing.
static Str near_define(Eval *ev, Value name) {
  Suggestion s;
  suggestion_init(&s, value_str(ev, name));
  suggestion_try_dict(&s, ev->main->dict);
  Str hint = suggestion_hint(ev, &s);
  return hint.len ? str_format(ev->arena, "; %.*s", STR_FMT(hint)) : hint;
}

static bool is_word_byte(char c) {
  return c == '_' || c & 0x80 || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

// Whether a source has the word outside of comments: a function that is not called yet may read it.
static bool has_word(Str source, Str word) {
  for (size_t at = 0, end; at < source.len; at = end + 1) {
    for (end = at; end < source.len && is_word_byte(source.data[end]);) end++;
    if (str_equal((Str){source.data + at, end - at}, word)) return true;
    if (end < source.len && source.data[end] == '#')
      while (end < source.len && source.data[end] != '\n') end++;
  }
  return false;
}

static void warn_unused_defines(Eval *ev, Str text) {
  DictEntry *entry;
  for (size_t it = 0; ev->core->defines && dict_next(ev->core->defines, &it, &entry);)
    if (!entry->value.i && !has_word(text, value_str(ev, entry->key))) {
      ev->span = (Span){0};
      eval_warn(ev, WARN_HINT, "-D %.*s: %s%.*s", STR_FMT(value_str(ev, entry->key)),
                ev->options.define_is_others ? "no file assigns such a name"
                                             : "the module assigns no such name",
                STR_FMT(near_define(ev, entry->key)));
    }
}

static void run_main(Eval *ev, void *data) {
  const Module *tree = data;
  Frame frame = {.function = ev->names->module_frame, .module = ev->main};
  frame_push(ev, &frame);
  define_names(ev, &frame);
  Value ignored = v_none();
  eval_block(ev, &tree->body, &ignored);
  warn_unused_defines(ev, tree->file->text);
  frame_pop(ev, &frame);
}

// A program ends, if by an error, too, when all its threads have.
static void end_main(Eval *ev, void *unused UNUSED) {
  Frame frame = {.function = ev->names->module_frame, .module = ev->main};
  frame_push(ev, &frame);
  if (import_known(ev, STR("threading")))
    value_call_n(ev, module_lookup(ev, "threading", "_shutdown"), 0, NULL);
  generator_close_all(ev);
  frame_pop(ev, &frame);
}

bool eval_main(Eval *ev, Module *tree) {
  Name name = ev->options.run ? ev->names->main : module_stem(ev, tree->file->path);
  ev->main = module_new(ev, name, tree->file);
  ev->main->state = 1;
  dict_set_name(ev, ev->main->dict, ev->names->package, make_str(ev, STR("")));
  dict_set_name(ev, ev->main->dict, ev->names->spec, v_none());
  module_set_file(ev, ev->main, tree);
  dict_set_name(ev, ev->modules, name, v_object(ev->main));
  bool ok = eval_protect(ev, run_main, tree);
  bool has_more = ok || import_known(ev, STR("threading"));
  if (ev->options.run && !ev->was_stopped && has_more) ok &= eval_protect(ev, end_main, NULL);
  ev->main->state = 2;
  return ok;
}
