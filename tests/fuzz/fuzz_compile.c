// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes go the whole way, from a source to an object in memory, with small limits. A
// source ends in an object or in a diagnostic.
#include "in_session.h"

#include "ir/core/ir.h"
#include "codegen/codegen.h"
#include "passes/pass.h"
#include "jax/jax.h"
#include "jax/program/eager.h"
#include "numpy/numpy.h"
#include "jax/program/entry.h"
#include "python/eval.h"

static int run(Session *session, void *data) {
  const Str *input = data;
  Module *module = syntax_parse(session, source_add(session, STR("a.pk"), *input, false));
  if (session->error_count) return 1;
  EvalOptions options = {.max_steps = 20000, .max_depth = 200, .tpu = STR("v5p"), .devices = 1};
  Eval *ev = eval_new(session, &options);
  numpy_init(ev);
  jax_init(ev);
  if (!eval_main(ev, module)) return ev->has_exited ? 1 : give_up(session);
  if (!entry_trace(ev, NULL, 0, false)) return give_up(session);
  IrModule *ir = eager_entries(ev);
  PassOptions passes = {.opt_level = 2, .stop_after = PASS_COUNT, .print_to = stderr};
  if (!passes_run(session, ir, &passes)) return give_up(session);
  CodegenOptions codegen = {.opt_level = 1, .target_cpu = STR("x86-64-v3")};
  LlvmModule *llvm = codegen_module(session, ir, &codegen);
  if (!llvm) return give_up(session);
  Str object;
  bool good = codegen_emit(session, llvm, EMIT_OBJECT, session->arena, &object);
  codegen_free(llvm);
  return good ? 0 : give_up(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return in_session(data, size, run); }
