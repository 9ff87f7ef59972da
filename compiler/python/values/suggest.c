// SPDX-License-Identifier: Apache-2.0
// The nearest of some names to one that is not there.
#include "evaluator_state.h"
#include "dict.h"
#include "new_value.h"
#include "raise.h"
#include "suggest.h"
#include "values.h"

void suggestion_init(Suggestion *s, Str wanted) {
  *s = (Suggestion){.wanted = wanted, .distance = SIZE_MAX};
}

static bool equal_but_case(Str a, Str b) {
  if (a.len != b.len) return false;
  for (size_t i = 0; i < a.len; i++)
    if ((a.data[i] | 0x20) != (b.data[i] | 0x20)) return false;
  return true;
}

void suggestion_try(Suggestion *s, Str candidate) {
  if (candidate.len == 0 || str_equal(candidate, s->wanted)) return;
  // Private names are suggested only for private names.
  if (candidate.data[0] == '_' && (s->wanted.len == 0 || s->wanted.data[0] != '_')) return;
  // A third of the letters may be wrong, as in CPython.
  size_t most = (s->wanted.len + candidate.len + 3) / 6;
  if (most >= s->distance) most = s->distance - 1; // the first of equals stays
  size_t distance =
      equal_but_case(candidate, s->wanted) ? 1 : str_distance(s->wanted, candidate, most);
  if (distance > most || distance >= s->wanted.len) return;
  s->best = candidate;
  s->distance = distance;
}

void suggestion_try_dict(Suggestion *s, const Dict *dict) {
  DictEntry *entry;
  for (size_t it = 0; dict_next(dict, &it, &entry);) {
    Str text;
    if (value_as_str(entry->key, &text)) suggestion_try(s, text);
  }
}

Str suggestion_hint(Eval *ev, const Suggestion *s) {
  if (s->best.len == 0) return (Str){0};
  return str_format(ev->arena, "did you mean '%.*s'?", STR_FMT(s->best));
}

void raise_lacking(Eval *ev, Value v, Name method, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  ExceptionObject *exception =
      exception_new(ev, ev->types.TypeError, str_vformat(ev->arena, fmt, args));
  va_end(args);
  if (ev->hooks.foreign_name) exception->hint = ev->hooks.foreign_name(ev, v, method);
  eval_raise_value(ev, v_object(exception));
}

void raise_hinted(Eval *ev, Type *type, const char *hint, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  ExceptionObject *exception = exception_new(ev, type, str_vformat(ev->arena, fmt, args));
  va_end(args);
  exception->hint = str_from_c(hint);
  eval_raise_value(ev, v_object(exception));
}
