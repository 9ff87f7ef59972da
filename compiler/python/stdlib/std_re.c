// SPDX-License-Identifier: Apache-2.0
// The module re: what its prelude calls. Patterns, matches and substitution are objects of
// library/re.pk.
#include "std_re.h"
#include "python/modules/module.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_text.h"
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
  const ReProgram *program = code->program;
  Dict *names = dict_new(ev);
  for (size_t i = 1; i < program->names.count; i++) {
    if (program->names.items[i])
      dict_set_name(ev, names, program->names.items[i], v_int((int64_t)i));
  }
  Value items[] = {v_object(code), v_int(program->groups), v_int(program->flags), v_object(names)};
  return make_tuple(ev, COUNT_OF(items), items);
}

static Value f_subject(Eval *ev, Value *a) {
  Str text;
  if (!value_as_str(a[0], &text)) {
    bool is_bytes = a[0].kind == V_OBJECT && a[0].o->type == ev->types.bytes;
    eval_raise(ev, ev->types.TypeError,
               is_bytes ? "cannot use a string pattern on a bytes-like object"
                        : "expected string or bytes-like object, got '%s'",
               value_type_name(ev, a[0]));
  }
  ReSubject *subject = ARENA_NEW(ev->arena, ReSubject);
  subject->base.type = (Type *)module_lookup(ev, "re", "_Subject").o;
  uint32_t *codes = ARENA_ARRAY(ev->arena, uint32_t, text.len + 1);
  for (size_t at = 0; at < text.len;) codes[subject->count++] = text_next(text, &at);
  subject->codes = codes;
  return v_object(subject);
}

// The marks, and behind them the group that closed last.
static Value marks_tuple(Eval *ev, const size_t *marks, size_t count, size_t last_group) {
  Tuple *tuple = tuple_new(ev, count + 1);
  tuple->items[count] = last_group ? v_int((int64_t)last_group) : v_none();
  for (size_t i = 0; i < count; i++) {
    // A group that was entered but never left has matched nothing.
    bool is_set = marks[i | 1] != RE_UNSET && marks[i & ~(size_t)1] != RE_UNSET;
    tuple->items[i] = v_int(is_set ? (int64_t)marks[i] : -1);
  }
  return v_object(tuple);
}

// _find(code, subject, start, end, mode, must_advance): mode 0 matches at start, 1 the whole, 2
// searches. The marks, or None.
static Value f_find(Eval *ev, Value *a) {
  const ReProgram *program = ((const Code *)a[0].o)->program;
  const ReSubject *subject = (const ReSubject *)a[1].o;
  int64_t mode = take_index64(ev, a[4]);
  bool must_advance = value_truth(ev, a[5]);
  size_t count = 2 * (program->groups + 1), last_group = 0;
  size_t *marks = ARENA_ARRAY(ev->arena, size_t, count);
  int64_t given_start = take_index_clamped(ev, a[2]), given_end = take_index_clamped(ev, a[3]);
  size_t start = given_start < 0 ? 0 : (size_t)given_start,
         end = given_end < 0 ? 0 : (size_t)given_end;
  if (end > subject->count) end = subject->count;
  if (start > subject->count) start = subject->count;
  const ReNode *first = program->first;
  for (; start <= end; start++, must_advance = false) {
    bool hopeless = mode == 2 && first->kind == RE_CHAR && !first->ignore_case &&
                    (start == end || subject->codes[start] != first->code);
    if (!hopeless &&
        re_match_at(ev, program, subject, start, end, mode == 1, must_advance, marks, &last_group))
      return marks_tuple(ev, marks, count, last_group);
    if (mode != 2) break;
    eval_step(ev);
  }
  return v_none();
}

static const NativeDef functions[] = {
    {"_compile(pattern, flags, /)", f_compile},
    {"_subject(string, /)", f_subject},
    {"_find(code, subject, start, end, mode, must_advance, /)", f_find},
    {0},
};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "_Code", v_object(type_new_native(ev, "re", "_Code", NULL, NULL, NULL)));
  module_set(ev, module, "_Subject",
             v_object(type_new_native(ev, "re", "_Subject", NULL, NULL, NULL)));
}

const ModuleDef module_re = {.name = "re", .functions = functions, .init = init};
