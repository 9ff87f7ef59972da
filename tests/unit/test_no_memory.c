// SPDX-License-Identifier: Apache-2.0
// The n-th allocation fails, for every n, from a source to its object: out of memory is said each
// time, and nothing else happens.
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "ir/core/ir.h"
#include "codegen/codegen.h"
#include "passes/pass.h"
#include "jax/jax.h"
#include "jax/program/eager.h"
#include "numpy/numpy.h"
#include "jax/program/entry.h"
#include "python/eval.h"
#include "suite.h"

static const char sample[] =
    "def kernel(x_ref, y_ref, o_ref):\n"
    "    @pl.when(pl.program_id(0) > 0)\n"
    "    def _():\n"
    "        o_ref[...] = jnp.exp(x_ref[...]) + y_ref[...].sum(axis=-1, keepdims=True)\n"
    "\n"
    "def add(x: f32[64, 128], y: f32[64, 128]):\n"
    "    spec = pl.BlockSpec((8, 128), lambda i: (i, 0))\n"
    "    return pl.pallas_call(kernel, grid=(8,), in_specs=[spec, spec], out_specs=spec,\n"
    "                          out_shape=jax.ShapeDtypeStruct((64, 128), jnp.float32))(x, y)\n";

static int compile(Session *session, void *data) {
  size_t *size = data;
  Module *module = syntax_parse(session, source_add(session, STR("a.pk"), STR(sample), false));
  EvalOptions options = {.max_steps = 1000000, .max_depth = 1000, .tpu = STR("v5p"), .devices = 1};
  Eval *ev = eval_new(session, &options);
  numpy_init(ev);
  jax_init(ev);
  if (!eval_main(ev, module) || !entry_trace(ev, NULL, 0, false)) return 1;
  IrModule *ir = eager_entries(ev);
  PassOptions passes = {.opt_level = 2, .stop_after = PASS_COUNT, .print_to = stderr};
  if (!passes_run(session, ir, &passes)) return 1;
  CodegenOptions codegen = {.opt_level = 2, .target_cpu = STR("x86-64-v3")};
  LlvmModule *llvm = codegen_module(session, ir, &codegen);
  if (!llvm) return 1;
  Str object;
  bool good = codegen_emit(session, llvm, EMIT_OBJECT, session->arena, &object);
  codegen_free(llvm);
  *size = object.len;
  return good ? 0 : 1;
}

// Exit status of the compilation in which allocation n, and all behind it, fail; 3 where not even a
// session can be made.
static int compile_failing_at(long n, FILE *out, size_t *size) {
  int status = 3;
  arena_fail_after(n);
  Session *session = session_new(0);
  if (session) {
    session->diag_out = out;
    status = session_run(session, compile, size);
    arena_fail_after(-1);
    diag_flush(session);
  }
  arena_fail_after(-1);
  session_free(session);
  return status;
}

START_TEST(the_nth_allocation_fails) {
  char *said = NULL;
  size_t length = 0, size = 0;
  long n = 0;
  for (int status = 3; status == 3; n++) {
    ck_assert_int_lt(n, 5000);
    FILE *out = open_memstream(&said, &length);
    status = compile_failing_at(n, out, &size);
    fclose(out);
    ck_assert_msg(status == 0 || status == 3, "allocation %ld: status %d: %s", n, status, said);
    if (status == 3 && length)
      ck_assert_msg(strstr(said, "out of memory") != NULL, "allocation %ld: %s", n, said);
    free(said);
  }
  ck_assert_int_gt(n, 20);
  ck_assert_uint_gt(size, 500);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("no memory");
  TCase *tests = tcase_create("no memory");
  tcase_set_timeout(tests, 240);
  tcase_add_test(tests, the_nth_allocation_fails);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
