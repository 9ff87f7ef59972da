// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are read as a jaxpr and traced, its equations called; what comes out is
// kernel IR, or a diagnostic.
#include "in_session.h"

#include "jax/import/jaxpr.h"
#include "jax/import/jaxpr_eval.h"
#include "jax/jax.h"
#include "jax/program/eager.h"
#include "jax/program/entry.h"
#include "numpy/numpy.h"
#include "python/eval.h"
#include "syntax/ast.h"

static int run(Session *session, void *data) {
  const Str *input = data;
  JaxprProgram *program = jaxpr_read(session, source_add(session, STR("a.jaxpr"), *input, false));
  if (!program) return give_up(session);
  Str text = jaxpr_module_text(session->arena, program);
  Module *module = syntax_parse(session, source_add(session, STR("a"), text, true));
  if (!module || session->error_count) return give_up(session);
  EvalOptions options = {.max_steps = 20000, .max_depth = 200, .tpu = STR("v5p"), .devices = 1};
  Eval *ev = eval_new(session, &options);
  numpy_init(ev);
  jax_init(ev);
  jaxpr_define(ev, program);
  if (!eval_main(ev, module)) return give_up(session);
  if (!entry_trace(ev, NULL, 0, false)) return give_up(session);
  return eager_entries(ev) ? 0 : give_up(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return in_session(data, size, run); }
