// SPDX-License-Identifier: Apache-2.0
// Statements of the module on arrays, run by a backend that counts: what is compiled grows with the
// number of operations, never with its square, and a loop's rounds are one piece of code.
#include <check.h>
#include <stdlib.h>
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/ir.h"
#include "ir/text/print.h"
#include "ir/text/text.h"
#include "jax/jax.h"
#include "jax/program/eager.h"
#include "numpy/numpy.h"
#include "python/eval.h"
#include "suite.h"

enum { LARGEST = 160 }; // ops of one piece: some 32 arrays, what they load and what they store

typedef struct Pieces {
  Session *session;
  size_t count, most_ops, ops, texts;
  Map *seen; // texts, interned
} Pieces;

static int count_piece(void *data, IrModule *module, IrFunc *func, Str text UNUSED,
                       void *const *buffers) {
  Pieces *pieces = data;
  size_t ops = 0;
  for (const IrOp *op = func->body->first; op; op = op->next) ops++;
  pieces->count++;
  for (uint32_t i = 0; i < func->param_count; i++) // every run gives something else
    if (func->params[i].role == PARAM_OUT) *(uint8_t *)buffers[i] = (uint8_t)pieces->count;
  pieces->ops += ops;
  if (ops > pieces->most_ops) pieces->most_ops = ops;
  Buf buf;
  buf_init(&buf, pieces->session->arena);
  ir_print(module, false, &buf);
  Name whole = name_intern(pieces->session->interner, buf_view(&buf));
  if (!map_has(pieces->seen, whole)) pieces->texts++;
  map_set(pieces->seen, whole, (void *)whole);
  return 0;
}

typedef struct Program {
  const char *before, *each, *after; // `each` is repeated
  size_t repeats;
  Pieces pieces;
} Program;

static int run_program(Session *session, void *data) {
  Program *program = data;
  Buf buf;
  buf_init(&buf, session->arena);
  buf_c(&buf, program->before);
  for (size_t i = 0; i < program->repeats; i++) buf_c(&buf, program->each);
  buf_c(&buf, program->after);
  Module *module = syntax_parse(session, source_add(session, STR("a.pk"), buf_view(&buf), false));
  EvalOptions options = {.run = true, .tpu = STR("v5p"), .devices = 1};
  Eval *ev = eval_new(session, &options);
  numpy_init(ev);
  jax_init(ev);
  program->pieces = (Pieces){.session = session, .seen = map_new(session->arena)};
  eager_set_backend(ev, (EagerBackend){.run = count_piece, .data = &program->pieces});
  bool good = eval_main(ev, module);
  if (!good) diag_flush(session);
  return good ? 0 : 1;
}

static Pieces run(Program program) {
  Session *session = session_new(0);
  ck_assert_int_eq(session_run(session, run_program, &program), 0);
  session_free(session);
  return program.pieces;
}

static void check_linear(const char *before, const char *each) {
  Pieces few = run((Program){before, each, "float(x.sum())\n", 500, {0}});
  Pieces many = run((Program){before, each, "float(x.sum())\n", 2000, {0}});
  ck_assert_uint_lt(many.most_ops, LARGEST);
  ck_assert_uint_gt(few.count, 500 / LARGEST * 2);
  ck_assert_uint_le(many.count, 4 * few.count + 1);
  ck_assert_uint_le(many.ops, 4 * few.ops + LARGEST);
}

START_TEST(a_chain_is_cut_into_pieces) { check_linear("x = jnp.arange(8.0)\n", "x = x * 1.5\n"); }
END_TEST

START_TEST(a_chain_of_a_prelude_is_cut) {
  check_linear("x = jnp.arange(8.0)\n", "x = jnp.nan_to_num(x)\n");
}
END_TEST

START_TEST(a_fold_is_cut_into_pieces) {
  check_linear("import functools\nx = jnp.arange(8.0)\n",
               "x = functools.reduce(lambda a, b: a * b, [2.0] * 4, x)\n");
}
END_TEST

START_TEST(rounds_of_a_loop_are_one_code) {
  Pieces pieces = run((Program){"x = jnp.arange(8.0)\ns = jnp.float32(1)\n"
                                "for i in range(400):\n    x = x * s + 0.5\n    s = s * 0.5\n",
                                "",
                                "float(x.sum())\n",
                                0,
                                {0}});
  ck_assert_uint_gt(pieces.count, 20);
  ck_assert_uint_le(pieces.texts, 4);
}
END_TEST

// What is traced is one function, however long it is.
START_TEST(a_traced_function_is_not_cut) {
  Pieces pieces = run((Program){"@jax.jit\ndef f(x):\n",
                                "    x = x * 1.5\n",
                                "    return x\nfloat(f(jnp.arange(8.0)).sum())\n",
                                200,
                                {0}});
  ck_assert_uint_gt(pieces.most_ops, 200);
  ck_assert_uint_le(pieces.count, 3);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("eager");
  TCase *tests = tcase_create("eager");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, a_chain_is_cut_into_pieces);
  tcase_add_test(tests, a_chain_of_a_prelude_is_cut);
  tcase_add_test(tests, a_fold_is_cut_into_pieces);
  tcase_add_test(tests, rounds_of_a_loop_are_one_code);
  tcase_add_test(tests, a_traced_function_is_not_cut);
  suite_add_tcase(suite, tests);
  return suite_run_as(suite, CK_NOFORK);
}
