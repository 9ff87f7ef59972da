// SPDX-License-Identifier: Apache-2.0
// In lanes of how many bits a shift by other vectors is emitted: those of bytes would be many
// instructions where lanes of 32 bits are one.
#include <check.h>
#include <string.h>
#include "llvm_text.h"
#include "codegen/codegen.h"
#include "ir/text/text.h"
#include "suite.h"

typedef struct ShiftCase {
  const char *op;
  int columns;
  const char *has, *has_not;
} ShiftCase;

static const ShiftCase shift_cases[] = {
    {"shr_logical", 8, "lshr <8 x i32>", "lshr <8 x i8>"},
    {"shl", 8, "shl <8 x i32>", "shl <8 x i8>"},
    {"shr", 8, "ashr <8 x i32>", "ashr <8 x i8>"},
    {"shr_logical", 4, "lshr <4 x i8>", "lshr <4 x i32>"},
};

START_TEST(lanes_of_shifts) {
  const ShiftCase *c = &shift_cases[_i];
  Session *session = session_new(0);
  // What is shifted is one number a row, which keeps vectors from going on into the next.
  Str text = str_format(
      session->arena,
      "module tpu v5p devices 1\nfunc @f(%%a: hbm u8[64], %%b: hbm u8[64,%d], out %%o: hbm "
      "f32[64,%d]) {\n%%x = load %%a[:] : u8[64]\n%%s = broadcast %%x dims [0] : u8[64,%d]\n%%n = "
      "load %%b[:, :] : u8[64,%d]\nfuse {\n%%y = %s %%s, %%n : u8[64,%d]\n%%z = convert %%y : "
      "f32[64,%d]\nstore %%z, %%o[:, :]\n}\n}\n",
      c->columns, c->columns, c->columns, c->columns, c->op, c->columns, c->columns);
  IrModule *module = ir_read(session, source_add(session, STR("case.ir"), text, false));
  diag_flush(session);
  ck_assert_ptr_nonnull(module);
  CodegenOptions options = {.opt_level = 0, .target_cpu = STR("x86-64-v3")};
  Str code = llvm_text(session, module, &options);
  const char *llvm = str_format(session->arena, "%.*s%c", STR_FMT(code), 0).data;
  ck_assert_msg(strstr(llvm, c->has) && !strstr(llvm, c->has_not), "case %d", _i);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("shift_lanes");
  TCase *tcase = tcase_create("shift_lanes");
  tcase_add_loop_test(tcase, lanes_of_shifts, 0, (int)COUNT_OF(shift_cases));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
