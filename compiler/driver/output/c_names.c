// SPDX-License-Identifier: Apache-2.0
// Names that C has taken. In: a module of entry points. Out: parameters renamed where C needs it,
// or a diagnostic for an entry point that cannot be a function of C and C++, or whose definition
// would take the place of a function of the C library. The names are in c_names.def.
#include <string.h>
#include "ir/core/ir.h"
#include "header.h"
#include "ir/core/family.h"

typedef enum NameKind {
  NAME_FREE,
  NAME_KEYWORD,
  NAME_MACRO,
  NAME_TYPE,
  NAME_LIBRARY,
  NAME_PATTERN
} NameKind;
typedef enum NameSpelling { SPELLING_PLAIN, SPELLING_REAL } NameSpelling;

static const struct {
  NameKind kind;
  NameSpelling spelling;
  const char *names; // a blank behind each
} taken[] = {
#define NAMES(kind, spelling, names) {NAME_##kind, SPELLING_##spelling, names},
#include "c_names.def"
#undef NAMES
};

static bool list_has(const char *list, Str name) {
  for (const char *at = list, *end; (end = strchr(at, ' ')); at = end + 1)
    if (str_equal((Str){at, (size_t)(end - at)}, name)) return true;
  return false;
}

// Whether the name is a listed one with what C calls the types of real numbers behind it.
static bool list_has_real(const char *list, Str name) {
  static const char *const types[] = {"", "f", "l", "f16", "f32", "f32x", "f64", "f64x", "f128"};
  for (size_t i = 0; i < COUNT_OF(types); i++) {
    Str type = str_from_c(types[i]);
    if (str_ends_with(name, type) && list_has(list, (Str){name.data, name.len - type.len}))
      return true;
  }
  return false;
}

static bool has_taken_pattern(Str name) {
  static const char *const heads[] = {"prt_", "PRT_", "PALLASC_", "__"};
  for (size_t i = 0; i < COUNT_OF(heads); i++)
    if (str_starts_with(name, str_from_c(heads[i]))) return true;
  return name.len > 1 && name.data[0] == '_' && name.data[1] >= 'A' && name.data[1] <= 'Z';
}

static NameKind kind_of(Str name) {
  for (size_t i = 0; i < COUNT_OF(taken); i++)
    if (taken[i].spelling == SPELLING_REAL ? list_has_real(taken[i].names, name)
                                           : list_has(taken[i].names, name))
      return taken[i].kind;
  return has_taken_pattern(name) ? NAME_PATTERN : NAME_FREE;
}

// What is called: an entry stands at the name of its function, or at the call that --entry writes.
static Str callee_text(const Session *session, Span span) {
  const SourceFile *file = source_get(session, span.file);
  if (!file) return STR("FUNCTION");
  Str text = {file->text.data + span.begin, span.end - span.begin};
  const char *open = memchr(text.data, '(', text.len);
  return (Str){text.data, open ? (size_t)(open - text.data) : text.len};
}

// Where an entry's name stands: in front of "=" if --entry gives it one.
static Span name_span(const Session *session, const IrFunc *func, Str name) {
  Span span = func->span;
  const SourceFile *file = source_get(session, span.file);
  const char *equals = file ? memchr(file->text.data, '=', span.begin) : NULL;
  const char *begin = file ? file->text.data : NULL;
  while (equals && begin < equals && *begin == ' ') begin++;
  if (!equals || (size_t)(equals - begin) < name.len || memcmp(begin, name.data, name.len) != 0)
    return span;
  uint32_t at = (uint32_t)(begin - file->text.data);
  return (Span){span.file, at, at + (uint32_t)name.len};
}

static bool check_entry_name(Session *session, const IrFunc *func) {
  static const char *const reasons[] = {
      [NAME_KEYWORD] = "it is a keyword of C or C++",
      [NAME_MACRO] = "it is a macro of C's headers or compilers",
      [NAME_TYPE] = "it is a type of C's headers",
      [NAME_LIBRARY] = "programs and the C library have one of that name",
      [NAME_PATTERN] = "names like it belong to C itself or to the runtime",
  };
  const char *name = ir_family_name(func)->text;
  NameKind kind = kind_of(str_from_c(name));
  if (kind == NAME_FREE) return true;
  Str callee = callee_text(session, func->span);
  const SourceFile *file = source_get(session, func->span.file);
  bool is_exported = file && str_ends_with(file->path, STR(".jaxpr"));
  Diag *diag = diag_error(session, name_span(session, func, str_from_c(name)),
                          "'%s' cannot be the name of a C function: %s", name, reasons[kind]);
  diag_help(diag,
            str_format(session->arena, "another name: %s--entry 'NAME = %.*s(...)'",
                       is_exported ? "name='…' where it is exported, or " : "", STR_FMT(callee)));
  return false;
}

static bool is_param(const IrFunc *func, Str name) {
  for (uint32_t i = 0; i < func->param_count; i++)
    if (func->params[i].name && str_equal(name_str(func->params[i].name), name)) return true;
  return false;
}

// A parameter hides what the library declares, but not a keyword, a macro, or a type that the
// prototype may need behind it. The prototype has a parameter of its own, the machine.
static Str free_param_name(Session *session, const IrFunc *func, Str name) {
  NameKind kind = kind_of(name);
  if ((kind == NAME_FREE || kind == NAME_LIBRARY) && !str_equal(name, STR("machine"))) return name;
  Str fixed =
      str_format(session->arena, kind == NAME_PATTERN ? "arg_%.*s" : "%.*s_", STR_FMT(name));
  while (is_param(func, fixed)) fixed = str_format(session->arena, "%.*s_", STR_FMT(fixed));
  return fixed;
}

// Sizes come before the arrays in the same prototype.
static void fix_sizes(Session *session, const IrFunc *func) {
  IrFamily *family = func->family;
  for (size_t i = 0; family && i < family->count; i++) {
    Str name = free_param_name(session, func, name_str(family->sizes[i]));
    bool is_free = false;
    while (!is_free) {
      is_free = !is_param(func, name);
      for (size_t k = 0; k < i; k++) is_free &= !str_equal(name_str(family->sizes[k]), name);
      if (!is_free) name = str_format(session->arena, "%.*s_size", STR_FMT(name));
    }
    family->sizes[i] = name_intern(session->interner, name);
  }
}

bool c_names_fix(Session *session, IrModule *module) {
  bool good = true;
  for (IrFunc *func = module->first; func; func = func->next) {
    bool is_first = ir_family_is_first(func);
    if (is_first && !check_entry_name(session, func)) good = false;
    for (uint32_t i = 0; i < func->param_count; i++) {
      Name *name = &func->params[i].name;
      Str wanted = *name ? name_str(*name) : str_format(session->arena, "arg%u", i);
      *name = name_intern(session->interner, free_param_name(session, func, wanted));
    }
    if (is_first) fix_sizes(session, func);
  }
  return good;
}
