// SPDX-License-Identifier: Apache-2.0
// The modules of jax: their natives, constants, names that are refused with a reason, and the
// private names that kernels shipped with JAX import.
#define _GNU_SOURCE // environ
#include "jax/array/array.h"
#include "jax/ops/natives.h"
#include "jax/array/scalar_type.h"
#include "python/modules/module.h"
#include "python/values/new_value.h"
#include "python/modules/prelude.h"
#include "python/objects/attribute.h"
#include "python/objects/protocol.h"
#include "python/values/dict.h"
#include "python/values/values.h"
#include <math.h>
#include <unistd.h>

// ---- jax.numpy ----------------------------------------------------------------------------------
static void set_dtypes(Eval *ev, ModuleObject *module) {
  static const struct {
    const char *name;
    DType dtype;
  } others[] = {
      {"bool_", DT_BOOL},    {"int_", DT_I64},     {"uint", DT_U64},
      {"float_", DT_F64},    {"double", DT_F64},   {"single", DT_F32},
      {"complex_", DT_C128}, {"cdouble", DT_C128}, {"csingle", DT_C64},
  };
  Value made[DT_COUNT];
  for (int d = 0; d < DT_COUNT; d++) {
    made[d] = scalar_type(ev, (DType)d);
    module_set(ev, module, dtype_name((DType)d), made[d]);
  }
  for (size_t i = 0; i < COUNT_OF(others); i++)
    module_set(ev, module, others[i].name, made[others[i].dtype]);
}

static void jnp_init(Eval *ev, ModuleObject *module) {
  const ArrayTypes *types = trace_types(ev);
  set_dtypes(ev, module);
  dtype_info_init(ev, module);
  for (size_t i = 0; i <= ND_complexfloating; i++)
    module_set(ev, module, nd_category_names[i], v_object(ev->numpy->nd_categories[i]));
  module_set(ev, module, "generic", v_object(ev->numpy->nd_generic));
  module_set(ev, module, "dtype", v_object(ev->numpy->dtype));
  module_set(ev, module, "_ScalarMeta", v_object(types->scalar_meta));
  module_set(ev, module, "ndarray", v_object(types->array_base));
  module_set(ev, module, "pi", v_float(3.14159265358979323846));
  module_set(ev, module, "e", v_float(2.71828182845904523536));
  module_set(ev, module, "euler_gamma", v_float(0.577215664901532860607));
  module_set(ev, module, "inf", v_float(INFINITY));
  module_set(ev, module, "nan", v_float(NAN));
  module_set(ev, module, "newaxis", v_none());
}

#define JNP1(name, op, rule) {#name "(x, /)", jnp_##name},
#define JNP2(name, op, rule) {#name "(x, y, /)", jnp_##name},
#define JNPU(name, op, rule) {#name "(x, y, /, *, out=None, where=None)", jnp_##name},
#define LAX1(name, op, kinds)
#define LAX2(name, op, kinds, tip)
#define NATIVE(signature, fn) {signature, fn},
static const NativeDef jnp_natives[] = {
#include "jax/ops/jnp_native.def"
#include "jax/ops/elementwise.def"
    {NULL, NULL},
};
#undef JNP1
#undef JNP2
#undef JNPU
#undef LAX1
#undef LAX2
#define JNP1(name, op, rule)
#define JNP2(name, op, rule)
#define JNPU(name, op, rule)
#define LAX1(name, op, kinds)      {#name "(x, *, accuracy=None)", lax_##name},
#define LAX2(name, op, kinds, tip) {#name "(x, y)", lax_##name},
static const NativeDef lax_natives[] = {
#include "jax/ops/lax_native.def"
#include "jax/ops/elementwise.def"
    {NULL, NULL},
};
#undef JNP1
#undef JNP2
#undef JNPU
#undef LAX1
#undef LAX2
#undef NATIVE

static const NotSupported jnp_not_supported[] = {
    {"fromfile", "it might be not pure; jnp.asarray(np.fromfile(...))"},
    {"fromiter", "it might be not pure; jnp.asarray(np.fromiter(...))"},
    {"int1", NULL},
    {"uint1", NULL},
    {"copyto", "arrays are immutable; use x.at[…].set()"},
    {"einsum_path", "numpy.einsum_path finds NumPy's"},
    {"float6_e2m3fn", NULL},
    {"float6_e3m2fn", NULL},
    {"ComplexWarning", NULL},
    {NULL, NULL},
};
const ModuleDef module_jax_numpy = {.name = "jax.numpy",
                                    .functions = jnp_natives,
                                    .attributes = "jax.numpy._ufunc",
                                    .init = jnp_init,
                                    .not_supported = jnp_not_supported};

const ModuleDef module_jax_numpy_fft = {.name = "jax.numpy.fft"};

// ---- jax.lax ------------------------------------------------------------------------------------
static const NotSupported lax_not_supported[] = {
    {"linear_solve_p", NULL},
    {"igamma_grad_a", NULL},
    {"random_gamma_grad", NULL},
    {"select_and_gather_add", NULL},
    {"select_and_scatter", NULL},
    {"select_and_scatter_add", NULL},
    {"infeed", NULL},
    {"outfeed", NULL},
    {"create_token", NULL},
    {"after_all", NULL},
    {"conv_general_permutations", NULL},
    {"precv", NULL},
    {"psend", NULL},
    {NULL, NULL},
};
const ModuleDef module_jax_lax = {
    .name = "jax.lax", .functions = lax_natives, .not_supported = lax_not_supported};

// ---- jax ----------------------------------------------------------------------------------------
static void version_init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "__version__", make_str_c(ev, "0.10.2"));
}
const ModuleDef module_jax_version = {.name = "jax.version", .init = version_init};

static bool is_flag(Str name) { return str_starts_with(name, STR("JAX_")); }

// Of the process, and of what the program has set in os.environ.
static bool has_flags(Eval *ev) {
  for (char **p = environ; p && *p; p++)
    if (is_flag(str_from_c(*p))) return true;
  Value os = dict_get_name(ev->modules, name_intern_c(ev->session->interner, "os"));
  if (v_is_unbound(os)) return false;
  const Dict *variables = value_as_dict(value_getattr_c(ev, os, "environ"));
  DictEntry *entry;
  Str name;
  for (size_t it = 0; variables && dict_next(variables, &it, &entry);)
    if (value_as_str(entry->key, &name) && is_flag(name)) return true;
  return false;
}

static void jax_init(Eval *ev, ModuleObject *module) {
  const ArrayTypes *types = trace_types(ev);
  module_set(ev, module, "Array", v_object(types->array_base));
  module_set(ev, module, "Ref", v_object(types->ref));
  module_set(ev, module, "ShapeDtypeStruct", v_object(types->shape_dtype_struct));
  version_init(ev, module);
  if (has_flags(ev)) module_load_prelude(ev, module); // it reads them
}

#define NO_AUTODIFF                                                                                \
  "pallasc does not differentiate; JAX does, and pallasc.jax compiles what it makes (docs/jax.md)"
#define USE_SHARD_MAP "use jax.shard_map, on a mesh of the devices"
#define USE_PUT       "use jax.device_put, with a NamedSharding"
static const NotSupported jax_not_supported[] = {
    {"grad", NO_AUTODIFF},
    {"value_and_grad", NO_AUTODIFF},
    {"jvp", NO_AUTODIFF},
    {"vjp", NO_AUTODIFF},
    {"linearize", NO_AUTODIFF},
    {"linear_transpose", NO_AUTODIFF},
    {"jacfwd", NO_AUTODIFF},
    {"jacrev", NO_AUTODIFF},
    {"jacobian", NO_AUTODIFF},
    {"hessian", NO_AUTODIFF},
    {"fwd_and_bwd", NO_AUTODIFF},
    {"xla_computation", "pallasc has an IR of its own: see --emit=trace"},
    {"smap", USE_SHARD_MAP},
    {"device_put_replicated", USE_PUT},
    {"device_put_sharded", USE_PUT},
    {"io_callback", "the compiled program has no Python to call"},
    {"example_libraries", NULL},
    {"test_util", NO_AUTODIFF},
    {"ffi", NULL},
    {"lib", NULL},
    {"custom_transpose", NULL},
    {NULL, NULL},
};
const ModuleDef module_jax = {.name = "jax", .init = jax_init, .not_supported = jax_not_supported};

static const NotSupported nn_not_supported[] = {{"scaled_dot_general", NULL}, {NULL, NULL}};
static const NotSupported sharding_not_supported[] = {
    {"PositionalSharding", "use NamedSharding"},
    {"auto_axes", NULL},
    {"explicit_axes", NULL},
    {NULL, NULL},
};
static const NotSupported experimental_not_supported[] = {
    {"sparse", NULL},
    {"host_callback", "the compiled program has no Python to call"},
    {"export", NULL},
    {"serialize_executable", NULL},
    {"layout", NULL},
    {"colocated_python", NULL},
    {"compute_on", NULL},
    {"hijax", NULL},
    {"jet", NO_AUTODIFF},
    {"roofline", NULL},
    {"scheduling_groups", NULL},
    {NULL, NULL},
};
// Modules of JAX's own machinery, which there is none of here.
#define MACHINERY "it is JAX's own machinery, which pallasc has no part of"
static const NotSupported internals[] = {
    {"ad", MACHINERY},
    {"ad_util", MACHINERY},
    {"array", MACHINERY},
    {"batching", MACHINERY},
    {"cache_key", MACHINERY},
    {"cloud_tpu_init", MACHINERY},
    {"compilation_cache_interface", MACHINERY},
    {"compiler", MACHINERY},
    {"dispatch", MACHINERY},
    {"effects", MACHINERY},
    {"export", MACHINERY},
    {"ffi", MACHINERY},
    {"ifrt_programs", MACHINERY},
    {"interpreters", MACHINERY},
    {"layout", MACHINERY},
    {"lib", MACHINERY},
    {"linear_util", MACHINERY},
    {"mlir", MACHINERY},
    {"partial_eval", MACHINERY},
    {"public_test_util", MACHINERY},
    {"tpu_custom_call", MACHINERY},
    {"xla", MACHINERY},
    {"xla_client", MACHINERY},
    {"xla_extension", MACHINERY},
    {NULL, NULL},
};
static const NotSupported pallas_internals[] = {
    {"fuser", "pallasc fuses what stands around a kernel by itself"},
    {"hlo_interpreter", MACHINERY},
    {NULL, NULL},
};
static const NotSupported mosaic_internals[] = {
    {"lowering", MACHINERY},
    {"pallas_call_registration", MACHINERY},
    {"sc_lowering", MACHINERY},
    {NULL, NULL},
};
static const NotSupported interpreter_internals[] = {
    {"params", MACHINERY},
    {"race_detection_state", MACHINERY},
    {"shared_memory", MACHINERY},
    {"thread_map", MACHINERY},
    {"utils", MACHINERY},
    {"vector_clock", MACHINERY},
    {NULL, NULL},
};
static const NotSupported partial_evaluation[] = {{"partial_eval", MACHINERY}, {NULL, NULL}};
static const NotSupported mlir_internals[] = {
    {"aval_to_ir_type", MACHINERY},
    {"dtype_to_ir_type", MACHINERY},
    {"ir", MACHINERY},
    {"ir_constant", MACHINERY},
    {"ir_constants", MACHINERY},
    {"LoweringRuleContext", MACHINERY},
    {"ModuleContext", MACHINERY},
    {"custom_call", MACHINERY},
    {"dense_int_elements", MACHINERY},
    {"flatten_ir_values", MACHINERY},
    {"i32_attr", MACHINERY},
    {"i64_attr", MACHINERY},
    {"make_ir_context", MACHINERY},
    {"JVPTracer", MACHINERY},
    {"BatchTracer", MACHINERY},
    {"Zero", MACHINERY},
    {"instantiate_zeros", MACHINERY},
    {"not_mapped", MACHINERY},
    {"moveaxis", MACHINERY},
    {"bdim_at_front", MACHINERY},
    {NULL, NULL},
};
static const NotSupported shard_map_not_supported[] = {{"smap", USE_SHARD_MAP}, {NULL, NULL}};
const ModuleDef module_jax_shard_map = {.name = "jax.experimental.shard_map",
                                        .not_supported = shard_map_not_supported};
const ModuleDef module_jax_nn = {.name = "jax.nn", .not_supported = nn_not_supported};
// The exceptions of errors.def that this module has.
static void errors_init(Eval *ev, ModuleObject *module) {
  const ArrayTypes *types = trace_types(ev);
  Type *const all[] = {
#define EXCEPTION(name, base, module) types->name,
#include "jax/array/errors.def"
#undef EXCEPTION
  };
  for (size_t i = 0; i < COUNT_OF(all); i++)
    if (all[i]->module == module->name)
      module_set(ev, module, all[i]->name->text, v_object(all[i]));
}
const ModuleDef module_jax_errors = {.name = "jax.errors", .init = errors_init};
const ModuleDef module_jax_dtypes = {.name = "jax.dtypes", .init = errors_init};
const ModuleDef module_jax_sharding = {.name = "jax.sharding",
                                       .not_supported = sharding_not_supported};
static const NotSupported profiler_not_supported[] = {{"ProfileData", NULL}, {NULL, NULL}};
const ModuleDef module_jax_profiler = {.name = "jax.profiler",
                                       .not_supported = profiler_not_supported};
const ModuleDef module_jax_experimental = {.name = "jax.experimental",
                                           .not_supported = experimental_not_supported};
static const NotSupported mosaic_not_supported[] = {
    {"as_tpu_kernel", NULL}, {"lower_module_to_custom_call", NULL}, {NULL, NULL}};
const ModuleDef module_jax_mosaic = {.name = "jax.experimental.mosaic",
                                     .not_supported = mosaic_not_supported};
static const NotSupported dialects_not_supported[] = {
    {"tpu", NULL}, {"mosaic_gpu", NULL}, {NULL, NULL}};
const ModuleDef module_jax_mosaic_dialects = {.name = "jax.experimental.mosaic.dialects",
                                              .not_supported = dialects_not_supported};
#define NO_BACKENDS "pallasc has one machine to run on, and no plugins of XLA"
static const NotSupported extend_backend_not_supported[] = {
    {"backend_xla_version", NO_BACKENDS},
    {"clear_in_memory_compilation_cache", NO_BACKENDS},
    {"get_compile_options", NO_BACKENDS},
    {"ifrt_proxy", NO_BACKENDS},
    {"register_backend_cache", NO_BACKENDS},
    {"register_backend_factory", NO_BACKENDS},
    {NULL, NULL},
};
const ModuleDef module_jax_extend_backend = {.name = "jax.extend.backend",
                                             .not_supported = extend_backend_not_supported};
const ModuleDef module_jax_src = {.name = "jax._src", .not_supported = internals};
const ModuleDef module_jax_pallas_src = {.name = "jax._src.pallas",
                                         .not_supported = pallas_internals};
const ModuleDef module_jax_mosaic_src = {.name = "jax._src.pallas.mosaic",
                                         .not_supported = mosaic_internals};
const ModuleDef module_jax_interpret_src = {.name = "jax._src.pallas.mosaic.interpret",
                                            .not_supported = interpreter_internals};
// What JAX finds where there is no GPU.
const ModuleDef module_jax_interpreters = {.name = "jax.interpreters",
                                           .not_supported = partial_evaluation};
const ModuleDef module_jax_rules = {.name = "jax.interpreters.mlir",
                                    .not_supported = mlir_internals};
const ModuleDef module_jax_extend = {.name = "jax.extend", .not_supported = internals};
const ModuleDef module_jaxlib = {.name = "jaxlib", .not_supported = internals};

// JAX's private modules under the names that kernels import them by.
#define ALIAS(symbol, private_name, public_name)                                                   \
  const ModuleDef symbol = {.name = private_name, .alias_of = public_name};
#include "jax_alias.def"
#undef ALIAS
