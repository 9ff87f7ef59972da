// SPDX-License-Identifier: Apache-2.0
// The module re: what its prelude calls. Patterns are objects of library/re.pk, matches those of
// std_re_object.c.
#include "std_re.h"
#include "python/modules/module.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/text/builtin_text.h"
#include "python/builtins/builtin_wrap.h"
#include "std_re_object.h"
#include "python/values/bytes_like.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"

// (code, groups, flags, {name: group})
static Value f_compile(Eval *ev, Value *a) {
  ReCodeObject *code = ARENA_NEW(ev->arena, ReCodeObject);
  code->base.type = (Type *)module_lookup(ev, "re", "_Code").o;
  code->match_type = (Type *)module_lookup(ev, "re", "Match").o;
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

static const NativeDef functions[] = {
    {"_compile(pattern, flags, /)", f_compile},
    {"_run(code, pattern, string, pos, endpos, mode, /)", re_run},
    {"_all(code, pattern, string, pos, endpos, limit, /)", re_all},
    {"_texts(code, string, pos, endpos, /)", re_texts},
    {"_replaced(code, string, pieces, count, /)", re_replaced},
    {0},
};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "_Code", v_object(type_new_native(ev, "re", "_Code", NULL, NULL, NULL)));
  module_set(ev, module, "Match",
             v_object(native_type_new(ev, "re", "Match", NULL, &re_match_type)));
}

const ModuleDef module_re = {.name = "re", .functions = functions, .init = init};
