// SPDX-License-Identifier: Apache-2.0
// Exceptions as objects: construction, text, attributes.
#include <errno.h>

#include "python/values/evaluator_state.h"
#include "convert.h"
#include "python/values/dict.h"
#include "exception.h"
#include "python/values/new_value.h"
#include "mapping.h"
#include "protocol.h"
#include "traceback.h"
#include "iteration.h"
#include "python/values/raise.h"
#include "type_lookup.h"
#include "python/values/values.h"

static ExceptionObject *exception_of(Value v) { return (ExceptionObject *)v.o; }

// What OSError(number, …) is.
static Type *type_of_errno(Eval *ev, int64_t number) {
  static const struct {
    int number;
    const char *name;
  } table[] = {
      {ENOENT, "FileNotFoundError"}, {EEXIST, "FileExistsError"},
      {EISDIR, "IsADirectoryError"}, {ENOTDIR, "NotADirectoryError"},
      {EACCES, "PermissionError"},   {EPERM, "PermissionError"},
      {EAGAIN, "BlockingIOError"},   {ECHILD, "ChildProcessError"},
      {EPIPE, "BrokenPipeError"},    {ECONNABORTED, "ConnectionAbortedError"},
      {EINTR, "InterruptedError"},   {ECONNREFUSED, "ConnectionRefusedError"},
      {ESRCH, "ProcessLookupError"}, {ECONNRESET, "ConnectionResetError"},
      {ETIMEDOUT, "TimeoutError"},
  };
  for (size_t i = 0; i < COUNT_OF(table); i++)
    if (table[i].number == number)
      return (Type *)dict_get_name(ev->builtins->dict, intern(ev, table[i].name)).o;
  return ev->types.OSError;
}

// ---- construction -------------------------------------------------------------------------------
static Value exception_make(Eval *ev, Value *a) {
  if (!is_type(ev, a[0]) || !((Type *)a[0].o)->is_exception)
    eval_raise(ev, ev->types.TypeError, "BaseException.__new__(X): X is not an exception type");
  Type *type = (Type *)a[0].o;
  const Tuple *args = (const Tuple *)a[1].o;
  if (type == ev->types.OSError && args->count > 1 && args->items[0].kind == V_INT)
    type = type_of_errno(ev, args->items[0].i);
  ExceptionObject *exception = (ExceptionObject *)instance_new(ev, type);
  exception->args = (Tuple *)a[1].o;
  return v_object(exception);
}

static bool is_under(const ExceptionObject *exception, const Type *type) {
  return type_is_subtype(exception->instance.base.type, type);
}

// ImportError(name=, path=), AttributeError(name=, obj=), NameError(name=) are all that take
// keywords.
static void take_keyword(Eval *ev, ExceptionObject *exception, Value key, Value value) {
  Str text = take_str(ev, key, "keyword"), name;
  bool is_name = str_equal(text, STR("name")),
       is_import = is_under(exception, ev->types.ImportError);
  bool is_attribute = is_under(exception, ev->types.AttributeError);
  if (is_name && (is_import || is_attribute || is_under(exception, ev->types.NameError))) {
    if (value_as_str(value, &name)) exception->name = name_intern(ev->session->interner, name);
  } else if (str_equal(text, STR("obj")) && is_attribute) {
    exception->object = value;
  } else if (str_equal(text, STR("path")) && is_import) {
    dict_set(ev, exception->instance.dict, key, value);
  } else {
    eval_raise(ev, ev->types.TypeError, "%s() takes no keyword arguments",
               exception->instance.base.type->name->text);
  }
}

// OSError(number, text, file, None, other file): its files are no arguments.
static void take_filename(Eval *ev, ExceptionObject *exception) {
  const Tuple *args = exception->args;
  if (args->count < 3 || args->count > 5 || v_is_none(args->items[2])) return;
  exception->object = args->items[2];
  if (args->count == 5)
    dict_set_name(ev, exception->instance.dict, intern(ev, "filename2"), args->items[4]);
  exception->args = (Tuple *)make_tuple(ev, 2, args->items).o;
}

static Value exception_initialize(Eval *ev, Value *a) {
  ExceptionObject *exception = exception_of(a[0]);
  const Dict *keywords = (const Dict *)a[2].o;
  DictEntry *entry;
  exception->args = (Tuple *)a[1].o;
  if (is_under(exception, ev->types.OSError)) take_filename(ev, exception);
  for (size_t it = 0; dict_next(keywords, &it, &entry);)
    take_keyword(ev, exception, entry->key, entry->value);
  return v_none();
}

// ---- text ---------------------------------------------------------------------------------------
static Str os_error_str(Eval *ev, const ExceptionObject *exception) {
  const Tuple *args = exception->args;
  Str text = str_format(ev->arena, "[Errno %.*s] %.*s", STR_FMT(value_str(ev, args->items[0])),
                        STR_FMT(value_str(ev, args->items[1])));
  if (v_is_unbound(exception->object) || v_is_none(exception->object)) return text;
  text = str_format(ev->arena, "%.*s: %.*s", STR_FMT(text),
                    STR_FMT(value_repr(ev, exception->object)));
  Value other = dict_get_name(exception->instance.dict, intern(ev, "filename2"));
  if (v_is_unbound(other) || v_is_none(other)) return text;
  return str_format(ev->arena, "%.*s -> %.*s", STR_FMT(text), STR_FMT(value_repr(ev, other)));
}

// Where the mistake of a SyntaxError stands: file, line, column, text and, in six items, its end.
static const Tuple *syntax_error_place(const EvalTypes *types, const ExceptionObject *exception) {
  if (!is_under(exception, types->SyntaxError) || exception->args->count != 2) return NULL;
  const Tuple *place = value_as_tuple(exception->args->items[1]);
  return place && (place->count == 4 || place->count == 6) ? place : NULL;
}

static Str syntax_error_str(Eval *ev, const ExceptionObject *exception, const Tuple *place) {
  Str message = value_str(ev, exception->args->items[0]), path;
  int64_t line;
  bool has_path = value_as_str(place->items[0], &path),
       has_line = value_as_int(ev, place->items[1], &line);
  for (size_t i = has_path ? path.len : 0; i--;)
    if (path.data[i] == '/') {
      path = (Str){path.data + i + 1, path.len - i - 1};
      break;
    }
  if (has_path && has_line)
    return str_format(ev->arena, "%.*s (%.*s, line %lld)", STR_FMT(message), STR_FMT(path),
                      (long long)line);
  if (has_path) return str_format(ev->arena, "%.*s (%.*s)", STR_FMT(message), STR_FMT(path));
  if (has_line) return str_format(ev->arena, "%.*s (line %lld)", STR_FMT(message), (long long)line);
  return message;
}

static Str exception_str(Eval *ev, Value self) {
  const ExceptionObject *exception = exception_of(self);
  const Tuple *args = exception->args;
  if (args->count == 0) return STR("");
  const Tuple *place = syntax_error_place(&ev->types, exception);
  if (place) return syntax_error_str(ev, exception, place);
  if (args->count == 1)
    return is_under(exception, ev->types.KeyError) ? value_repr(ev, args->items[0])
                                                   : value_str(ev, args->items[0]);
  if (args->count <= 5 && is_under(exception, ev->types.OSError))
    return os_error_str(ev, exception);
  return value_repr(ev, v_object(exception->args));
}

static Str exception_repr(Eval *ev, Value self) {
  const ExceptionObject *exception = exception_of(self);
  const Tuple *args = exception->args;
  const char *name = exception->instance.base.type->name->text;
  if (args->count == 1)
    return str_format(ev->arena, "%s(%.*s)", name, STR_FMT(value_repr(ev, args->items[0])));
  return str_format(ev->arena, "%s%.*s", name, STR_FMT(value_repr(ev, v_object(exception->args))));
}

// ---- attributes ---------------------------------------------------------------------------------
static Value or_none(Value v) { return v.kind == V_UNBOUND ? v_none() : v; }

static Value argument(const ExceptionObject *exception, size_t i) {
  return i < exception->args->count ? exception->args->items[i] : v_none();
}

// Attributes that only some classes have: by their text, as they are rare.
static Value special_attribute(Eval *ev, ExceptionObject *exception, Name name) {
  const EvalTypes *types = &ev->types;
  Str text = name_str(name);
  bool is_import = is_under(exception, types->ImportError);
  if (is_under(exception, types->StopIteration) && name == ev->names->value)
    return argument(exception, 0);
  if (is_under(exception, types->SystemExit) && str_equal(text, STR("code")))
    return exception->args->count > 1 ? v_object(exception->args) : argument(exception, 0);
  if (name == ev->names->name_plain && (is_import || is_under(exception, types->AttributeError) ||
                                        is_under(exception, types->NameError)))
    return exception->name ? make_name(ev, exception->name) : v_none();
  if (name == ev->names->obj && is_under(exception, types->AttributeError))
    return or_none(exception->object);
  if (is_import && name == ev->names->message) return argument(exception, 0);
  if (is_import && name == ev->names->lookup_path) return v_none();
  if (is_under(exception, types->SyntaxError)) {
    if (name == ev->names->message) return argument(exception, 0);
    static const char *const parts[] = {"filename", "lineno",     "offset",
                                        "text",     "end_lineno", "end_offset"};
    const Tuple *place = syntax_error_place(types, exception);
    for (size_t i = 0; i < COUNT_OF(parts); i++)
      if (str_equal(text, str_from_c(parts[i])))
        return place && i < place->count ? place->items[i] : v_none();
  }
  if (is_under(exception, types->OSError)) {
    bool two = exception->args->count > 1;
    if (str_equal(text, STR("errno"))) return two ? argument(exception, 0) : v_none();
    if (str_equal(text, STR("strerror"))) return two ? argument(exception, 1) : v_none();
    if (str_equal(text, STR("filename"))) return or_none(exception->object);
    if (str_equal(text, STR("filename2")) &&
        v_is_unbound(dict_get_name(exception->instance.dict, name)))
      return v_none();
  }
  return v_unbound();
}

static Value exception_getattr(Eval *ev, Value self, Name name) {
  ExceptionObject *exception = exception_of(self);
  const EvalNames *names = ev->names;
  if (name == names->args) return v_object(exception->args);
  if (name == names->cause) return or_none(exception->cause);
  if (name == names->context) return or_none(exception->context);
  if (name == names->suppress_context) return v_bool(exception->suppress_context);
  if (name == names->traceback) return ev->core->above.traceback(ev, exception);
  return special_attribute(ev, exception, name);
}

static Value check_chained(Eval *ev, const char *what, Value value) {
  if (v_is_none(value) || value.kind == V_UNBOUND) return v_unbound();
  if (!is_exception(value))
    eval_raise(ev, ev->types.TypeError, "exception %s must be None or derive from BaseException",
               what);
  return value;
}

static bool exception_setattr(Eval *ev, Value self, Name name, Value value) {
  ExceptionObject *exception = exception_of(self);
  const EvalNames *names = ev->names;
  if (name == names->args) {
    exception->args = value_to_tuple(ev, value);
  } else if (name == names->cause) {
    exception->cause = check_chained(ev, "cause", value);
    exception->suppress_context = true;
  } else if (name == names->context) {
    exception->context = check_chained(ev, "context", value);
  } else if (name == names->suppress_context) {
    exception->suppress_context = value_truth(ev, value);
  } else if (name == names->traceback) {
    exception_set_traceback(ev, exception, value);
  } else {
    return false;
  }
  return true;
}

static Value with_traceback(Eval *ev, Value *a) {
  exception_set_traceback(ev, exception_of(a[0]), a[1]);
  return a[0];
}

static Value add_note(Eval *ev, Value *a) {
  Dict *dict = exception_of(a[0])->instance.dict;
  if (!value_as_str(a[1], &(Str){0}))
    eval_raise(ev, ev->types.TypeError, "note must be a str, not '%s'", value_type_name(ev, a[1]));
  List *notes = value_as_list(dict_get_name(dict, ev->names->notes));
  if (!notes) {
    notes = list_new(ev, 1);
    dict_set_name(ev, dict, ev->names->notes, v_object(notes));
  }
  list_push(ev, notes, a[1]);
  return v_none();
}

// What dir() finds of exceptions, beside their methods.
static void name_attributes(const EvalTypes *types) {
  types->StopIteration->slots.attributes = "value";
  types->SystemExit->slots.attributes = "code";
  types->ImportError->slots.attributes = "msg name path";
  types->AttributeError->slots.attributes = "name obj";
  types->NameError->slots.attributes = "name";
  types->OSError->slots.attributes = "errno strerror filename filename2 characters_written";
  types->SyntaxError->slots.attributes =
      "msg filename lineno offset text end_lineno end_offset print_file_and_line";
}

void exception_init(Eval *ev) {
  static const NativeDef methods[] = {
      {"__new__(cls, /, *args, **kwargs)", exception_make},
      {"__init__(self, /, *args, **kwargs)", exception_initialize},
      {"with_traceback(self, tb, /)", with_traceback},
      {"add_note(self, note, /)", add_note},
      {NULL, NULL},
  };
  ev->types.BaseException->methods = methods;
  ev->types.BaseException->slots =
      (TypeSlots){.repr = exception_repr,
                  .str = exception_str,
                  .getattr = exception_getattr,
                  .setattr = exception_setattr,
                  .attributes = "args __cause__ __context__ __suppress_context__ __traceback__"};
  name_attributes(&ev->types);
}
