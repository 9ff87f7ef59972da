// SPDX-License-Identifier: Apache-2.0
// Brings the builtin types, functions and exceptions together.
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/builtins/text/builtin_bytearray.h"
#include "python/builtins/text/builtin_bytes.h"
#include "builtin_descr.h"
#include "builtin_dict.h"
#include "builtin_exceptions.h"
#include "builtin_complex.h"
#include "builtin_float.h"
#include "builtin_generic.h"
#include "builtin_int.h"
#include "builtin_iter.h"
#include "builtin_traceback.h"
#include "builtin_list.h"
#include "builtin_object.h"
#include "python/builtins/text/builtin_memoryview.h"
#include "builtin_set.h"
#include "builtin_slice.h"
#include "python/builtins/text/builtin_str.h"
#include "builtin_tuple.h"
#include "builtin_views.h"
#include "builtin_wrap.h"
#include "builtins.h"

extern const NativeDef builtin_functions[];

const ModuleDef module_builtins = {.name = "builtins", .functions = builtin_functions};

static void publish_types(Eval *ev) {
  const BuiltinState *state = ev->builtin;
  const struct {
    const char *name;
    Type *type;
  } types[] = {{"enumerate", state->enumerate},
               {"zip", state->zip},
               {"map", state->map},
               {"filter", state->filter},
               {"reversed", state->reversed}};
  for (size_t i = 0; i < COUNT_OF(types); i++)
    module_set(ev, ev->builtins, types[i].name, v_object(types[i].type));
}

void builtins_init(Eval *ev) {
  ev->builtin = ARENA_NEW(ev->arena, BuiltinState);
  ev->builtins->def = &module_builtins;
  builtin_wrap_init(ev);
  builtin_object_init(ev);
  builtin_exceptions_init(ev);
  builtin_int_init(ev);
  builtin_float_init(ev);
  builtin_complex_init(ev);
  builtin_str_init(ev);
  builtin_bytes_init(ev);
  builtin_bytearray_init(ev);
  builtin_memoryview_init(ev);
  builtin_slice_init(ev);
  builtin_tuple_init(ev);
  builtin_list_init(ev);
  builtin_dict_init(ev);
  builtin_views_init(ev);
  builtin_set_init(ev);
  builtin_descr_init(ev);
  builtin_generic_init(ev);
  builtin_iter_init(ev);
  builtin_traceback_init(ev);
  publish_types(ev);
}
