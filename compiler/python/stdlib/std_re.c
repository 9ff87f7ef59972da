// SPDX-License-Identifier: Apache-2.0
// The module re: what its prelude calls. Patterns, matches and substitution are objects of
// library/re.pk.
#include "std_re.h"
#include "python/modules/module.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_text.h"
#include "python/values/bytes_like.h"
#include "python/values/dict.h"
#include "python/values/make.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"

typedef struct Code {
  Object base;
  ReProgram *program;
} Code;

// (code, groups, flags, {name: group})
static Value f_compile(Eval *ev, Value *a) {
  Code *code = ARENA_NEW(ev->arena, Code);
  code->base.type = (Type *)module_lookup(ev, "re", "_Code").o;
  code->program = re_parse(ev, a[0], (unsigned)take_index64(ev, a[1]));
  re_compile(ev, code->program);
  const ReProgram *program = code->program;
  Dict *names = dict_new(ev);
  for (size_t i = 1; i < program->names.count; i++) {
    if (program->names.items[i])
      dict_set_name(ev, names, program->names.items[i], v_int((int64_t)i));
  }
  Value items[] = {v_object(code), v_int(program->groups), v_int(program->flags), v_object(names)};
  return make_tuple(ev, COUNT_OF(items), items);
}

static Value f_subject(Eval *ev, Value *a) { // code, string
  bool is_bytes = ((const Code *)a[0].o)->program->is_bytes;
  Str text;
  bool is_str = value_as_str(a[1], &text);
  if (!is_str && !value_as_bytes(ev, a[1], &text))
    eval_raise(ev, ev->types.TypeError, "expected string or bytes-like object, got '%s'",
               value_type_name(ev, a[1]));
  if (is_str == is_bytes)
    eval_raise(ev, ev->types.TypeError,
               is_str ? "cannot use a bytes pattern on a string-like object"
                      : "cannot use a string pattern on a bytes-like object");
  ReSubject *subject = ARENA_NEW(ev->arena, ReSubject);
  subject->base.type = (Type *)module_lookup(ev, "re", "_Subject").o;
  subject->codes = re_codes(ev, a[1], is_bytes, &subject->count);
  return v_object(subject);
}

// The marks, and behind them the group that closed last.
static Value marks_tuple(Eval *ev, const size_t *marks, size_t count, size_t last_group) {
  Tuple *tuple = tuple_new(ev, count + 1);
  tuple->items[count] = last_group ? v_int((int64_t)last_group) : v_none();
  for (size_t i = 0; i < count; i++) {
    tuple->items[i] = v_int(marks[i] == RE_UNSET ? -1 : (int64_t)marks[i]);
  }
  return v_object(tuple);
}

// _find(code, subject, start, end, mode, must_advance): mode 0 matches at start, 1 the whole, 2
// searches. The marks, or None.
static Value f_find(Eval *ev, Value *a) {
  const ReProgram *program = ((const Code *)a[0].o)->program;
  const ReSubject *subject = (const ReSubject *)a[1].o;
  ReMode mode = (ReMode)take_index64(ev, a[4]);
  size_t count = 2 * ((size_t)program->groups + 1), last_group = 0;
  size_t *marks = ARENA_ARRAY(ev->arena, size_t, count);
  int64_t start = take_index_clamped(ev, a[2]), end = take_index_clamped(ev, a[3]);
  if (start < 0) start = 0;
  if (end > (int64_t)subject->count) end = (int64_t)subject->count;
  if (start > end || !re_find(ev, program, subject, (size_t)start, (size_t)end, mode,
                              value_truth(ev, a[5]), marks, &last_group))
    return v_none();
  return marks_tuple(ev, marks, count, last_group);
}

static const NativeDef functions[] = {
    {"_compile(pattern, flags, /)", f_compile},
    {"_subject(code, string, /)", f_subject},
    {"_find(code, subject, start, end, mode, must_advance, /)", f_find},
    {0},
};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "_Code", v_object(type_new_native(ev, "re", "_Code", NULL, NULL, NULL)));
  module_set(ev, module, "_Subject",
             v_object(type_new_native(ev, "re", "_Subject", NULL, NULL, NULL)));
}

const ModuleDef module_re = {.name = "re", .functions = functions, .init = init};
