// SPDX-License-Identifier: Apache-2.0
// The module collections.abc: what its prelude needs of the evaluator.
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"

// A name in one class's own namespace, slots included; `missing` if it is not there. object's
// __hash__ and the like count, as in Python.
static Value f_own(Eval *ev, Value *a) {
  Value found = type_own_attribute(ev, (Type *)a[0].o,
                                   name_intern(ev->session->interner, take_str(ev, a[1], "name")));
  if (v_is_unbound(found)) return module_lookup(ev, "collections.abc", "_nothing");
  return found;
}

static const NativeDef functions[] = {{"_own(cls, name, /)", f_own}, {0}};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "_nothing",
             v_object(instance_new(
                 ev, type_new_native(ev, "collections.abc", "_nothing", NULL, NULL, NULL))));
  module_set(ev, module, "_GenericAlias", v_object(ev->types.generic_alias));
  module_set(ev, module, "_MappingProxy", v_object(ev->types.mapping_proxy));
  module_set(ev, module, "_generator", v_object(ev->types.generator));
  module_set(ev, module, "_deque", module_lookup(ev, "collections", "deque"));
}

const ModuleDef module_collections_abc = {
    .name = "collections.abc", .functions = functions, .init = init};
