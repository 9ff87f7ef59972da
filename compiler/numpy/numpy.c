// SPDX-License-Identifier: Apache-2.0
// The state of the floor, its types, and its modules, registered with the language.
#include "numpy.h"

#include "numpy/dtypes/dtype_object.h"
#include "numpy/ufuncs/nd_errors.h"
#include "numpy_state.h"
#include "python/modules/module.h"
#include "python/objects/type.h"

#define MODULE(symbol) extern const ModuleDef symbol;
#include "np_modules.def"
#undef MODULE

static const ModuleDef *const defs[] = {
#define MODULE(symbol) &symbol,
#include "np_modules.def"
#undef MODULE
};

static const CustomaryName customary[] = {{"np", "numpy", NULL}};

static const ModuleTable table = {
    .defs = defs,
    .count = COUNT_OF(defs),
    .customary = customary,
    .customary_count = COUNT_OF(customary),
    .facade = "numpy",
};

void numpy_init(Eval *ev) {
  NumpyState *state = ev->numpy = ARENA_NEW(ev->arena, NumpyState);
  state->reported_errors = 1u << ND_ERROR_DIVIDE | 1u << ND_ERROR_OVER | 1u << ND_ERROR_INVALID;
  Interner *interner = ev->session->interner;
#define X(name) state->names.name = name_intern_c(interner, #name);
  ND_NAMES(X)
#undef X
  state->names.char_ = name_intern_c(interner, "char");
  types_of_extension(ev, "numpy");
  types_of_extension(ev, "ml_dtypes");
  dtype_object_init(ev);
  nd_type_init(ev);
  modules_register(ev, &table);
}
