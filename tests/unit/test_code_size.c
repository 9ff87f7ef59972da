// SPDX-License-Identifier: Apache-2.0
// The code of a function does not depend on what else is in its file: alone, before and behind
// forty more functions it is the same, but for the numbers of constants, attributes and metadata.
#include <check.h>
#include <ctype.h>
#include <string.h>
#include "base/buf.h"
#include "codegen/codegen.h"
#include "ir/core/ir.h"
#include "ir/text/read.h"
#include "ir/text/text.h"
#include "suite.h"

enum { OTHERS = 40 };

static void put_function(Buf *b, const char *name, int products) {
  buf_printf(b,
             "func @%s(%%x: hbm f32[64,64], %%y: hbm f32[64,64], out %%o: hbm f32[64,64], "
             "out %%p: hbm f32[64]) {\n"
             " %%a = load %%x[:, :] : f32[64,64]\n %%b = load %%y[:, :] : f32[64,64]\n",
             name);
  for (int i = 0; i < products; i++)
    buf_printf(b,
               " %%d%d = dot %%a, %%b lhs_contract [1] rhs_contract [0] lhs_batch [] rhs_batch [] "
               "precision highest : f32[64,64]\n"
               " %%e%d = exp %%d%d : f32[64,64]\n %%t%d = tan %%e%d : f32[64,64]\n"
               " %%m%d = reduce_max %%t%d axes [1] : f32[64]\n"
               " %%c%d = cumsum %%t%d dim 1 : f32[64,64]\n"
               " %%n%d = exp %%m%d : f32[64]\n %%s%d = add %%n%d, %%m%d : f32[64]\n"
               " store %%c%d, %%o[:, :]\n store %%s%d, %%p[:]\n",
               i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i);
  buf_c(b, "}\n");
}

// The text of f's functions, without the numbers that the module hands out.
static Str code_of_f(Session *session, size_t before, size_t behind) {
  Buf b, out;
  buf_init(&b, session->arena);
  buf_init(&out, session->arena);
  buf_c(&b, "module tpu v5p devices 1\n");
  for (size_t i = 0; i < before + behind + 1; i++) {
    const char *name = i == before ? "f" : str_format(session->arena, "other%zu", i).data;
    put_function(&b, name, i == before ? 2 : 3);
  }
  IrModule *module = ir_read(session, source_add(session, STR("case.ir"), buf_view(&b), false));
  diag_flush(session);
  ck_assert_ptr_nonnull(module);
  CodegenOptions options = {.opt_level = 3, .target_cpu = STR("x86-64-v3")};
  LlvmModule *llvm = codegen_module(session, module, &options);
  Str text;
  ck_assert_ptr_nonnull(llvm);
  ck_assert(codegen_emit(session, llvm, EMIT_LLVM, session->arena, &text));
  codegen_free(llvm);
  bool is_f = false;
  const char *text_end = text.data + text.len;
  for (const char *line = text.data, *end; line < text_end; line = end + 1) {
    end = memchr(line, '\n', (size_t)(text_end - line));
    Str s = {line, (size_t)(end - line)};
    if (str_starts_with(s, STR("define"))) is_f = strstr(line, "@f.") && strstr(line, "@f.") < end;
    bool in_global = false;
    for (size_t i = 0; is_f && i < s.len; i++) {
      if (strchr("@#!", s.data[i])) in_global = true;
      if (strchr(" ,()", s.data[i])) in_global = false;
      if (!in_global || !isdigit((unsigned char)s.data[i])) buf_char(&out, s.data[i]);
    }
    if (is_f) buf_char(&out, '\n');
    if (str_equal(s, STR("}"))) is_f = false;
  }
  return buf_view(&out);
}

static int compare(Session *session, void *data) {
  const size_t *others = data;
  Str alone = code_of_f(session, 0, 0), among = code_of_f(session, others[0], others[1]);
  ck_assert_uint_gt(alone.len, 1000);
  size_t at = 0, most = alone.len < among.len ? alone.len : among.len;
  while (at < most && alone.data[at] == among.data[at]) at++;
  ck_assert_msg(str_equal(alone, among), "%zu before, %zu behind: %zu and %zu bytes, from %.200s",
                others[0], others[1], alone.len, among.len, among.data + at);
  return 0;
}

START_TEST(others_do_not_matter) {
  size_t others[][2] = {{0, OTHERS}, {OTHERS, 0}};
  Session *session = session_new(0);
  ck_assert_int_eq(session_run(session, compare, others[_i]), 0);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("code size");
  TCase *tcase = tcase_create("functions");
  tcase_set_timeout(tcase, 100);
  tcase_add_loop_test(tcase, others_do_not_matter, 0, 2);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
