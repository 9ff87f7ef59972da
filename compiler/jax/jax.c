// SPDX-License-Identifier: Apache-2.0
// The modules of what is recorded and what JAX asks of calls, registered with the language.
#include "jax.h"

#include "jax/array/argument_rules.h"
#include "jax/array/array.h"
#include "jax/array/array_ops.h"
#include "jax/array/array_type.h"
#include "jax/array/dynamic_slice.h"
#include "jax/array/ref.h"
#include "jax/array/scalar_type.h"
#include "jax/foreign_names.h"
#include "python/modules/module.h"
#include "python/objects/type.h"
#include "python/values/evaluator_state.h"
#include "jax/transform/pytree.h"
#include "jax/pallas/variables.h"
#include "jax/program/eager.h"

#define MODULE(symbol)              extern const ModuleDef symbol;
#define ALIAS(symbol, name, target) MODULE(symbol)
#include "jax_modules.def"
#include "jax_alias.def"
#undef ALIAS
#undef MODULE

static const ModuleDef *const defs[] = {
#define MODULE(symbol)              &symbol,
#define ALIAS(symbol, name, target) MODULE(symbol)
#include "jax_modules.def"
#include "jax_alias.def"
#undef ALIAS
#undef MODULE
};

static const CustomaryName customary[] = {
    {"jax", "jax", NULL},
    {"jnp", "jax.numpy", NULL},
    {"lax", "jax.lax", NULL},
    {"pl", "jax.experimental.pallas", NULL},
    {"pltpu", "jax.experimental.pallas.tpu", NULL},
    {"plsc", "jax.experimental.pallas.tpu_sc", NULL},
    {"P", "jax.sharding", "PartitionSpec"},
    {"f32", "jax.numpy", "float32"},
    {"f64", "jax.numpy", "float64"},
    {"bf16", "jax.numpy", "bfloat16"},
    {"f16", "jax.numpy", "float16"},
    {"i8", "jax.numpy", "int8"},
    {"i16", "jax.numpy", "int16"},
    {"i32", "jax.numpy", "int32"},
    {"i64", "jax.numpy", "int64"},
    {"u8", "jax.numpy", "uint8"},
    {"u16", "jax.numpy", "uint16"},
    {"u32", "jax.numpy", "uint32"},
    {"u64", "jax.numpy", "uint64"},
    {"bool_", "jax.numpy", "bool_"},
};

// What belongs to jax.nn is often looked for in jax.numpy, and the other way round.
static const ModuleFamily families[] = {
    {(const char *const[]){"jax.experimental.pallas", NULL},
     (const char *const[]){"jax.experimental.pallas", "jax.experimental.pallas.tpu", NULL}},
    {(const char *const[]){"jax", "numpy", NULL},
     (const char *const[]){"jax.numpy", "jax.lax", "jax.nn", "jax", "jax.random", "jax.tree_util",
                           "jax.scipy.special", "numpy", NULL}},
};

static const ModuleTable table = {
    .defs = defs,
    .count = COUNT_OF(defs),
    .customary = customary,
    .customary_count = COUNT_OF(customary),
    .families = families,
    .family_count = COUNT_OF(families),
    .facade = "jax",
    .elsewhere = "pallasc has no such module; with '-I DIR' it is read from DIR, the folder of "
                 "site-packages where JAX is installed, as it is in an active virtual environment",
};

// f32 for float32, jnp.int4, which has no short name, pl.program_id(0) for blockIdx.
static Str suggest_name(Eval *ev, const ModuleObject *module, Name name) {
  DType dtype;
  if (!module->has_customary || !dtype_from_name(name_str(name), &dtype))
    return foreign_variable_hint(ev, name);
  bool has_short = module_customary_import(ev, intern(ev, dtype_short_name(dtype))).len > 0;
  return str_format(ev->arena, "did you mean '%s%s'?", has_short ? "" : "jnp.",
                    has_short ? dtype_short_name(dtype) : dtype_name(dtype));
}

void jax_init(Eval *ev) {
  modules_register(ev, &table);
  ev->hooks = (CallHooks){.rule = argument_rule,
                          .answer = argument_answer,
                          .bound = variables_bound,
                          .suggest = suggest_name,
                          .foreign_name = foreign_name_hint,
                          .foreign_package = foreign_package_hint,
                          .foreign_position = foreign_position_hint,
                          .foreign_missing = foreign_missing_hint,
                          .assigned_outer = assigned_outer_hint,
                          .assigned_inner = assigned_inner_hint,
                          .foreign_keyword = foreign_keyword_hint,
                          .printing = eager_print,
                          .assigned = ev->options.debug_info ? variable_assigned : NULL};
  types_of_extension(ev, "jaxlib._jax");
  trace_init(ev);
  array_state_init(ev);
  ev->trace->arrays->ops = &array_ops;
  scalar_type_init(ev);
  array_init(ev);
  ref_init(ev);
  dynamic_slice_init(ev);
  pytree_init(ev);
  eager_init(ev);
}
